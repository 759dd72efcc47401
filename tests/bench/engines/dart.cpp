// DART: recursive forward dynamics of the tree, its own semi-implicit Euler steps with loops as
// impulse constraints. For trees also rk4 around its forward dynamics, as a user would write it.
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/UniversalJoint.hpp>
#include <dart/simulation/World.hpp>

#include "engines/engine.hpp"
#include "measure/clock.hpp"
#include "problems/start_pose.hpp"

namespace mechfmu::bench {
namespace {

using dart::dynamics::BallJoint;
using dart::dynamics::BodyNode;
using dart::dynamics::PrismaticJoint;
using dart::dynamics::RevoluteJoint;
using dart::dynamics::SkeletonPtr;
using dart::dynamics::UniversalJoint;

constexpr double kExploded = 1e7;  // [rad/s, m/s]

struct Model {
  explicit Model(const Problem& problem) : skeleton(dart::dynamics::Skeleton::create("problem")) {
    skeleton->setGravity(problem.gravity);
    nodes.resize(problem.bodies.size());
    for (const Joint& joint : problem.joints)
      if (!joint.closes_loop) add(problem, joint);
  }
  [[nodiscard]] BodyNode* node(int i) const {
    return i == kWorld ? nullptr : nodes[static_cast<std::size_t>(i)];
  }

  SkeletonPtr skeleton;
  std::vector<BodyNode*> nodes;

 private:
  void add(const Problem& problem, const Joint& joint) {
    const Body& data = problem.bodies[static_cast<std::size_t>(joint.child)];
    BodyNode::Properties body;
    body.mName = data.name;
    body.mInertia = dart::dynamics::Inertia(data.mass, data.com, data.inertia);
    const auto place = [&](auto properties) {
      properties.mName = joint.name;
      properties.mT_ParentBodyToJoint.translation() = joint.in_parent;
      properties.mT_ChildBodyToJoint.translation() = joint.in_child;
      return properties;
    };
    BodyNode*& result = nodes[static_cast<std::size_t>(joint.child)];
    BodyNode* parent = node(joint.parent);
    switch (joint.kind) {
      case JointKind::revolute: {
        auto properties = place(RevoluteJoint::Properties());
        properties.mAxis = joint.axis;
        const auto pair =
            skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent, properties, body);
        pair.first->setPosition(0, joint.start[0]);
        pair.first->setVelocity(0, joint.speed);
        result = pair.second;
        break;
      }
      case JointKind::prismatic: {
        auto properties = place(PrismaticJoint::Properties());
        properties.mAxis = joint.axis;
        const auto pair =
            skeleton->createJointAndBodyNodePair<PrismaticJoint>(parent, properties, body);
        pair.first->setPosition(0, joint.start[0]);
        pair.first->setVelocity(0, joint.speed);
        result = pair.second;
        break;
      }
      case JointKind::universal: {
        auto properties = place(UniversalJoint::Properties());
        properties.mAxis = {joint.axis, joint.axis2};
        const auto pair =
            skeleton->createJointAndBodyNodePair<UniversalJoint>(parent, properties, body);
        pair.first->setPositions(Eigen::Vector2d(joint.start[0], joint.start[1]));
        result = pair.second;
        break;
      }
      case JointKind::spherical: {
        const auto pair = skeleton->createJointAndBodyNodePair<BallJoint>(
            parent, place(BallJoint::Properties()), body);
        pair.first->setPositions(BallJoint::convertToPositions(joint.start_rotation));
        result = pair.second;
        break;
      }
    }
  }
};

class DartRun : public Run {
 public:
  DartRun(const Problem& problem, double step) : problem_(problem), model_(problem), step_(step) {}
  Vector3d marker() override { return place(problem_.marker_body, problem_.marker); }
  double evaluation_seconds() {
    double sign = 1;
    return time_per_call([&] {
      sign = -sign;
      model_.skeleton->setPosition(0, model_.skeleton->getPosition(0) + sign * 1e-3);
      model_.skeleton->computeForwardDynamics();
    });
  }

 protected:
  [[nodiscard]] Vector3d place(int i, const Vector3d& point) const {
    return i == kWorld ? point : model_.node(i)->getWorldTransform() * point;
  }
  void apply_forces() {
    for (const Joint& joint : problem_.joints)
      if (joint.torque != 0) model_.node(joint.child)->getParentJoint()->setForce(0, joint.torque);
    for (const Spring& spring : problem_.springs) {
      const Vector3d d =
          place(spring.body_b, spring.point_b) - place(spring.body_a, spring.point_a);
      const Vector3d f = spring.stiffness * (1 - spring.length / d.norm()) * d;
      if (spring.body_a != kWorld)
        model_.node(spring.body_a)->addExtForce(f, spring.point_a, false, true);
      if (spring.body_b != kWorld)
        model_.node(spring.body_b)->addExtForce(-f, spring.point_b, false, true);
    }
  }
  // DART asserts and ends the program where a motion explodes.
  [[nodiscard]] bool is_sane() const {
    const std::size_t last = model_.skeleton->getNumDofs() - 1;
    return std::fabs(model_.skeleton->getVelocity(0)) < kExploded &&
           std::fabs(model_.skeleton->getVelocity(last)) < kExploded;
  }
  const Problem& problem_;
  Model model_;
  double step_, time_ = 0;
};

class OwnSteps : public DartRun {
 public:
  OwnSteps(const Problem& problem, double error_reduction, double step)
      : DartRun(problem, step), world_(dart::simulation::World::create()) {
    using dart::constraint::BallJointConstraint;
    world_->addSkeleton(model_.skeleton);
    world_->setGravity(problem.gravity);
    world_->setTimeStep(step);
    dart::constraint::DynamicJointConstraint::setErrorReductionParameter(error_reduction);
    dart::constraint::DynamicJointConstraint::setMaxErrorReductionVelocity(1e6);
    for (const Joint& joint : problem.joints) {
      if (!joint.closes_loop) continue;
      const bool two = joint.kind == JointKind::revolute && !problem.is_planar;
      for (const double shift : two ? std::vector<double>{0.5, -0.5} : std::vector<double>{0}) {
        const Vector3d at = place(joint.child, joint.in_child + shift * joint.axis);
        BodyNode *a = model_.node(joint.child), *b = model_.node(joint.parent);
        world_->getConstraintSolver()->addConstraint(
            b == nullptr ? std::make_shared<BallJointConstraint>(a, at)
                         : std::make_shared<BallJointConstraint>(a, b, at));
      }
    }
  }
  bool advance_to(double time) override {
    const int steps = std::max(1, static_cast<int>(std::lround((time - time_) / step_)));
    for (int i = 0; i < steps; ++i) {
      apply_forces();
      world_->step();
      if (!is_sane()) return false;
    }
    time_ = time;
    return true;
  }

 private:
  dart::simulation::WorldPtr world_;
};

// Joints with one coordinate each, whose rates are velocities.
class Rk4 : public DartRun {
 public:
  using DartRun::DartRun;
  bool advance_to(double time) override {
    const int steps = std::max(1, static_cast<int>(std::lround((time - time_) / step_)));
    for (int i = 0; i < steps; ++i) {
      step();
      if (!is_sane()) return false;
    }
    time_ = time;
    return true;
  }

 private:
  void accelerations(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& a) {
    model_.skeleton->setPositions(q);
    model_.skeleton->setVelocities(v);
    model_.skeleton->computeForwardDynamics();
    a = model_.skeleton->getAccelerations();
  }
  void step() {
    const double h = step_;
    q_ = model_.skeleton->getPositions();
    v_ = model_.skeleton->getVelocities();
    accelerations(q_, v_, a1_);
    v2_ = v_ + h / 2 * a1_;
    accelerations(q_ + h / 2 * v_, v2_, a2_);
    v3_ = v_ + h / 2 * a2_;
    accelerations(q_ + h / 2 * v2_, v3_, a3_);
    v4_ = v_ + h * a3_;
    accelerations(q_ + h * v3_, v4_, a4_);
    q_ += h / 6 * (v_ + 2 * v2_ + 2 * v3_ + v4_);
    v_ += h / 6 * (a1_ + 2 * a2_ + 2 * a3_ + a4_);
    model_.skeleton->setPositions(q_);
    model_.skeleton->setVelocities(v_);
  }
  Eigen::VectorXd q_, v_, v2_, v3_, v4_, a1_, a2_, a3_, a4_;
};

class Dart : public Engine {
 public:
  [[nodiscard]] std::string version() const override { return DART_VERSION; }

  std::vector<Method> methods(const Problem& problem) override {
    problem_ = problem;
    bool loops = false;
    for (const Joint& joint : problem.joints) loops |= joint.closes_loop;
    std::vector<Method> methods;
    if (!loops && problem.springs.empty())
      methods.push_back(
          {"rk4 around computeForwardDynamics", false, [this](double step) -> std::unique_ptr<Run> {
             return std::make_unique<Rk4>(problem_, step);
           }});
    for (const auto& [name, value] :
         {std::pair("World::step, erp 0.2", 0.2), std::pair("World::step, erp 0.8", 0.8)}) {
      const double error_reduction = value;
      if (!loops && value > 0.5) continue;
      methods.push_back({loops ? name : "World::step", false,
                         [this, error_reduction](double step) -> std::unique_ptr<Run> {
                           return std::make_unique<OwnSteps>(problem_, error_reduction, step);
                         }});
    }
    return methods;
  }
  // The tree alone: loops are not part of DART's forward dynamics.
  std::optional<double> evaluation_seconds(const Problem& problem) override {
    for (const Joint& joint : problem.joints)
      if (joint.closes_loop) return {};
    return Rk4(problem_, 1e-3).evaluation_seconds();
  }

 private:
  Problem problem_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Settings& /*settings*/) {
  return std::make_unique<Dart>();
}

}  // namespace mechfmu::bench
