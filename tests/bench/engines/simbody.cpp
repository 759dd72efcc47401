// Simbody: mobilizers for the tree, constraints for loops, its own integrators with error control
// and projection.
//
// Planar loops are closed by two rows (a point stays in two planes), which leaves nothing
// redundant; other hinges by a ball and two right angles.
#include <Simbody.h>
#include <fmt/format.h>

#include "engines/engine.hpp"
#include "measure/clock.hpp"
#include "problems/start_pose.hpp"

namespace mechfmu::bench {
namespace {

using SimTK::MobilizedBody;
using SimTK::Rotation;
using SimTK::Transform;
using SimTK::Vec3;

constexpr int kMostSteps = 20000;  // per sample

Vec3 vec(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }

// A frame at a point whose x or z axis is `axis`.
Transform frame(const Vector3d& axis, SimTK::CoordinateAxis which, const Vector3d& at) {
  return {Rotation(SimTK::UnitVec3(vec(axis)), which), vec(at)};
}

struct System {
  explicit System(const Problem& problem) : matter(system), forces(system) {
    forces.setNumberOfThreads(1);
    SimTK::Force::Gravity(forces, matter, vec(problem.gravity));
    bodies.resize(problem.bodies.size());
    for (const Joint& joint : problem.joints)
      if (!joint.closes_loop) add_joint(problem, joint);
    for (const Joint& joint : problem.joints)
      if (joint.closes_loop) close(problem, joint);
    for (const Spring& spring : problem.springs)
      SimTK::Force::TwoPointLinearSpring(forces, body(spring.body_a), vec(spring.point_a),
                                         body(spring.body_b), vec(spring.point_b), spring.stiffness,
                                         spring.length);
    state = system.realizeTopology();
    set_start(problem);
  }

  MobilizedBody& body(int i) {
    return i == kWorld ? matter.updGround()
                       : matter.updMobilizedBody(bodies[static_cast<std::size_t>(i)]);
  }

  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::GeneralForceSubsystem forces;
  SimTK::State state;
  std::vector<SimTK::MobilizedBodyIndex> bodies;

 private:
  void add_joint(const Problem& problem, const Joint& joint) {
    const Body& data = problem.bodies[static_cast<std::size_t>(joint.child)];
    const Matrix3d& i = data.inertia;
    const SimTK::Inertia central(i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2));
    SimTK::Body::Rigid rigid(SimTK::MassProperties(
        data.mass, vec(data.com), central.shiftFromMassCenter(-vec(data.com), data.mass)));
    MobilizedBody& parent = body(joint.parent);
    const auto frames = [&](SimTK::CoordinateAxis which) {
      return std::pair(frame(joint.axis, which, joint.in_parent),
                       frame(joint.axis, which, joint.in_child));
    };
    SimTK::MobilizedBodyIndex& index = bodies[static_cast<std::size_t>(joint.child)];
    switch (joint.kind) {
      case JointKind::revolute: {
        const auto [inboard, outboard] = frames(SimTK::ZAxis);
        const MobilizedBody::Pin pin(parent, inboard, rigid, outboard);
        index = pin.getMobilizedBodyIndex();
        if (joint.torque != 0)
          SimTK::Force::MobilityConstantForce(forces, pin, SimTK::MobilizerUIndex(0), joint.torque);
        break;
      }
      case JointKind::prismatic: {
        const auto [inboard, outboard] = frames(SimTK::XAxis);
        index = MobilizedBody::Slider(parent, inboard, rigid, outboard).getMobilizedBodyIndex();
        break;
      }
      case JointKind::universal:  // about x of the parent, then y of the child
        if (joint.axis != Vector3d::UnitX() || joint.axis2 != Vector3d::UnitY())
          throw Refused("universal joints are about x and y here");
        index = MobilizedBody::Universal(parent, Transform(vec(joint.in_parent)), rigid,
                                         Transform(vec(joint.in_child)))
                    .getMobilizedBodyIndex();
        break;
      case JointKind::spherical:
        index = MobilizedBody::Ball(parent, Transform(vec(joint.in_parent)), rigid,
                                    Transform(vec(joint.in_child)))
                    .getMobilizedBodyIndex();
        break;
    }
  }

  void close(const Problem& problem, const Joint& joint) {
    MobilizedBody &a = body(joint.parent), &b = body(joint.child);
    const Vec3 at_a = vec(joint.in_parent), at_b = vec(joint.in_child);
    if (problem.is_planar) {
      for (const Vec3& normal : {Vec3(1, 0, 0), Vec3(0, 1, 0)})
        SimTK::Constraint::PointInPlane(a, SimTK::UnitVec3(normal), ~normal * at_a, b, at_b);
      return;
    }
    SimTK::Constraint::Ball(a, at_a, b, at_b);
    if (joint.kind == JointKind::spherical) return;
    const SimTK::UnitVec3 axis(vec(joint.axis));
    const SimTK::UnitVec3 side = axis.perp();
    for (const SimTK::UnitVec3& n : {side, SimTK::UnitVec3(SimTK::cross(axis, side))})
      SimTK::Constraint::ConstantAngle(a, n, b, axis, SimTK::Pi / 2);
  }

  void set_start(const Problem& problem) {
    for (const Joint& joint : problem.joints) {
      if (joint.closes_loop) continue;
      const MobilizedBody& mobod = body(joint.child);
      if (joint.kind == JointKind::spherical) {
        const Matrix3d& r = joint.start_rotation;
        mobod.setQToFitRotation(
            state, Rotation(SimTK::Mat33(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2),
                                         r(2, 0), r(2, 1), r(2, 2)),
                            true));
        continue;
      }
      mobod.setOneQ(state, 0, joint.start[0]);
      mobod.setOneU(state, 0, joint.speed);
      if (joint.kind == JointKind::universal) mobod.setOneQ(state, 1, joint.start[1]);
    }
  }
};

enum class Integrator { merson, rk3, feldberg, verlet, cpodes, euler };

std::unique_ptr<SimTK::Integrator> make(Integrator kind, const SimTK::System& system) {
  switch (kind) {
    case Integrator::merson:
      return std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system);
    case Integrator::rk3:
      return std::make_unique<SimTK::RungeKutta3Integrator>(system);
    case Integrator::feldberg:
      return std::make_unique<SimTK::RungeKuttaFeldbergIntegrator>(system);
    case Integrator::verlet:
      return std::make_unique<SimTK::VerletIntegrator>(system);
    case Integrator::cpodes:
      return std::make_unique<SimTK::CPodesIntegrator>(system, SimTK::CPodes::Adams);
    case Integrator::euler:
      break;
  }
  return std::make_unique<SimTK::SemiExplicitEuler2Integrator>(system);
}

class SimbodyRun : public Run {
 public:
  SimbodyRun(const Problem& problem, System& system, Integrator kind, double accuracy)
      : problem_(problem), system_(system), integrator_(make(kind, system.system)) {
    integrator_->setAccuracy(accuracy);
    integrator_->initialize(system.state);
  }
  bool advance_to(double time) override {
    // coarse accuracies can end in ever shorter steps
    integrator_->setInternalStepLimit(kMostSteps);
    while (integrator_->getTime() < time)
      if (integrator_->stepTo(time) == SimTK::Integrator::ReachedStepLimit) return false;
    return true;
  }
  Vector3d marker() override {
    const SimTK::State& state = integrator_->getState();
    system_.system.realize(state, SimTK::Stage::Position);
    const Vec3 p =
        system_.body(problem_.marker_body).findStationLocationInGround(state, vec(problem_.marker));
    return {p[0], p[1], p[2]};
  }

 private:
  const Problem& problem_;
  System& system_;
  std::unique_ptr<SimTK::Integrator> integrator_;
};

class Simbody : public Engine {
 public:
  [[nodiscard]] std::string version() const override {
    int major = 0, minor = 0, build = 0;
    SimTK_version_simbody(&major, &minor, &build);
    return fmt::format("{}.{}.{}", major, minor, build);
  }

  std::vector<Method> methods(const Problem& problem) override {
    problem_ = problem;
    system_ = std::make_unique<System>(problem_);
    std::vector<Method> methods;
    for (const auto& [name, kind] :
         {std::pair("RungeKuttaMerson", Integrator::merson),
          std::pair("RungeKutta3", Integrator::rk3), std::pair("Verlet", Integrator::verlet),
          std::pair("CPodes", Integrator::cpodes),
          std::pair("RungeKuttaFeldberg", Integrator::feldberg)}) {
      const Integrator which = kind;
      methods.push_back({name, true, [this, which](double accuracy) -> std::unique_ptr<Run> {
                           return std::make_unique<SimbodyRun>(problem_, *system_, which, accuracy);
                         }});
    }
    return methods;
  }

  std::optional<double> evaluation_seconds(const Problem& /*problem*/) override {
    SimTK::State state = system_->state;
    double sign = 1;
    return time_per_call([&] {
      sign = -sign;
      state.updQ()[0] += sign * 1e-3;
      system_->system.realize(state, SimTK::Stage::Acceleration);
    });
  }

 private:
  Problem problem_;
  std::unique_ptr<System> system_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Settings& /*settings*/) {
  return std::make_unique<Simbody>();
}

}  // namespace mechfmu::bench
