#include "formulation/plane.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "formulation/tree_builder.hpp"

namespace mechfmu {

namespace {

constexpr double kParallel = 1e-12;

using Eigen::Vector3d;

class PlaneFinder {
 public:
  PlaneFinder(const Mechanism& mechanism, const SpanningTree& tree) : mechanism_(mechanism) {
    add_parameters(system_, mechanism);
    zero_.emplace(build_at_zero(system_, mechanism, tree));
  }

  std::optional<Vector3d> find() {
    for (int j = 0; j < static_cast<int>(mechanism_.joints.size()); ++j)
      if (type(j) == "revolute" || type(j) == "planar") {
        normal_ = axes_of(j)[0];
        break;
      }
    if (normal_.isZero()) return std::nullopt;
    // what is driven or constrained by expressions may point anywhere
    if (!mechanism_.constraints.empty()) return std::nullopt;
    for (const Drive& drive : mechanism_.drives)
      if (drive.arguments.find("frame") != nullptr) return std::nullopt;
    for (double& x : normal_)  // axes along coordinates exactly
      if (std::fabs(x - std::nearbyint(x)) < 1e-15) x = std::nearbyint(x);
    for (int j = 0; j < static_cast<int>(mechanism_.joints.size()); ++j)
      if (!fits(j)) return std::nullopt;
    for (const Force& force : mechanism_.forces)
      if (!fits(force)) return std::nullopt;
    if (std::fabs(value(system_.gravity).dot(normal_)) > kParallel) return std::nullopt;
    return normal_;
  }

 private:
  [[nodiscard]] std::string_view type(int j) const {
    return mechanism_.joints[static_cast<std::size_t>(j)].type->id;
  }
  [[nodiscard]] Vector3d value(const Vec3& v) const {
    return {nominal_value(system_, mechanism_, v[0]), nominal_value(system_, mechanism_, v[1]),
            nominal_value(system_, mechanism_, v[2])};
  }
  [[nodiscard]] Pose world(int body, const Pose& in_body) const {
    return body == kGround
               ? in_body
               : compose(body_in_world(*zero_, static_cast<std::size_t>(body)), in_body);
  }

  // The joint's axis in the world, as its parent and as its child carry it.
  [[nodiscard]] std::array<Vector3d, 2> axes_of(int j) const {
    const Joint& joint = mechanism_.joints[static_cast<std::size_t>(j)];
    const Vec3 axis = make_joint_setting(system_, mechanism_, j).geometry.axis;
    return {value(world(joint.parent.body, parent_frame_in_body(system_, mechanism_, j)).R * axis),
            value(world(joint.child.body, child_frame_in_body(system_, mechanism_, j)).R * axis)};
  }

  [[nodiscard]] bool fits(int j) const {
    const std::string_view id = type(j);
    if (id == "fixed" || id == "distance") return true;
    if (!mechanism_.joints[static_cast<std::size_t>(j)].connects_frames()) return true;
    for (const Vector3d& axis : axes_of(j)) {
      if (id == "revolute" || id == "planar") {
        if (axis.cross(normal_).norm() > kParallel) return false;
      } else if (id == "prismatic") {
        if (std::fabs(axis.dot(normal_)) > kParallel) return false;
      } else {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] static bool is_literal_zero(const Expression& e) {
    return e.kind == Expression::Kind::number && e.value == 0;
  }

  [[nodiscard]] bool fits(const Force& force) const {
    if (force.type->id == "spring_damper") {
      const auto height = [&](const char* end) {
        const FrameReference& f = force.arguments[end].frame;
        return value(world(f.body, pose_in_body(system_, mechanism_, f.body, f.frame)).p)
            .dot(normal_);
      };
      return std::fabs(height("from") - height("to")) < kParallel;
    }
    if (force.type->id == "bushing" || force.type->id == "potential") return false;
    if (force.type->id != "force" && force.type->id != "torque")
      return true;  // along joint coordinates
    const Argument& argument = force.arguments["value"];
    Vector3d normal = normal_;
    if (force.arguments["axes"].text == "body") {
      const FrameReference& f = force.arguments["at"].frame;
      const Pose pose = world(f.body, pose_in_body(system_, mechanism_, f.body, f.frame));
      normal = value(transposed_product(
          pose.R, {{number(normal_[0]), number(normal_[1]), number(normal_[2])}}));
    }
    for (int i = 0; i < 3; ++i) {
      const bool zero = is_literal_zero(argument.values[static_cast<std::size_t>(i)]);
      if (force.type->id == "force" && std::fabs(normal[i]) > kParallel && !zero) return false;
      if (force.type->id == "torque" && std::fabs(normal[i]) < 1 - kParallel && !zero) return false;
    }
    return true;
  }
  [[nodiscard]] Expr number(double x) const { return system_.graph->number(x); }

  const Mechanism& mechanism_;
  Formulated system_;
  std::optional<BuiltTree> zero_;
  Vector3d normal_ = Vector3d::Zero();
};

}  // namespace

PlaneAxes make_plane_axes(Graph& graph, const std::array<double, 3>& n) {
  const Vector3d normal(n[0], n[1], n[2]);
  int main = 0;
  normal.cwiseAbs().maxCoeff(&main);
  Vector3d side = Vector3d::Unit((main + 1) % 3);
  side = (side - side.dot(normal) * normal).normalized();
  const Vector3d other = normal.cross(side);
  return {make_vector(graph, n[0], n[1], n[2]), make_vector(graph, side[0], side[1], side[2]),
          make_vector(graph, other[0], other[1], other[2])};
}

std::optional<std::array<double, 3>> find_plane(const Mechanism& mechanism,
                                                const SpanningTree& tree) {
  const std::optional<Vector3d> normal = PlaneFinder(mechanism, tree).find();
  if (!normal) return std::nullopt;
  return std::array<double, 3>{(*normal)[0], (*normal)[1], (*normal)[2]};
}

}  // namespace mechfmu
