#include "formulation/signal_rows.hpp"

#include "formulation/signal_scope.hpp"
#include "graph/program.hpp"
#include "support/assert.hpp"

namespace mechfmu {

namespace {

using runtime::RowLevel;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// What joint1 and joint2 (or rack and pinion) name, in the order of the table.
std::vector<int> coupled_signals(SignalScope& scope, const Formulated& system,
                                 const Mechanism& mechanism, const Joint& joint) {
  std::vector<int> signals;
  for (const Argument& argument : joint.arguments.list) {
    if (argument.attribute->kind != AttributeKind::joint) continue;
    const Argument* coordinate =
        joint.arguments.find(signals.empty() ? "coordinate1" : "coordinate2");
    const std::size_t k = find_coordinate(mechanism.joints[at(argument.joint)], coordinate);
    signals.push_back(scope.add(joint_port(system, argument.joint, k)));
  }
  return signals;
}

}  // namespace

std::size_t find_coordinate(const Joint& joint, const Argument* coordinate) {
  for (std::size_t k = 0; k < joint.type->coordinates.size(); ++k)
    if (coordinate == nullptr || joint.type->coordinates[k].name == coordinate->text) return k;
  fail_assertion(__FILE__, __LINE__, "validation let a coordinate pass that the joint has not");
}

void add_row(Formulated& system, const RowOwner& owner, ConstraintRow row) {
  row.owner = owner;
  const Graph& g = *system.graph;
  if (depends_on(g, row.rate, runtime::kVelocity)) {
    system.rows.push_back(std::move(row));
    return;
  }
  const bool varies =
      depends_on(g, row.acceleration, runtime::kTime) || depends_on(g, row.value, runtime::kTime) ||
      depends_on(g, row.rate, runtime::kReference) || depends_on(g, row.value, runtime::kReference);
  if (varies || row.level != RowLevel::position)
    system.immovable.push_back(owner);
  else if (!row.value.is_zero())
    system.checks.emplace_back(owner, row.value);
}

void add_coupling(Formulated& system, const Mechanism& mechanism, int joint,
                  const JointPhysics& physics, const JointGeometry& geometry) {
  SignalScope scope(system, mechanism);
  const Joint& j = mechanism.joints[at(joint)];
  std::vector<int> signals;
  if (j.connects_frames())
    for (const std::size_t k : {0, 1}) signals.push_back(scope.add(joint_port(system, joint, k)));
  else
    signals = coupled_signals(scope, system, mechanism, j);
  const Expr function =
      physics.coupling(geometry, scope.value(signals[0]), scope.value(signals[1]));
  ConstraintRow row = scope.derive(function, RowLevel::position);
  system.joints[at(joint)].coupling_gains = row.gains;
  add_row(system, {RowOwner::Kind::joint, joint}, std::move(row));
}

void add_expression_constraints(Formulated& system, const Mechanism& mechanism) {
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    const ExpressionConstraint& constraint = mechanism.constraints[i];
    SignalScope scope(system, mechanism);
    const Expr function = scope.resolve(constraint.value);
    add_row(system, {RowOwner::Kind::constraint, static_cast<int>(i)},
            scope.derive(function, constraint.holonomic ? RowLevel::position : RowLevel::velocity));
  }
}

void add_drives(Formulated& system, const Mechanism& mechanism) {
  Graph& g = *system.graph;
  for (std::size_t i = 0; i < mechanism.drives.size(); ++i) {
    const Arguments& arguments = mechanism.drives[i].arguments;
    SignalScope scope(system, mechanism);
    Port port;
    if (const Argument* joint = arguments.find("joint")) {
      const Joint& driven = mechanism.joints[at(joint->joint)];
      port =
          joint_port(system, joint->joint, find_coordinate(driven, arguments.find("coordinate")));
    } else {
      Vec3 axis;
      const std::vector<Expression>& v = arguments["axis"].values;
      for (std::size_t k = 0; k < 3; ++k)
        axis[k] = resolve(g, v[k], system.parameters_only(mechanism));
      const Expr along = dot(axis, generic_frames(g).child.p) / norm(axis);
      port = frame_port(system, mechanism, arguments["frame"].frame, along);
    }
    const RowOwner owner{RowOwner::Kind::drive, static_cast<int>(i)};
    if (const Argument* position = arguments.find("position")) {
      const int s = scope.add(port);
      add_row(
          system, owner,
          scope.derive(scope.value(s) - scope.resolve(position->values[0]), RowLevel::position));
    } else if (const Argument* velocity = arguments.find("velocity")) {
      const int s = scope.add(port);
      add_row(system, owner,
              scope.derive(scope.rate(s) - scope.resolve(velocity->values[0]), RowLevel::velocity));
    } else {
      // inputs as they are: an acceleration may jump
      ConstraintRow row;
      row.level = RowLevel::acceleration;
      row.value = g.number(0);
      row.rate = port.rate;
      row.acceleration =
          port.acceleration - resolve(g, arguments["acceleration"].values[0], system.tables,
                                      system.signals_of_time(mechanism));
      row.effort = port.effort;
      add_row(system, owner, std::move(row));
    }
  }
}

}  // namespace mechfmu
