// Bullet: btMultiBody (articulated bodies) for the tree, point-to-point constraints for loops; its
// semi-implicit Euler and its rk4, its iterated and its direct (Dantzig) constraint solver.
//
// The frame of a link is at its centre of mass along its principal axes. A universal joint is two
// hinges with a link without mass between.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include "engines/engine.hpp"
#include "measure/clock.hpp"
#include "problems/start_pose.hpp"

namespace mechfmu::bench {
namespace {

struct Choice {
  const char* name;
  bool rk4, direct;
  double erp;
  int iterations;
  bool for_loops;  // differs from the others only there
};
constexpr Choice kChoices[] = {{"Euler", false, false, 0.2, 50, false},
                               {"rk4", true, false, 0.2, 50, false},
                               {"Euler, erp 0.8", false, false, 0.8, 50, true},
                               {"Euler, Dantzig, erp 0.8", false, true, 0.8, 0, true},
                               {"rk4, Dantzig, erp 0.2", true, true, 0.2, 0, true}};

btVector3 vec(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
Vector3d vec(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
btQuaternion quaternion(const Matrix3d& r) {
  const Eigen::Quaterniond q(r);
  return {q.x(), q.y(), q.z(), q.w()};
}

class BulletRun : public Run {
 public:
  BulletRun(const Problem& problem, const Choice& choice, double step)
      : problem_(problem), step_(step) {
    dispatcher_ = std::make_unique<btCollisionDispatcher>(&configuration_);
    if (choice.direct)
      solver_ = std::make_unique<btMultiBodyMLCPConstraintSolver>(&dantzig_);
    else
      solver_ = std::make_unique<btMultiBodyConstraintSolver>();
    world_ = std::make_unique<btMultiBodyDynamicsWorld>(dispatcher_.get(), &broadphase_,
                                                        solver_.get(), &configuration_);
    world_->setGravity(vec(problem.gravity));
    btContactSolverInfo& info = world_->getSolverInfo();
    info.m_numIterations = std::max(1, choice.iterations);
    info.m_erp = info.m_erp2 = choice.erp;
    info.m_globalCfm = 0;
    make_body(choice);
    make_loops();
  }
  ~BulletRun() override {
    for (const auto& loop : loops_) world_->removeMultiBodyConstraint(loop.get());
    for (const auto& collider : colliders_) world_->removeCollisionObject(collider.get());
    world_->removeMultiBody(body_.get());
  }
  BulletRun(const BulletRun&) = delete;
  BulletRun& operator=(const BulletRun&) = delete;

  bool advance_to(double time) override {
    const int steps = std::max(1, static_cast<int>(std::lround((time - time_) / step_)));
    for (int i = 0; i < steps; ++i) {
      apply_forces();
      world_->stepSimulation(step_, 0, step_);
    }
    time_ = time;
    return std::isfinite(body_->getJointPos(0));
  }
  Vector3d marker() override { return place(problem_.marker_body, problem_.marker); }

  double evaluation_seconds() {
    btAlignedObjectArray<btScalar> r;
    btAlignedObjectArray<btVector3> v;
    btAlignedObjectArray<btMatrix3x3> m;
    return time_per_call([&] {
      body_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(1e-12, r, v, m, false, false,
                                                                  false);
    });
  }

 private:
  struct Link {
    int index = -1;
    Matrix3d principal = Matrix3d::Identity();
    Vector3d com = Vector3d::Zero();
  };
  [[nodiscard]] Link link(int i) const {
    return i == kWorld ? Link() : links_[static_cast<std::size_t>(i)];
  }

  void make_body(const Choice& choice) {
    int count = 0;
    for (const Joint& joint : problem_.joints)
      if (!joint.closes_loop) count += joint.kind == JointKind::universal ? 2 : 1;
    body_ = std::make_unique<btMultiBody>(count, 0, btVector3(0, 0, 0), true, false);
    links_.resize(problem_.bodies.size());
    int next = 0;
    for (const Joint& joint : problem_.joints)
      if (!joint.closes_loop) add_link(joint, next);
    body_->finalizeMultiDof();
    body_->setLinearDamping(0);
    body_->setAngularDamping(0);
    body_->setMaxCoordinateVelocity(1e30);
    body_->setCanSleep(false);
    body_->useRK4Integration(choice.rk4);
    next = 0;
    for (const Joint& joint : problem_.joints)
      if (!joint.closes_loop) set_start(joint, next);
    world_->addMultiBody(body_.get());
    btAlignedObjectArray<btQuaternion> rotations;
    btAlignedObjectArray<btVector3> places;
    body_->forwardKinematics(rotations, places);
  }

  void add_link(const Joint& joint, int& next) {
    const Body& data = problem_.bodies[static_cast<std::size_t>(joint.child)];
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(data.inertia);
    Link child;
    Vector3d moments = data.inertia.diagonal();
    if (!data.inertia.isDiagonal(0)) {
      child.principal = solver.eigenvectors();
      if (child.principal.determinant() < 0) child.principal.col(0) *= -1;
      moments = solver.eigenvalues();
    }
    child.com = data.com;
    Link parent = link(joint.parent);
    Vector3d pivot = parent.principal.transpose() * (joint.in_parent - parent.com);
    const auto turn = [&](const Link& c) {
      return quaternion(c.principal.transpose() * parent.principal);
    };
    const auto arm = vec(Vector3d(child.principal.transpose() * (child.com - joint.in_child)));
    if (joint.kind == JointKind::universal) {
      Link middle;
      middle.index = next++;
      body_->setupRevolute(middle.index, 0, btVector3(0, 0, 0), parent.index, turn(middle),
                           vec(joint.axis), vec(pivot), btVector3(0, 0, 0), true);
      parent = middle;
      pivot = Vector3d::Zero();
    }
    child.index = next++;
    const btVector3 axis =
        vec(Vector3d(child.principal.transpose() *
                     (joint.kind == JointKind::universal ? joint.axis2 : joint.axis)));
    if (joint.kind == JointKind::spherical)
      body_->setupSpherical(child.index, data.mass, vec(moments), parent.index, turn(child),
                            vec(pivot), arm, true);
    else if (joint.kind == JointKind::prismatic)
      body_->setupPrismatic(child.index, data.mass, vec(moments), parent.index, turn(child), axis,
                            vec(pivot), arm, true);
    else
      body_->setupRevolute(child.index, data.mass, vec(moments), parent.index, turn(child), axis,
                           vec(pivot), arm, true);
    links_[static_cast<std::size_t>(joint.child)] = child;
  }

  void set_start(const Joint& joint, int& next) {
    if (joint.kind == JointKind::spherical) {
      const Matrix3d& p = link(joint.child).principal;
      const btQuaternion q = quaternion(p.transpose() * joint.start_rotation * p);
      const btScalar values[] = {q.x(), q.y(), q.z(), q.w()};
      body_->setJointPosMultiDof(next++, values);
      return;
    }
    body_->setJointPos(next, joint.start[0]);
    body_->setJointVel(next++, joint.speed);
    if (joint.kind == JointKind::universal) body_->setJointPos(next++, joint.start[1]);
  }

  void make_loops() {
    for (const Joint& joint : problem_.joints) {
      if (!joint.closes_loop) continue;
      const Link a = link(joint.parent), b = link(joint.child);
      const bool two = joint.kind == JointKind::revolute && !problem_.is_planar;
      for (const double shift : two ? std::vector<double>{0.5, -0.5} : std::vector<double>{0}) {
        const auto pivot = [&](const Link& c, const Vector3d& at) {
          return vec(Vector3d(c.principal.transpose() * (at + shift * joint.axis - c.com)));
        };
        loops_.push_back(std::make_unique<btMultiBodyPoint2Point>(
            body_.get(), a.index, body_.get(), b.index, pivot(a, joint.in_parent),
            pivot(b, joint.in_child)));
        loops_.back()->setMaxAppliedImpulse(1e30);
        world_->addMultiBodyConstraint(loops_.back().get());
      }
      add_collider(b.index);
    }
  }
  // Bullet solves constraints by islands, and finds those by colliders: without any, constraints do
  // nothing. This one meets nobody.
  void add_collider(int index) {
    if (body_->getLink(index).m_collider != nullptr) return;
    colliders_.push_back(std::make_unique<btMultiBodyLinkCollider>(body_.get(), index));
    btMultiBodyLinkCollider& collider = *colliders_.back();
    collider.setCollisionShape(&shape_);
    collider.setActivationState(DISABLE_DEACTIVATION);
    body_->getLink(index).m_collider = &collider;
    world_->addCollisionObject(&collider, 0, 0);
  }

  [[nodiscard]] Vector3d place(int i, const Vector3d& point) const {
    const Link l = link(i);
    const btVector3 local = vec(Vector3d(l.principal.transpose() * (point - l.com)));
    return i == kWorld ? point : vec(body_->localPosToWorld(l.index, local));
  }
  void apply_forces() {
    for (const Joint& joint : problem_.joints)
      if (joint.torque != 0) body_->addJointTorque(link(joint.child).index, joint.torque);
    for (const Spring& spring : problem_.springs) {
      const Vector3d a = place(spring.body_a, spring.point_a);
      const Vector3d b = place(spring.body_b, spring.point_b);
      const Vector3d d = b - a, f = spring.stiffness * (1 - spring.length / d.norm()) * d;
      const auto add = [&](int i, const Vector3d& at, const Vector3d& force) {
        if (i == kWorld) return;
        const Link l = link(i);
        body_->addLinkForce(l.index, vec(force));
        body_->addLinkTorque(l.index, vec(Vector3d((at - place(i, l.com)).cross(force))));
      };
      add(spring.body_a, a, f);
      add(spring.body_b, b, -f);
    }
  }

  const Problem& problem_;
  double step_, time_ = 0;
  btDefaultCollisionConfiguration configuration_;
  btDbvtBroadphase broadphase_;
  btDantzigSolver dantzig_;
  std::unique_ptr<btCollisionDispatcher> dispatcher_;
  std::unique_ptr<btMultiBodyConstraintSolver> solver_;
  std::unique_ptr<btMultiBodyDynamicsWorld> world_;
  std::unique_ptr<btMultiBody> body_;
  std::vector<Link> links_;
  std::vector<std::unique_ptr<btMultiBodyPoint2Point>> loops_;
  btSphereShape shape_{1e-3};
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders_;
};

class Bullet : public Engine {
 public:
  [[nodiscard]] std::string version() const override {
    return fmt::format("{}.{:02}", BT_BULLET_VERSION / 100, BT_BULLET_VERSION % 100);
  }
  std::vector<Method> methods(const Problem& problem) override {
    problem_ = problem;
    bool loops = false;
    for (const Joint& joint : problem.joints) loops |= joint.closes_loop;
    std::vector<Method> methods;
    for (const Choice& choice : kChoices)
      if (loops || !choice.for_loops)
        methods.push_back(
            {choice.name, false, [this, &choice](double step) -> std::unique_ptr<Run> {
               return std::make_unique<BulletRun>(problem_, choice, step);
             }});
    return methods;
  }
  // The tree alone: loops are not part of Bullet's forward dynamics.
  std::optional<double> evaluation_seconds(const Problem& problem) override {
    for (const Joint& joint : problem.joints)
      if (joint.closes_loop) return {};
    return BulletRun(problem_, kChoices[0], 1e-3).evaluation_seconds();
  }

 private:
  Problem problem_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Settings& /*settings*/) {
  return std::make_unique<Bullet>();
}

}  // namespace mechfmu::bench
