// Open Dynamics Engine: bodies in space, joints as constraints, semi-implicit Euler of first order,
// all joints in one linear complementarity problem (dWorldStep) or by iteration (dWorldQuickStep).
#include <fmt/format.h>
#include <ode/ode.h>

#include "engines/engine.hpp"
#include "measure/clock.hpp"
#include "problems/start_pose.hpp"

namespace mechfmu::bench {
namespace {

struct Choice {
  const char* name;
  bool quick;
  double erp, cfm;
};
constexpr Choice kChoices[] = {{"dWorldStep, erp 0.2, cfm 1e-10", false, 0.2, 1e-10},
                               {"dWorldStep, erp 0.8, cfm 1e-10", false, 0.8, 1e-10},
                               {"dWorldStep, erp 0.2, cfm 1e-6", false, 0.2, 1e-6},
                               {"dWorldQuickStep, erp 0.2, cfm 1e-10", true, 0.2, 1e-10}};
constexpr int kQuickIterations = 100;

class OdeRun : public Run {
 public:
  OdeRun(const Problem& problem, const Choice& choice, double step)
      : problem_(problem), choice_(choice), step_(step), world_(dWorldCreate()) {
    dWorldSetGravity(world_, problem.gravity.x(), problem.gravity.y(), problem.gravity.z());
    dWorldSetERP(world_, choice.erp);
    dWorldSetCFM(world_, choice.cfm);
    dWorldSetAutoDisableFlag(world_, 0);
    dWorldSetQuickStepNumIterations(world_, kQuickIterations);
    const std::vector<BodyState> start = start_pose(problem);
    for (std::size_t i = 0; i < problem.bodies.size(); ++i) add_body(problem.bodies[i], start[i]);
    for (const Joint& joint : problem.joints) add_joint(joint, start);
  }
  ~OdeRun() override { dWorldDestroy(world_); }
  OdeRun(const OdeRun&) = delete;
  OdeRun& operator=(const OdeRun&) = delete;

  bool advance_to(double time) override {
    const int steps = std::max(1, static_cast<int>(std::lround((time - time_) / step_)));
    for (int i = 0; i < steps; ++i) step();
    time_ = time;
    return std::isfinite(dBodyGetPosition(bodies_[0])[0]);
  }
  void step() {
    apply_forces();
    if (choice_.quick)
      dWorldQuickStep(world_, step_);
    else
      dWorldStep(world_, step_);
  }
  Vector3d marker() override {
    dVector3 point;
    place(problem_.marker_body, problem_.marker, point);
    return {point[0], point[1], point[2]};
  }

 private:
  void add_body(const Body& body, const BodyState& start) {
    dBodyID id = dBodyCreate(world_);
    dMass mass;
    const Matrix3d& i = body.inertia;
    dMassSetParameters(&mass, body.mass, 0, 0, 0, i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2),
                       i(1, 2));
    dBodySetMass(id, &mass);
    const Vector3d com = start.at(body.com), velocity = start.velocity_at(body.com);
    dBodySetPosition(id, com.x(), com.y(), com.z());
    dMatrix3 rotation = {};
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) rotation[4 * r + c] = start.rotation(r, c);
    dBodySetRotation(id, rotation);
    dBodySetLinearVel(id, velocity.x(), velocity.y(), velocity.z());
    dBodySetAngularVel(id, start.angular.x(), start.angular.y(), start.angular.z());
    bodies_.push_back(id);
  }
  void add_joint(const Joint& joint, const std::vector<BodyState>& start) {
    const BodyState parent = state_of(start, joint.parent);
    const BodyState child = state_of(start, joint.child);
    const Vector3d at = parent.at(joint.in_parent), axis = parent.rotation * joint.axis;
    const Vector3d axis2 = child.rotation * joint.axis2;
    dBodyID a = body(joint.child), b = body(joint.parent);  // ODE counts the angle of a from b
    switch (joint.kind) {
      case JointKind::revolute: {
        dJointID id = dJointCreateHinge(world_, nullptr);
        dJointAttach(id, a, b);
        dJointSetHingeAnchor(id, at.x(), at.y(), at.z());
        dJointSetHingeAxis(id, axis.x(), axis.y(), axis.z());
        if (joint.torque != 0) motors_.emplace_back(id, joint.torque);
        break;
      }
      case JointKind::prismatic: {
        dJointID id = dJointCreateSlider(world_, nullptr);
        dJointAttach(id, a, b);
        dJointSetSliderAxis(id, axis.x(), axis.y(), axis.z());
        break;
      }
      case JointKind::universal: {
        dJointID id = dJointCreateUniversal(world_, nullptr);
        dJointAttach(id, b, a);
        dJointSetUniversalAnchor(id, at.x(), at.y(), at.z());
        dJointSetUniversalAxis1(id, axis.x(), axis.y(), axis.z());
        dJointSetUniversalAxis2(id, axis2.x(), axis2.y(), axis2.z());
        break;
      }
      case JointKind::spherical: {
        dJointID id = dJointCreateBall(world_, nullptr);
        dJointAttach(id, a, b);
        dJointSetBallAnchor(id, at.x(), at.y(), at.z());
        break;
      }
    }
  }
  [[nodiscard]] dBodyID body(int i) const {
    return i == kWorld ? nullptr : bodies_[static_cast<std::size_t>(i)];
  }
  void place(int i, const Vector3d& point, dVector3 result) const {
    if (i == kWorld) {
      for (int k = 0; k < 3; ++k) result[k] = point[k];
      return;
    }
    const Vector3d local = point - problem_.bodies[static_cast<std::size_t>(i)].com;
    dBodyGetRelPointPos(body(i), local.x(), local.y(), local.z(), result);
  }
  void apply_forces() {
    for (const auto& [id, torque] : motors_) dJointAddHingeTorque(id, torque);
    for (const Spring& spring : problem_.springs) {
      dVector3 a, b;
      place(spring.body_a, spring.point_a, a);
      place(spring.body_b, spring.point_b, b);
      const Vector3d d(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
      const Vector3d f = spring.stiffness * (1 - spring.length / d.norm()) * d;
      if (spring.body_a != kWorld)
        dBodyAddForceAtPos(body(spring.body_a), f.x(), f.y(), f.z(), a[0], a[1], a[2]);
      if (spring.body_b != kWorld)
        dBodyAddForceAtPos(body(spring.body_b), -f.x(), -f.y(), -f.z(), b[0], b[1], b[2]);
    }
  }

  const Problem& problem_;
  const Choice& choice_;
  double step_, time_ = 0;
  dWorldID world_;
  std::vector<dBodyID> bodies_;
  std::vector<std::pair<dJointID, double>> motors_;
};

class Ode : public Engine {
 public:
  Ode() { dInitODE2(0); }
  [[nodiscard]] std::string version() const override { return dGetConfiguration(); }

  std::vector<Method> methods(const Problem& problem) override {
    problem_ = problem;
    std::vector<Method> methods;
    for (const Choice& choice : kChoices)
      methods.push_back({choice.name, false, [this, &choice](double step) -> std::unique_ptr<Run> {
                           return std::make_unique<OdeRun>(problem_, choice, step);
                         }});
    return methods;
  }

  // ODE has no function for accelerations alone: a whole step, which has one evaluation.
  std::optional<double> evaluation_seconds(const Problem& problem) override {
    OdeRun run(problem, kChoices[0], 1e-4);
    return time_per_call([&] { run.step(); });
  }

 private:
  Problem problem_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Settings& /*settings*/) {
  return std::make_unique<Ode>();
}

}  // namespace mechfmu::bench
