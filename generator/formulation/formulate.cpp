#include <algorithm>
#include <functional>
#include <numeric>

#include "formulation/force_law.hpp"
#include "formulation/formulated.hpp"
#include "formulation/reactions.hpp"
#include "formulation/sensor_expressions.hpp"
#include "formulation/signal_rows.hpp"
#include "formulation/signal_scope.hpp"
#include "formulation/starts.hpp"
#include "formulation/tree_builder.hpp"

namespace mechfmu {

namespace {

constexpr double kTwoPi = 6.28318530717958647692;
constexpr double kMostMassEntries = 600;  // a chain of 34 hinges; above, articulated bodies win

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class Builder {
 public:
  Builder(const Mechanism& mechanism, const SpanningTree& tree, FormulationKind kind, bool entries)
      : mechanism_(mechanism),
        tree_(tree),
        entries_(entries),
        system_(std::make_unique<Formulated>()),
        g_(*system_->graph) {
    system_->kind = kind;
    system_->drive_row.assign(mechanism.drives.size(), -1);
    system_->constraint_row.assign(mechanism.constraints.size(), -1);
  }

  std::unique_ptr<Formulated> build() {
    add_parameters(*system_, mechanism_);
    if (system_->kind == FormulationKind::joint)
      hang_on_joints();
    else
      hang_on_ground();
    place_masses();
    place_joints();
    add_start_conditions(*system_, mechanism_, tree_);
    apply_forces();
    close_loops();
    add_expression_constraints(*system_, mechanism_);
    add_drives(*system_, mechanism_);
    write_equations();
    finish_rows(*system_);
    add_reactions(*system_, mechanism_, tree_);
    return std::move(system_);
  }

 private:
  // Takes the next coordinates for a motion; returns where its velocities begin.
  int add_coordinates(const Motion& motion, const std::string& name) {
    Formulated& s = *system_;
    const int first = s.nv;
    switch (motion.kind) {
      case MotionKind::weld:
        break;
      case MotionKind::ball:
        s.quaternions.emplace_back(s.nq, s.nv);
        for (int i = 0; i < 3; ++i) {
          s.position_of_velocity.push_back(-1);
          s.coordinate_names.push_back(name);
        }
        s.nq += 4;
        s.nv += 3;
        break;
      default:
        s.position_of_velocity.push_back(s.nq);
        s.coordinate_names.push_back(name);
        s.nq += 1;
        s.nv += 1;
    }
    return first;
  }

  [[nodiscard]] MotionState symbols(const Motion& motion, int first_velocity) const {
    MotionState state;
    if (motion.kind == MotionKind::weld) return state;
    const int rates = motion.kind == MotionKind::ball ? 3 : 1;
    int q = -1;
    for (const auto& [position, velocity] : system_->quaternions)
      if (velocity == first_velocity) q = position;
    if (motion.kind != MotionKind::ball) q = system_->position_of_velocity[at(first_velocity)];
    for (int i = 0; i < (rates == 3 ? 4 : 1); ++i)
      state.q.push_back(g_.symbol(runtime::kPosition, q + i));
    for (int i = 0; i < rates; ++i) {
      state.v.push_back(g_.symbol(runtime::kVelocity, first_velocity + i));
      state.a.push_back(g_.symbol(runtime::kAcceleration, first_velocity + i));
    }
    return state;
  }

  void take(BuiltTree&& built) {
    system_->tree = std::make_unique<TreeModel>(std::move(built.model));
    system_->body_node = std::move(built.body_node);
    system_->body_pose = std::move(built.body_pose);
  }

  void hang_on_joints() {
    // coordinates in the order of the joint's motions, joints in the order of the tree
    std::vector<std::vector<int>> first(tree_.edges.size());
    const auto index_of = [&](const TreeEdge& edge) {
      return static_cast<std::size_t>(&edge - tree_.edges.data());
    };
    for (const TreeEdge& edge : tree_.edges) {
      const std::vector<Motion> motions = motions_of(*system_, mechanism_, edge.joint);
      for (std::size_t k = 0; k < motions.size(); ++k)
        first[index_of(edge)].push_back(add_coordinates(motions[k], coordinate_name(edge, k)));
    }
    BuiltTree built = build_tree(
        *system_, mechanism_, tree_,
        [&](const TreeEdge& edge, int k, const Motion& motion, const Pose&) {
          return symbols(motion, first[index_of(edge)][at(k)]);
        },
        [&](const TreeEdge& edge, int k) { return first[index_of(edge)][at(k)]; });
    motion_nodes_ = built.motion_nodes;
    take(std::move(built));
  }

  [[nodiscard]] std::string coordinate_name(const TreeEdge& edge, std::size_t k) const {
    if (edge.joint < 0) return mechanism_.bodies[at(edge.outboard)].name.text;
    const Joint& joint = mechanism_.joints[at(edge.joint)];
    if (k >= joint.type->coordinates.size()) return joint.name.text;
    return joint.name.text + "." + std::string(joint.type->coordinates[k].name);
  }

  // Every body on the ground, by a planar joint or by a free one, at its centre of mass.
  void hang_on_ground() {
    Formulated& s = *system_;
    s.tree = std::make_unique<TreeModel>(g_);
    const NameMeaning meaning = s.parameters_only(mechanism_);
    const std::vector<GroundPlace> places = calc_ground_places(s, mechanism_, tree_);
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
      const GroundPlace& place = places[b];
      int node = -1;
      Pose before = place.before;
      for (const Motion& motion : place.motions) {
        const int first = add_coordinates(motion, mechanism_.bodies[b].name.text);
        node = s.tree->add(node, before, motion, symbols(motion, first), first);
        before = identity_pose(g_);
      }
      s.body_node.push_back(node);
      s.body_pose.push_back(place.body_in_node);
    }
    motion_nodes_.resize(mechanism_.joints.size());
  }

  void place_masses() {
    Formulated& s = *system_;
    const NameMeaning meaning = s.parameters_only(mechanism_);
    s.node_mass.assign(s.tree->nodes().size(), no_mass(g_));
    s.loads.assign(s.tree->nodes().size(), Load{zero_vector(g_), zero_vector(g_)});
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
      MassProperties& mass = s.node_mass[at(s.body_node[b])];
      mass = mass + calc_mass_properties(g_, mechanism_.bodies[b], s.body_pose[b], meaning);
    }
    s.potential_energy = g_.number(0);
    for (std::size_t i = 0; i < s.tree->nodes().size(); ++i) {
      const TreeNode& n = s.tree->nodes()[i];
      s.potential_energy = s.potential_energy - s.node_mass[i].mass * dot(s.gravity, n.pose_W.p) -
                           dot(s.gravity, n.pose_W.R * s.node_mass[i].moment);
    }
    s.kinetic_energy = calc_kinetic_energy(*s.tree, s.node_mass);
  }

  [[nodiscard]] Pose in_node(int body, const Pose& in_body) const {
    return body == kGround ? in_body : compose(system_->body_pose[at(body)], in_body);
  }

  void place_joints() {
    Formulated& s = *system_;
    for (int j = 0; j < static_cast<int>(mechanism_.joints.size()); ++j) {
      const Joint& joint = mechanism_.joints[at(j)];
      FormulatedJoint f;
      f.in_tree = s.kind == FormulationKind::joint && tree_.carries(j);
      f.motion_nodes = motion_nodes_[at(j)];
      for (const TreeEdge& edge : tree_.edges)
        if (edge.joint == j) f.reversed = edge.reversed;
      f.equations = 6 - joint.type->freedom;
      if (!joint.connects_frames()) {
        s.joints.push_back(std::move(f));
        continue;
      }
      f.parent_node = s.node_of(joint.parent.body);
      f.child_node = s.node_of(joint.child.body);
      f.parent_in_node = in_node(joint.parent.body, parent_frame_in_body(s, mechanism_, j));
      f.child_in_node = in_node(joint.child.body, child_frame_in_body(s, mechanism_, j));
      f.parent = s.tree->frame(f.parent_node, f.parent_in_node);
      f.child = s.tree->frame(f.child_node, f.child_in_node);
      add_joint_coordinates(j, f);
      s.joints.push_back(std::move(f));
    }
  }

  void add_joint_coordinates(int j, FormulatedJoint& f) {
    Formulated& s = *system_;
    const Joint& joint = mechanism_.joints[at(j)];
    const JointPhysics& physics = find_joint_physics(joint.type->id);
    const JointGeometry geometry = make_joint_setting(s, mechanism_, j).geometry;
    std::vector<FrameFunctionValue> measured;
    if (!f.in_tree)
      measured =
          apply_to_frames(g_, physics.coordinates(geometry, generic_frames(g_)), f.parent, f.child);
    for (std::size_t k = 0; k < joint.type->coordinates.size(); ++k) {
      JointCoordinate c;
      c.row = &joint.type->coordinates[k];
      c.turns = c.row->unit == "rad";
      c.applied = g_.number(0);
      c.gain = g_.number(1);
      if (f.in_tree) {
        // a screw has two coordinates and one motion
        const TreeNode& n =
            s.tree->nodes()[at(f.motion_nodes[std::min(k, f.motion_nodes.size() - 1)])];
        if (k > 0 && n.motion.is_screw()) c.gain = n.motion.pitch;
        c.value = c.gain * n.state.q[0];
        c.rate = c.gain * n.state.v[0];
        c.acceleration = c.gain * n.state.a[0];
        c.velocity = n.first_velocity;
      } else {
        c.value = measured[k].value;
        c.rate = measured[k].rate;
        c.acceleration = measured[k].acceleration;
        c.wrench = measured[k].wrench;
        if (c.turns && !c.value.is_constant()) c.value = count_turns(c.value, c.memory);
      }
      f.coordinates.push_back(c);
    }
  }

  // The angle nearest to where it was at the last step: continuous over any number of turns.
  Expr count_turns(Expr principal, int& index) {
    index = static_cast<int>(system_->memory.size());
    const Expr before = g_.symbol(runtime::kMemory, index);
    const Expr value = principal + kTwoPi * round((before - principal) / kTwoPi);
    system_->memory.push_back(value);
    return value;
  }

  void apply_forces() {
    const NameMeaning signals = make_meaning(*system_, mechanism_);
    for (const Force& force : mechanism_.forces) {
      ForceContext context(*system_, mechanism_, force, signals);
      find_force_law(force.type->id).apply(context);
    }
  }

  void close_loops() {
    Formulated& s = *system_;
    for (int j = 0; j < static_cast<int>(mechanism_.joints.size()); ++j) {
      const FormulatedJoint& f = s.joints[at(j)];
      if (f.in_tree) continue;
      const Joint& joint = mechanism_.joints[at(j)];
      const JointPhysics& physics = find_joint_physics(joint.type->id);
      const JointGeometry geometry = make_joint_setting(s, mechanism_, j).geometry;
      if (joint.connects_frames()) add_frame_rows(j, physics, geometry);
      if (physics.coupling != nullptr) add_coupling(s, mechanism_, j, physics, geometry);
    }
  }

  void add_frame_rows(int j, const JointPhysics& physics, const JointGeometry& geometry) {
    Formulated& s = *system_;
    const FormulatedJoint& f = s.joints[at(j)];
    const auto file = [&](const std::vector<FrameFunctionValue>& functions,
                          runtime::RowLevel level) {
      for (const FrameFunctionValue& row : functions)
        add_row(s, {RowOwner::Kind::joint, j},
                {{}, level, row.value, row.rate, row.acceleration, frames_effort(f, row), {}});
    };
    file(apply_to_frames(g_, physics.residuals(geometry, generic_frames(g_)), f.parent, f.child),
         runtime::RowLevel::position);
    if (physics.rate_residuals != nullptr)
      file(apply_rates_to_frames(g_, physics.rate_residuals(geometry, generic_motions(g_)),
                                 f.parent, f.child),
           runtime::RowLevel::velocity);
  }

  void write_equations() {
    Formulated& s = *system_;
    Substitution at_rest(g_);  // no accelerations
    for (int i = 0; i < s.nv; ++i)
      at_rest.replace(g_.symbol(runtime::kAcceleration, i), g_.number(0));
    const InverseDynamics needed =
        calc_inverse_dynamics(*s.tree, s.node_mass, s.loads, s.gravity, s.nv);
    for (int i = 0; i < s.nv; ++i) s.force.push_back(-at_rest.apply(needed.generalised[at(i)]));
    for (const FormulatedJoint& joint : s.joints)
      for (const JointCoordinate& c : joint.coordinates)
        if (c.velocity >= 0) s.force[at(c.velocity)] = s.force[at(c.velocity)] + c.gain * c.applied;
    s.has_mass_entries = entries_ || count_mass_entries(*s.tree) <= kMostMassEntries;
    if (s.has_mass_entries)
      s.mass = calc_mass_matrix(*s.tree, s.node_mass);
    else
      add_mass_products();
  }

  // M a: what moving from rest takes, without loads.
  void add_mass_products() {
    Formulated& s = *system_;
    Substitution at_rest(g_);
    for (int i = 0; i < s.nv; ++i) at_rest.replace(g_.symbol(runtime::kVelocity, i), g_.number(0));
    const std::vector<Load> none(s.loads.size(), Load{zero_vector(g_), zero_vector(g_)});
    for (const Expr& effort :
         calc_inverse_dynamics(*s.tree, s.node_mass, none, zero_vector(g_), s.nv).generalised)
      s.mass_times_acceleration.push_back(at_rest.apply(effort));
  }

  const Mechanism& mechanism_;
  const SpanningTree& tree_;
  bool entries_;
  std::unique_ptr<Formulated> system_;
  Graph& g_;
  std::vector<std::vector<int>> motion_nodes_;
};

}  // namespace

Pose Formulated::frame_in_node(const Mechanism& mechanism, int body, int frame) const {
  const Pose in_body = pose_in_body(*this, mechanism, body, frame);
  return body == kGround ? in_body : compose(body_pose[at(body)], in_body);
}

FrameMotion Formulated::frame(const Mechanism& mechanism, int body, int frame) const {
  return tree->frame(node_of(body), frame_in_node(mechanism, body, frame));
}

namespace {

// Velocities on one branch are coupled through M.
template <class Join>
void join_tree(const Formulated& s, Join join) {
  const std::vector<TreeNode>& nodes = s.tree->nodes();
  std::vector<int> last(nodes.size(), -1);  // velocity at or before a node
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const TreeNode& n = nodes[i];
    last[i] = n.parent < 0 ? -1 : last[at(n.parent)];
    for (std::size_t k = 0; k < n.state.v.size(); ++k) {
      const int velocity = n.first_velocity + static_cast<int>(k);
      if (last[i] >= 0) join(velocity, last[i]);
      last[i] = velocity;
    }
  }
}

// Coordinates and rows that influence each other get one number; rows are sorted by it.
void group_rows(Formulated& s) {
  const int rows = static_cast<int>(s.rows.size());
  std::vector<int> leader(at(s.nv + rows));
  std::iota(leader.begin(), leader.end(), 0);
  const std::function<int(int)> find = [&](int i) {
    return leader[at(i)] == i ? i : leader[at(i)] = find(leader[at(i)]);
  };
  const auto join = [&](int i, int k) { leader[at(find(i))] = find(k); };
  for (const SparseEntry& e : s.mass) join(e.row, e.column);
  if (!s.has_mass_entries) join_tree(s, join);
  for (const SparseEntry& e : s.jacobian) join(s.nv + e.row, e.column);

  std::vector<int> order(at(rows));
  std::iota(order.begin(), order.end(), 0);
  std::vector<int> first_row(at(s.nv + rows), rows);
  for (int r = 0; r < rows; ++r)
    first_row[at(find(s.nv + r))] = std::min(first_row[at(find(s.nv + r))], r);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return first_row[at(find(s.nv + a))] < first_row[at(find(s.nv + b))];
  });
  std::vector<int> place(at(rows));
  std::vector<ConstraintRow> sorted;
  std::vector<Expr> gamma;
  for (int k = 0; k < rows; ++k) {
    place[at(order[at(k)])] = k;
    sorted.push_back(s.rows[at(order[at(k)])]);
    gamma.push_back(s.gamma[at(order[at(k)])]);
    s.row_component.push_back(find(s.nv + order[at(k)]));
  }
  s.rows = std::move(sorted);
  s.gamma = std::move(gamma);
  for (SparseEntry& e : s.jacobian) e.row = place[at(e.row)];
  std::sort(s.jacobian.begin(), s.jacobian.end(), [](const SparseEntry& a, const SparseEntry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  for (int i = 0; i < s.nv; ++i) s.component.push_back(find(i));
}

}  // namespace

void finish_rows(Formulated& s) {
  Graph& g = *s.graph;
  std::vector<Expr> v, rates;
  Substitution at_rest(g);  // no accelerations
  for (int i = 0; i < s.nv; ++i) {
    v.push_back(g.symbol(runtime::kVelocity, i));
    at_rest.replace(g.symbol(runtime::kAcceleration, i), g.number(0));
  }
  for (const ConstraintRow& row : s.rows) {
    rates.push_back(row.rate);
    s.gamma.push_back(at_rest.apply(row.acceleration));
  }
  s.jacobian = jacobian(g, rates, v);
  group_rows(s);
  for (std::size_t r = 0; r < s.rows.size(); ++r) {
    const RowOwner& owner = s.rows[r].owner;
    const int row = static_cast<int>(r);
    if (owner.kind == RowOwner::Kind::joint) s.joints[at(owner.index)].rows.push_back(row);
    if (owner.kind == RowOwner::Kind::drive) s.drive_row[at(owner.index)] = row;
    if (owner.kind == RowOwner::Kind::constraint) s.constraint_row[at(owner.index)] = row;
  }
}

const std::string& owner_name(const Mechanism& mechanism, const RowOwner& owner) {
  switch (owner.kind) {
    case RowOwner::Kind::joint:
      return mechanism.joints[at(owner.index)].name.text;
    case RowOwner::Kind::drive:
      return mechanism.drives[at(owner.index)].name.text;
    case RowOwner::Kind::constraint:
      break;
  }
  return mechanism.constraints[at(owner.index)].name.text;
}

std::string owner_label(const Mechanism& mechanism, const RowOwner& owner) {
  const char* const kind = owner.kind == RowOwner::Kind::joint   ? "joint"
                           : owner.kind == RowOwner::Kind::drive ? "drive"
                                                                 : "constraint";
  return std::string(kind) + " '" + owner_name(mechanism, owner) + "'";
}

std::unique_ptr<Formulated> formulate(const Mechanism& mechanism, const SpanningTree& tree,
                                      FormulationKind kind, bool entries) {
  return Builder(mechanism, tree, kind, entries).build();
}

}  // namespace mechfmu
