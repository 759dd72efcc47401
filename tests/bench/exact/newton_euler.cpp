#include "exact/newton_euler.hpp"

#include "problems/start_pose.hpp"

namespace mechfmu::bench {
namespace {

constexpr double kRankCutoff = 1e-6;  // of rows of length one
constexpr int kBodyState = 13;

Eigen::Index at(int i) { return static_cast<Eigen::Index>(i); }

// Two unit vectors across an axis.
std::array<Vector3d, 2> across(const Vector3d& axis) {
  const Vector3d first = axis.unitOrthogonal();
  return {first, axis.cross(first)};
}

}  // namespace

struct NewtonEuler::Pose {
  Vector3d position = Vector3d::Zero();  // of the centre of mass
  Matrix3d rotation = Matrix3d::Identity();
  Vector3d velocity = Vector3d::Zero(), angular = Vector3d::Zero();
};

struct NewtonEuler::Rows {
  Eigen::VectorXd phi;       // residuals
  Eigen::MatrixXd jacobian;  // of their rates by the velocities
  Eigen::VectorXd bias;      // second derivatives where all accelerations are zero
};

NewtonEuler::NewtonEuler(const Problem& problem)
    : problem_(problem), n_(static_cast<int>(problem.bodies.size())) {}

Eigen::VectorXd NewtonEuler::start() const {
  const std::vector<BodyState> bodies = start_pose(problem_);
  Eigen::VectorXd state(at(kBodyState * n_));
  for (int i = 0; i < n_; ++i) {
    const BodyState& body = bodies[static_cast<std::size_t>(i)];
    const Vector3d& com = problem_.bodies[static_cast<std::size_t>(i)].com;
    const Eigen::Quaterniond e(body.rotation);
    state.segment<3>(at(kBodyState * i)) = body.at(com);
    state.segment<4>(at(kBodyState * i + 3)) << e.w(), e.x(), e.y(), e.z();
    state.segment<3>(at(kBodyState * i + 7)) = body.velocity_at(com);
    state.segment<3>(at(kBodyState * i + 10)) = body.angular;
  }
  return state;
}

std::vector<NewtonEuler::Pose> NewtonEuler::poses(const Eigen::VectorXd& state) const {
  std::vector<Pose> bodies(static_cast<std::size_t>(n_));
  for (int i = 0; i < n_; ++i) {
    Pose& body = bodies[static_cast<std::size_t>(i)];
    const auto e = state.segment<4>(at(kBodyState * i + 3));
    body.position = state.segment<3>(at(kBodyState * i));
    body.rotation = Eigen::Quaterniond(e[0], e[1], e[2], e[3]).normalized().toRotationMatrix();
    body.velocity = state.segment<3>(at(kBodyState * i + 7));
    body.angular = state.segment<3>(at(kBodyState * i + 10));
  }
  return bodies;
}

NewtonEuler::Rows NewtonEuler::rows(const std::vector<Pose>& bodies) const {
  struct Row {
    double phi = 0, bias = 0;
    std::array<int, 2> body{};
    std::array<Vector3d, 2> linear{}, angular{};
  };
  std::vector<Row> list;
  for (const Joint& joint : problem_.joints) {
    const auto side = [&](int body, const Vector3d& point) {
      const Pose pose = body == kWorld ? Pose() : bodies[static_cast<std::size_t>(body)];
      const Vector3d com = body == kWorld ? Vector3d::Zero().eval()
                                          : problem_.bodies[static_cast<std::size_t>(body)].com;
      return std::pair<Pose, Vector3d>(pose, pose.rotation * (point - com));
    };
    const auto [a, ra] = side(joint.parent, joint.in_parent);
    const auto [b, rb] = side(joint.child, joint.in_child);
    const Vector3d d = b.position + rb - a.position - ra;
    const Vector3d d_rate = b.velocity + b.angular.cross(rb) - a.velocity - a.angular.cross(ra);
    const Vector3d d_bias =
        b.angular.cross(b.angular.cross(rb)) - a.angular.cross(a.angular.cross(ra));
    // n . d = 0, n fixed in a (or in the world)
    const auto distance = [&](const Vector3d& n, bool turns) {
      Row row;
      row.phi = n.dot(d);
      row.body = {joint.parent, joint.child};
      row.linear = {-n, n};
      row.angular = {-ra.cross(n), rb.cross(n)};
      row.bias = n.dot(d_bias);
      if (turns) {
        row.angular[0] += n.cross(d);
        row.bias += 2 * d_rate.dot(a.angular.cross(n)) + d.dot(a.angular.cross(a.angular.cross(n)));
      }
      list.push_back(row);
    };
    // n . m = 0, n fixed in a, m in b
    const auto right_angle = [&](const Vector3d& n, const Vector3d& m) {
      Row row;
      row.phi = n.dot(m);
      row.body = {joint.parent, joint.child};
      row.linear = {Vector3d::Zero(), Vector3d::Zero()};
      row.angular = {n.cross(m), m.cross(n)};
      row.bias = a.angular.cross(a.angular.cross(n)).dot(m) +
                 2 * a.angular.cross(n).dot(b.angular.cross(m)) +
                 n.dot(b.angular.cross(b.angular.cross(m)));
      list.push_back(row);
    };
    const std::array<Vector3d, 2> sides = across(joint.axis);
    if (joint.kind == JointKind::prismatic) {
      for (const Vector3d& n : sides) distance(a.rotation * n, true);
      right_angle(a.rotation * joint.axis, b.rotation * sides[0]);
      right_angle(a.rotation * joint.axis, b.rotation * sides[1]);
      right_angle(a.rotation * sides[0], b.rotation * sides[1]);
      continue;
    }
    for (int k = 0; k < 3; ++k) distance(Vector3d::Unit(k), false);
    if (joint.kind == JointKind::universal)
      right_angle(a.rotation * joint.axis, b.rotation * joint.axis2);
    if (joint.kind == JointKind::revolute)
      for (const Vector3d& n : sides) right_angle(a.rotation * n, b.rotation * joint.axis);
  }
  const auto count = static_cast<Eigen::Index>(list.size());
  Rows rows{Eigen::VectorXd(count), Eigen::MatrixXd::Zero(count, at(6 * n_)),
            Eigen::VectorXd(count)};
  for (Eigen::Index r = 0; r < count; ++r) {
    const Row& row = list[static_cast<std::size_t>(r)];
    rows.phi[r] = row.phi;
    rows.bias[r] = row.bias;
    for (std::size_t k = 0; k < 2; ++k) {
      if (row.body[k] == kWorld) continue;
      rows.jacobian.block<1, 3>(r, at(6 * row.body[k])) += row.linear[k].transpose();
      rows.jacobian.block<1, 3>(r, at(6 * row.body[k] + 3)) += row.angular[k].transpose();
    }
  }
  return rows;
}

Eigen::VectorXd NewtonEuler::mass_root_inverse_times(const std::vector<Pose>& bodies,
                                                     const Eigen::VectorXd& x) const {
  Eigen::VectorXd y(x.size());
  for (int i = 0; i < n_; ++i) {
    const Body& body = problem_.bodies[static_cast<std::size_t>(i)];
    const Matrix3d& r = bodies[static_cast<std::size_t>(i)].rotation;
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(body.inertia);
    y.segment<3>(at(6 * i)) = x.segment<3>(at(6 * i)) / std::sqrt(body.mass);
    y.segment<3>(at(6 * i + 3)) =
        r * solver.operatorInverseSqrt() * r.transpose() * x.segment<3>(at(6 * i + 3));
  }
  return y;
}

Eigen::VectorXd NewtonEuler::least_change(const std::vector<Pose>& bodies, const Rows& rows,
                                          const Eigen::VectorXd& b) const {
  Eigen::MatrixXd scaled(rows.jacobian.rows(), rows.jacobian.cols());
  Eigen::VectorXd side = b;
  for (Eigen::Index r = 0; r < scaled.rows(); ++r) {
    const Eigen::VectorXd row = mass_root_inverse_times(bodies, rows.jacobian.row(r).transpose());
    const double length = row.norm();
    scaled.row(r) = row.transpose() / length;
    side[r] /= length;
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  solver.setThreshold(kRankCutoff);
  solver.compute(scaled);
  return mass_root_inverse_times(bodies, solver.solve(side));
}

Eigen::VectorXd NewtonEuler::rates(const Eigen::VectorXd& state) const {
  const std::vector<Pose> bodies = poses(state);
  Eigen::VectorXd free(at(6 * n_));  // accelerations without joints
  std::vector<Vector3d> force(static_cast<std::size_t>(n_), Vector3d::Zero()), torque = force;
  for (const Joint& joint : problem_.joints) {
    if (joint.torque == 0) continue;
    const Vector3d axis =
        joint.parent == kWorld
            ? joint.axis
            : (bodies[static_cast<std::size_t>(joint.parent)].rotation * joint.axis).eval();
    if (joint.parent != kWorld)
      torque[static_cast<std::size_t>(joint.parent)] -= joint.torque * axis;
    torque[static_cast<std::size_t>(joint.child)] += joint.torque * axis;
  }
  for (const Spring& spring : problem_.springs) {
    const auto arm = [&](int body, const Vector3d& point) -> Vector3d {
      if (body == kWorld) return point;
      return bodies[static_cast<std::size_t>(body)].rotation *
             (point - problem_.bodies[static_cast<std::size_t>(body)].com);
    };
    const auto place = [&](int body, const Vector3d& r) -> Vector3d {
      return body == kWorld ? r : (bodies[static_cast<std::size_t>(body)].position + r).eval();
    };
    const Vector3d ra = arm(spring.body_a, spring.point_a), rb = arm(spring.body_b, spring.point_b);
    const Vector3d d = place(spring.body_b, rb) - place(spring.body_a, ra);
    const Vector3d pull = spring.stiffness * (d.norm() - spring.length) * d.normalized();
    const auto add = [&](int body, const Vector3d& r, const Vector3d& f) {
      if (body == kWorld) return;
      force[static_cast<std::size_t>(body)] += f;
      torque[static_cast<std::size_t>(body)] += r.cross(f);
    };
    add(spring.body_a, ra, pull);
    add(spring.body_b, rb, -pull);
  }
  for (int i = 0; i < n_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Pose& pose = bodies[k];
    const Body& body = problem_.bodies[k];
    const Matrix3d inertia = pose.rotation * body.inertia * pose.rotation.transpose();
    free.segment<3>(at(6 * i)) = problem_.gravity + force[k] / body.mass;
    free.segment<3>(at(6 * i + 3)) =
        inertia.inverse() * (torque[k] - pose.angular.cross(inertia * pose.angular));
  }
  const Rows constraint = rows(bodies);
  const Eigen::VectorXd acceleration =
      free + least_change(bodies, constraint, -constraint.bias - constraint.jacobian * free);

  Eigen::VectorXd rate(state.size());
  for (int i = 0; i < n_; ++i) {
    const Pose& pose = bodies[static_cast<std::size_t>(i)];
    const auto e = state.segment<4>(at(kBodyState * i + 3));
    const Eigen::Quaterniond spin(0, pose.angular.x(), pose.angular.y(), pose.angular.z());
    const Eigen::Quaterniond turned = spin * Eigen::Quaterniond(e[0], e[1], e[2], e[3]);
    rate.segment<3>(at(kBodyState * i)) = pose.velocity;
    rate.segment<4>(at(kBodyState * i + 3)) << turned.w() / 2, turned.x() / 2, turned.y() / 2,
        turned.z() / 2;
    rate.segment<6>(at(kBodyState * i + 7)) = acceleration.segment<6>(at(6 * i));
  }
  return rate;
}

Eigen::VectorXd NewtonEuler::project(const Eigen::VectorXd& state) const {
  Eigen::VectorXd projected = state;
  for (int iteration = 0; iteration < 3; ++iteration) {
    const std::vector<Pose> bodies = poses(projected);
    const Rows constraint = rows(bodies);
    const Eigen::VectorXd change = least_change(bodies, constraint, -constraint.phi);
    for (int i = 0; i < n_; ++i) {
      const Vector3d turn = change.segment<3>(at(6 * i + 3));
      const Eigen::Quaterniond delta(1, turn.x() / 2, turn.y() / 2, turn.z() / 2);
      auto e = projected.segment<4>(at(kBodyState * i + 3));
      const Eigen::Quaterniond turned =
          (delta.normalized() * Eigen::Quaterniond(e[0], e[1], e[2], e[3])).normalized();
      projected.segment<3>(at(kBodyState * i)) += change.segment<3>(at(6 * i));
      e << turned.w(), turned.x(), turned.y(), turned.z();
    }
  }
  const std::vector<Pose> bodies = poses(projected);
  const Rows constraint = rows(bodies);
  Eigen::VectorXd v(at(6 * n_));
  for (int i = 0; i < n_; ++i)
    v.segment<6>(at(6 * i)) = projected.segment<6>(at(kBodyState * i + 7));
  v += least_change(bodies, constraint, -constraint.jacobian * v);
  for (int i = 0; i < n_; ++i)
    projected.segment<6>(at(kBodyState * i + 7)) = v.segment<6>(at(6 * i));
  return projected;
}

Vector3d NewtonEuler::marker(const Eigen::VectorXd& state) const {
  const std::vector<Pose> bodies = poses(state);
  const auto k = static_cast<std::size_t>(problem_.marker_body);
  return bodies[k].position + bodies[k].rotation * (problem_.marker - problem_.bodies[k].com);
}

double NewtonEuler::energy(const Eigen::VectorXd& state) const {
  const std::vector<Pose> bodies = poses(state);
  double energy = 0;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const Pose& pose = bodies[k];
    const Body& body = problem_.bodies[k];
    const Vector3d w = pose.rotation.transpose() * pose.angular;
    energy += 0.5 * body.mass * pose.velocity.squaredNorm() + 0.5 * w.dot(body.inertia * w) -
              body.mass * problem_.gravity.dot(pose.position);
  }
  for (const Spring& spring : problem_.springs) {
    const auto place = [&](int body, const Vector3d& point) -> Vector3d {
      if (body == kWorld) return point;
      const auto k = static_cast<std::size_t>(body);
      return bodies[k].position + bodies[k].rotation * (point - problem_.bodies[k].com);
    };
    const double stretch =
        (place(spring.body_b, spring.point_b) - place(spring.body_a, spring.point_a)).norm() -
        spring.length;
    energy += 0.5 * spring.stiffness * stretch * stretch;
  }
  return energy;
}

}  // namespace mechfmu::bench
