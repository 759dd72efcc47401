#include "formulation/starts.hpp"

#include "formulation/plane.hpp"
#include "formulation/tree_builder.hpp"
#include "support/assert.hpp"

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Expressions of every <start>, by joint and attribute name.
class StartTable {
 public:
  StartTable(Formulated& system, const Mechanism& mechanism) : mechanism_(mechanism) {
    Graph& g = *system.graph;
    const NameMeaning meaning = system.parameters_only(mechanism);
    values_.resize(mechanism.joints.size());
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
      const Joint& joint = mechanism.joints[j];
      for (const Start& start : joint.starts) {
        std::vector<Expr>& list = values_[j].emplace_back();
        for (std::size_t i = 0; i < start.values.size(); ++i) {
          Expr value = resolve(g, start.values[i], meaning);
          // a start that follows from parameters follows them; a number is a parameter of its own
          if (value.is_constant()) {
            std::string name = "start." + joint.name.text + "." + start.name;
            if (start.values.size() > 1) name += "[" + std::to_string(i + 1) + "]";
            const double number = value.constant();
            value = g.symbol(runtime::kStart, static_cast<int>(system.start_values.size()));
            system.start_values.push_back(
                {name, std::string(unit_of(joint, start.name)), number,
                 std::string(start.fixed ? "start value of " : "guess for ") + joint.name.text +
                     "." + start.name});
          }
          list.push_back(value);
        }
      }
    }
  }

  // Empty if the joint has no such start.
  [[nodiscard]] std::vector<Expr> find(int joint, std::string_view name) const {
    const std::vector<Start>& starts = mechanism_.joints[at(joint)].starts;
    for (std::size_t i = 0; i < starts.size(); ++i)
      if (starts[i].name == name) return values_[at(joint)][i];
    return {};
  }

 private:
  static std::string_view unit_of(const Joint& joint, std::string_view name) {
    for (const Coordinate& c : joint.type->coordinates) {
      if (c.name == name) return c.unit;
      if (c.rate_name == name) return c.rate_unit;
    }
    for (const Attribute& a : joint.type->start_vectors)
      if (a.name == name) return a.unit;
    return "";
  }
  const Mechanism& mechanism_;
  std::vector<std::vector<std::vector<Expr>>> values_;
};

Vec3 to_vector(const std::vector<Expr>& v) { return {{v[0], v[1], v[2]}}; }

// The first guess: start values where given, then <pose>, then zero.
class Guess {
 public:
  Guess(const Formulated& system, const Mechanism& mechanism, const SpanningTree& tree,
        const StartTable& starts)
      : system_(system),
        mechanism_(mechanism),
        starts_(starts),
        g_(*system.graph),
        built_{TreeModel(g_), {}, {}, {}} {
    built_ = build_tree(
        system, mechanism, tree,
        [&](const TreeEdge& edge, int k, const Motion& motion, const Pose& inboard) {
          return resting_state(g_, motion, motion_guess(edge, k, motion, inboard));
        },
        [](const TreeEdge&, int) { return 0; });
  }

  [[nodiscard]] const BuiltTree& tree() const { return built_; }

 private:
  std::vector<Expr> motion_guess(const TreeEdge& edge, int k, const Motion& motion,
                                 const Pose& inboard) const {
    if (motion.kind == MotionKind::weld) return {};
    if (motion.kind == MotionKind::ball) return orientation_guess(edge, inboard);
    if (edge.joint < 0 || is_free(edge)) return {position_guess(edge, k, inboard)};
    const Joint& joint = mechanism_.joints[at(edge.joint)];
    std::vector<Expr> start = starts_.find(edge.joint, joint.type->coordinates[at(k)].name);
    if (!start.empty()) return start;
    if (motion.is_screw())
      if (const std::vector<Expr> travel = starts_.find(edge.joint, "translation"); !travel.empty())
        return {travel[0] / motion.pitch};
    if (const std::optional<FramePair> frames = posed_frames(edge, inboard)) {
      const JointGeometry geometry = make_joint_setting(system_, mechanism_, edge.joint).geometry;
      return {find_joint_physics(joint.type->id).coordinates(geometry, *frames)[at(k)]};
    }
    return {g_.number(0)};
  }

  [[nodiscard]] bool is_free(const TreeEdge& edge) const {
    return mechanism_.joints[at(edge.joint)].type->coordinates.empty();
  }

  // Parent and child frame of the edge's joint if the outboard body has a <pose>.
  [[nodiscard]] std::optional<FramePair> posed_frames(const TreeEdge& edge,
                                                      const Pose& inboard) const {
    const Body& body = mechanism_.bodies[at(edge.outboard)];
    if (!body.pose) return std::nullopt;
    const NameMeaning meaning = system_.parameters_only(mechanism_);
    Pose pose = identity_pose(g_);
    Vec3 rpy = pose.p;
    for (std::size_t i = 0; i < 3; ++i) {
      pose.p[i] = resolve(g_, body.pose->xyz[i], meaning);
      rpy[i] = resolve(g_, body.pose->rpy[i], meaning);
    }
    pose.R = rotation_from_rpy(rpy);
    if (edge.joint < 0) return FramePair{inboard, pose};
    if (edge.reversed)
      return FramePair{compose(pose, parent_frame_in_body(system_, mechanism_, edge.joint)),
                       inboard};
    return FramePair{inboard, compose(pose, child_frame_in_body(system_, mechanism_, edge.joint))};
  }

  [[nodiscard]] Expr position_guess(const TreeEdge& edge, int k, const Pose& inboard) const {
    if (edge.joint >= 0)
      if (const std::vector<Expr> xyz = starts_.find(edge.joint, "xyz"); !xyz.empty())
        return xyz[at(k)];
    if (const std::optional<FramePair> frames = posed_frames(edge, inboard))
      return residual::relative_position(*frames)[at(k)];
    return g_.number(0);
  }

  // A ball's quaternion is that of the outboard side in the inboard one.
  [[nodiscard]] std::vector<Expr> orientation_guess(const TreeEdge& edge,
                                                    const Pose& inboard) const {
    Mat3 R = identity_matrix(g_);
    bool known = false;
    if (edge.joint >= 0)
      if (const std::vector<Expr> rpy = starts_.find(edge.joint, "rpy"); !rpy.empty()) {
        R = rotation_from_rpy(to_vector(rpy));
        known = true;
      }
    if (!known)
      if (const std::optional<FramePair> frames = posed_frames(edge, inboard)) {
        R = transpose(frames->parent.R) * frames->child.R;
        known = true;
      }
    if (!known) return {g_.number(1), g_.number(0), g_.number(0), g_.number(0)};
    const Quaternion e = quaternion_from_rotation(edge.reversed ? transpose(R) : R);
    return {e[0], e[1], e[2], e[3]};
  }

  const Formulated& system_;
  const Mechanism& mechanism_;
  const StartTable& starts_;
  Graph& g_;
  BuiltTree built_;
};

void add_vector_rows(Formulated& system, const Joint& joint, const FormulatedJoint& f,
                     const Start& start, const std::vector<Expr>& wanted) {
  Graph& g = *system.graph;
  const FramePair frames = generic_frames(g);
  const auto add = [&](std::size_t i, bool velocity, Expr error, Expr rate) {
    system.start_rows.push_back(
        {joint.name.text + "." + start.name + "[" + std::to_string(i + 1) + "]", velocity,
         start.fixed, error, rate});
  };
  const Vec3 position = residual::relative_position(frames);
  if (start.name == "xyz" || start.name == "velocity") {
    const std::vector<FrameFunctionValue> x =
        apply_to_frames(g, {position[0], position[1], position[2]}, f.parent, f.child);
    for (std::size_t i = 0; i < 3; ++i) {
      if (start.name == "xyz")
        add(i, false, x[i].value - wanted[i], x[i].rate);
      else
        add(i, true, x[i].rate - wanted[i], x[i].rate);
    }
  } else if (start.name == "rpy") {
    // the turn that is left, as the axial part of T^T R
    const Mat3 left = transpose(rotation_from_rpy(to_vector(wanted))) *
                      (transpose(frames.parent.R) * frames.child.R);
    const std::vector<Expr> axial = {0.5 * (left[2][1] - left[1][2]),
                                     0.5 * (left[0][2] - left[2][0]),
                                     0.5 * (left[1][0] - left[0][1])};
    const std::vector<FrameFunctionValue> x = apply_to_frames(g, axial, f.parent, f.child);
    for (std::size_t i = 0; i < 3; ++i) add(i, false, x[i].value, x[i].rate);
  } else {
    MECHFMU_ASSERT(start.name == "angular_velocity", "no law for the start '" + start.name + "'");
    const Vec3 w = transposed_product(f.parent.pose.R, f.child.pose.R * f.child.w) - f.parent.w;
    for (std::size_t i = 0; i < 3; ++i) add(i, true, w[i] - wanted[i], w[i]);
  }
}

void add_rows(Formulated& system, const Mechanism& mechanism, const StartTable& starts) {
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& joint = mechanism.joints[j];
    const FormulatedJoint& f = system.joints[j];
    for (const Start& start : joint.starts) {
      const std::vector<Expr> wanted = starts.find(static_cast<int>(j), start.name);
      bool scalar = false;
      for (const JointCoordinate& c : f.coordinates) {
        const std::string name = joint.name.text + "." + start.name;
        if (c.row->name == start.name) {
          system.start_rows.push_back({name, false, start.fixed, c.value - wanted[0], c.rate});
          scalar = true;
        } else if (c.row->rate_name == start.name) {
          system.start_rows.push_back({name, true, start.fixed, c.rate - wanted[0], c.rate});
          scalar = true;
        }
      }
      if (!scalar) add_vector_rows(system, joint, f, start, wanted);
    }
  }
}

}  // namespace

std::vector<GroundPlace> calc_ground_places(const Formulated& system, const Mechanism& mechanism,
                                            const SpanningTree& tree) {
  Graph& g = *system.graph;
  const NameMeaning meaning = system.parameters_only(mechanism);
  std::vector<GroundPlace> places;
  if (system.kind == FormulationKind::absolute_spatial) {
    for (const Body& body : mechanism.bodies) {
      GroundPlace place{identity_pose(g), motions_of(system, mechanism, -1), identity_pose(g)};
      place.body_in_node.p = -calc_centre_of_mass(g, body, meaning);
      places.push_back(place);
    }
    return places;
  }
  const std::optional<std::array<double, 3>> normal = find_plane(mechanism, tree);
  MECHFMU_ASSERT(normal.has_value(), "planar coordinates are for planar mechanisms");
  const BuiltTree zero = build_at_zero(system, mechanism, tree);
  const PlaneAxes axes = make_plane_axes(g, *normal);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const Pose pose = body_in_world(zero, b);
    const Vec3 com = calc_centre_of_mass(g, mechanism.bodies[b], meaning);
    GroundPlace place;
    place.before = identity_pose(g);
    place.before.p =
        dot(axes.normal, pose.p + pose.R * com) * axes.normal;  // the body stays at this height
    place.motions = {{MotionKind::translate, axes.side1},
                     {MotionKind::translate, axes.side2},
                     {MotionKind::rotate, axes.normal}};
    place.body_in_node = {-(pose.R * com), pose.R};
    places.push_back(place);
  }
  return places;
}

void add_start_conditions(Formulated& system, const Mechanism& mechanism,
                          const SpanningTree& tree) {
  Graph& g = *system.graph;
  const StartTable starts(system, mechanism);
  add_rows(system, mechanism, starts);

  const Guess guess(system, mechanism, tree, starts);
  system.guess.assign(at(system.nq), g.number(0));
  const auto set = [&](const TreeNode& n, std::size_t k, Expr value) {
    system.guess[n.state.q[k].node().b] = value;
  };
  if (system.kind == FormulationKind::joint) {
    // both trees have the same nodes in the same order
    for (std::size_t i = 0; i < system.tree->nodes().size(); ++i) {
      const TreeNode& n = system.tree->nodes()[i];
      for (std::size_t k = 0; k < n.state.q.size(); ++k)
        set(n, k, guess.tree().model.nodes()[i].state.q[k]);
    }
  } else {
    const std::vector<TreeNode>& nodes = system.tree->nodes();
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
      const Pose node_pose = compose(body_in_world(guess.tree(), b), invert(system.body_pose[b]));
      // walk from the last motion of the body to its first
      for (int i = system.body_node[b]; i >= 0; i = nodes[at(i)].parent) {
        const TreeNode& n = nodes[at(i)];
        if (n.motion.kind == MotionKind::translate) {
          set(n, 0, dot(n.motion.axis, node_pose.p));
        } else if (n.motion.kind == MotionKind::rotate) {
          JointGeometry geometry;
          geometry.axis = n.motion.axis;
          const TreeNode& second = nodes[at(n.parent)];
          geometry.side2 = second.motion.axis;
          geometry.side1 = nodes[at(second.parent)].motion.axis;
          set(n, 0, residual::angle_about_axis(geometry, {identity_pose(g), node_pose}));
        } else {
          const Quaternion e = quaternion_from_rotation(node_pose.R);
          for (std::size_t k = 0; k < 4; ++k) set(n, k, e[k]);
        }
      }
    }
  }
  // turn counts begin at the given angle
  system.memory_guess.assign(system.memory.size(), g.number(0));
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j)
    for (const JointCoordinate& c : system.joints[j].coordinates)
      if (c.memory >= 0)
        if (const std::vector<Expr> start = starts.find(static_cast<int>(j), c.row->name);
            !start.empty())
          system.memory_guess[at(c.memory)] = start[0];
}

}  // namespace mechfmu
