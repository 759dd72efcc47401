#include "formulation/tree_builder.hpp"

#include <cmath>

#include "support/assert.hpp"

namespace mechfmu {

namespace {

constexpr double kTwoPi = 6.28318530717958647692;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Vec3 resolve_vector(Graph& g, const VectorExpression& v, const NameMeaning& meaning) {
  return {{resolve(g, v[0], meaning), resolve(g, v[1], meaning), resolve(g, v[2], meaning)}};
}

Vec3 unit(const Vec3& a) {
  const Expr length = norm(a);
  return {{a[0] / length, a[1] / length, a[2] / length}};
}

// Two unit vectors that make a right-handed set with `axis`. Coordinate axes get coordinate axes.
void choose_sides(const Formulated& system, const Mechanism& mechanism, const Vec3& axis,
                  Vec3& side1, Vec3& side2) {
  Graph& g = *system.graph;
  std::array<double, 3> a{};
  for (std::size_t i = 0; i < 3; ++i) a[i] = nominal_value(system, mechanism, axis[i]);
  std::size_t main = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (std::fabs(a[i]) > std::fabs(a[main])) main = i;
  // the coordinate axis after the main one is never along the axis
  Vec3 next = zero_vector(g);
  next[(main + 1) % 3] = g.number(1);
  const Expr along = dot(next, axis);
  side1 = along.is_zero() ? next : unit(next - along * axis);
  side2 = cross(axis, side1);
}

}  // namespace

Pose pose_in_body(const Formulated& system, const Mechanism& mechanism, int body, int frame) {
  Graph& g = *system.graph;
  if (frame == kOriginFrame) return identity_pose(g);
  const Frame& f = body == kGround ? mechanism.ground_frames[at(frame)]
                                   : mechanism.bodies[at(body)].frames[at(frame)];
  const NameMeaning meaning = system.parameters_only(mechanism);
  return {resolve_vector(g, f.xyz, meaning), rotation_from_rpy(resolve_vector(g, f.rpy, meaning))};
}

JointSetting make_joint_setting(const Formulated& system, const Mechanism& mechanism, int joint) {
  Graph& g = *system.graph;
  const Joint& j = mechanism.joints[at(joint)];
  const NameMeaning meaning = system.parameters_only(mechanism);
  const auto axis_of = [&](const Argument& argument) {
    return unit({{resolve(g, argument.values[0], meaning), resolve(g, argument.values[1], meaning),
                  resolve(g, argument.values[2], meaning)}});
  };
  JointSetting setting;
  JointGeometry& geometry = setting.geometry;
  geometry.graph = &g;
  const Argument* axis = j.arguments.find("axis");
  geometry.axis = axis != nullptr ? axis_of(*axis) : make_vector(g, 0, 0, 1);
  choose_sides(system, mechanism, geometry.axis, geometry.side1, geometry.side2);
  const Argument* normal = j.arguments.find("normal");
  geometry.normal = normal != nullptr ? axis_of(*normal) : make_vector(g, 0, 0, 1);
  choose_sides(system, mechanism, geometry.normal, geometry.tangent1, geometry.tangent2);
  const Argument* second = j.arguments.find("axis2");
  geometry.axis2 = second != nullptr ? axis_of(*second) : geometry.side1;
  const auto number = [&](std::string_view name) {
    const Argument* argument = j.arguments.find(name);
    return argument != nullptr ? resolve(g, argument->values[0], meaning) : g.number(0);
  };
  geometry.length = number("length");
  geometry.pitch = number("pitch") / kTwoPi;
  geometry.radius = number("radius");
  geometry.angle = number("angle");
  geometry.ratio = number("ratio");
  geometry.offset = number("offset");
  const Argument* child_axis = j.arguments.find("child_axis");
  if (find_joint_physics(j.type->id).keeps_axes_apart) {
    geometry.axis2 = axis_of(*child_axis);
    child_axis = nullptr;
  }
  setting.child_turn = child_axis != nullptr
                           ? shortest_rotation(geometry.axis, axis_of(*child_axis))
                           : identity_matrix(g);
  return setting;
}

Pose parent_frame_in_body(const Formulated& system, const Mechanism& mechanism, int joint) {
  const FrameReference& f = mechanism.joints[at(joint)].parent;
  return pose_in_body(system, mechanism, f.body, f.frame);
}

Pose child_frame_in_body(const Formulated& system, const Mechanism& mechanism, int joint) {
  const FrameReference& f = mechanism.joints[at(joint)].child;
  Pose pose = pose_in_body(system, mechanism, f.body, f.frame);
  pose.R = pose.R * make_joint_setting(system, mechanism, joint).child_turn;
  return pose;
}

std::vector<Motion> motions_of(const Formulated& system, const Mechanism& mechanism, int joint) {
  if (joint >= 0)
    return find_joint_physics(mechanism.joints[at(joint)].type->id)
        .motions(make_joint_setting(system, mechanism, joint).geometry);
  JointGeometry geometry;
  geometry.graph = system.graph.get();
  geometry.axis = make_vector(*system.graph, 0, 0, 1);
  return find_joint_physics("free").motions(geometry);
}

BuiltTree build_tree(const Formulated& system, const Mechanism& mechanism, const SpanningTree& tree,
                     const StateOfMotion& state, const VelocityOfMotion& first_velocity) {
  Graph& g = *system.graph;
  BuiltTree built{TreeModel(g), {}, {}, {}};
  built.body_node.assign(mechanism.bodies.size(), -1);
  built.body_pose.assign(mechanism.bodies.size(), identity_pose(g));
  built.motion_nodes.resize(mechanism.joints.size());

  for (const TreeEdge& edge : tree.edges) {
    const bool floating = edge.joint < 0;
    Pose inner = floating ? identity_pose(g) : parent_frame_in_body(system, mechanism, edge.joint);
    Pose outer = floating ? identity_pose(g) : child_frame_in_body(system, mechanism, edge.joint);
    if (edge.reversed) std::swap(inner, outer);
    int node = -1;
    Pose before = inner;
    if (edge.inboard != kGround) {
      node = built.body_node[at(edge.inboard)];
      before = compose(built.body_pose[at(edge.inboard)], inner);
    }
    const Pose inboard_W = built.model.frame(node, before).pose;

    const std::vector<Motion> motions = motions_of(system, mechanism, edge.joint);
    const int count = static_cast<int>(motions.size());
    MECHFMU_ASSERT(count > 0, "a joint of the tree has motions, if only a weld");
    std::vector<int> nodes(at(count));
    for (int step = 0; step < count; ++step) {
      const int k = edge.reversed ? count - 1 - step : step;
      Motion motion = motions[at(k)];
      if (edge.reversed) motion.direction = -1;
      node = built.model.add(node, before, motion, state(edge, k, motion, inboard_W),
                             first_velocity(edge, k));
      nodes[at(k)] = node;
      before = identity_pose(g);
    }
    built.body_node[at(edge.outboard)] = node;
    built.body_pose[at(edge.outboard)] = invert(outer);
    if (!floating) built.motion_nodes[at(edge.joint)] = nodes;
  }
  return built;
}

BuiltTree build_at_zero(const Formulated& system, const Mechanism& mechanism,
                        const SpanningTree& tree) {
  Graph& g = *system.graph;
  return build_tree(
      system, mechanism, tree,
      [&](const TreeEdge&, int, const Motion& motion, const Pose&) {
        std::vector<Expr> q;
        if (motion.kind == MotionKind::ball)
          q = {g.number(1), g.number(0), g.number(0), g.number(0)};
        if (motion.kind == MotionKind::rotate || motion.kind == MotionKind::translate)
          q = {g.number(0)};
        return resting_state(g, motion, q);
      },
      [](const TreeEdge&, int) { return 0; });
}

Pose body_in_world(const BuiltTree& built, std::size_t body) {
  return built.model.frame(built.body_node[body], built.body_pose[body]).pose;
}

MotionState resting_state(Graph& graph, const Motion& motion, std::vector<Expr> q) {
  const std::size_t rates = motion.kind == MotionKind::weld   ? 0
                            : motion.kind == MotionKind::ball ? 3
                                                              : 1;
  const std::vector<Expr> zeros(rates, graph.number(0));
  return {std::move(q), zeros, zeros};
}

}  // namespace mechfmu
