#include "formulation/sensor_expressions.hpp"

#include <algorithm>

#include "formulation/signal_rows.hpp"
#include "support/assert.hpp"

namespace mechfmu {

namespace {

std::vector<Expr> list(const Vec3& v) { return {v[0], v[1], v[2]}; }

Expr drive_effort(const Formulated& system, int drive) {
  Graph& g = *system.graph;
  const int row = system.drive_row[static_cast<std::size_t>(drive)];
  return row < 0 ? g.number(0) : -g.symbol(runtime::kMultiplier, row);
}

// Sum over the drives of a joint that turn (or slide) it.
Expr joint_drive_effort(const Formulated& system, const Mechanism& mechanism, int joint,
                        bool turns) {
  Expr sum = system.graph->number(0);
  const Joint& driven = mechanism.joints[static_cast<std::size_t>(joint)];
  for (std::size_t i = 0; i < mechanism.drives.size(); ++i) {
    const Arguments& arguments = mechanism.drives[i].arguments;
    const Argument* target = arguments.find("joint");
    if (target == nullptr || target->joint != joint) continue;
    const std::size_t k = find_coordinate(driven, arguments.find("coordinate"));
    if ((driven.type->coordinates[k].unit == "rad") == turns)
      sum = sum + drive_effort(system, static_cast<int>(i));
  }
  return sum;
}

std::vector<Expr> joint_sensor(const Formulated& system, const Mechanism& mechanism,
                               const Sensor& sensor) {
  if (sensor.quantity == "drive_torque" || sensor.quantity == "drive_force")
    return {joint_drive_effort(system, mechanism, sensor.joint, sensor.quantity == "drive_torque")};
  const FormulatedJoint& joint = system.joints[static_cast<std::size_t>(sensor.joint)];
  Graph& g = *system.graph;
  if (sensor.quantity == "effort") {
    const Expr lambda =
        joint.rows.empty() ? g.number(0) : g.symbol(runtime::kMultiplier, joint.rows.front());
    return {-(lambda * joint.coupling_gains[0]), -(lambda * joint.coupling_gains[1])};
  }
  for (const JointCoordinate& c : joint.coordinates) {
    if (sensor.quantity == c.row->name) return {c.value};
    if (sensor.quantity == c.row->rate_name) return {c.rate};
    if (sensor.quantity == acceleration_name(c.row->rate_name)) return {c.acceleration};
  }
  if (sensor.quantity == "force") return list(joint.reaction[0]);
  if (sensor.quantity == "torque") return list(joint.reaction[1]);
  if (sensor.quantity == "angular_velocity")
    return list(transposed_product(joint.parent.pose.R, joint.child.pose.R * joint.child.w) -
                joint.parent.w);
  fail_assertion(__FILE__, __LINE__, "no law for the joint sensor '" + sensor.quantity + "'");
}

std::vector<Expr> frame_sensor(const Formulated& system, const Mechanism& mechanism,
                               const Sensor& sensor) {
  const FrameMotion f = system.frame(mechanism, sensor.body, sensor.frame);
  if (sensor.quantity == "position") return list(f.pose.p);
  if (sensor.quantity == "rpy") return list(rpy_from_rotation(f.pose.R));
  if (sensor.quantity == "quaternion") {
    const Quaternion e = quaternion_from_rotation(f.pose.R);
    return {e[0], e[1], e[2], e[3]};
  }
  if (sensor.quantity == "velocity") return list(f.v);
  if (sensor.quantity == "angular_velocity") return list(f.pose.R * f.w);
  if (sensor.quantity == "acceleration") return list(f.a);
  if (sensor.quantity == "angular_acceleration") return list(f.pose.R * f.alpha);
  fail_assertion(__FILE__, __LINE__, "no law for the frame sensor '" + sensor.quantity + "'");
}

std::vector<Expr> system_sensor(const Formulated& system, const Sensor& sensor) {
  Graph& g = *system.graph;
  const std::string& name = sensor.quantity;
  if (name == "energy.kinetic") return {system.kinetic_energy};
  if (name == "energy.potential") return {system.potential_energy};
  if (name == "energy.total") return {system.kinetic_energy + system.potential_energy};
  if (name == "solver.steps") return {g.symbol(runtime::kStatistics, runtime::kSteps)};
  if (name == "solver.evaluations") return {g.symbol(runtime::kStatistics, runtime::kEvaluations)};
  if (name == "solver.projections") return {g.symbol(runtime::kStatistics, runtime::kProjections)};
  if (name == "solver.rank_losses") return {g.symbol(runtime::kStatistics, runtime::kRankLosses)};
  Expr sum = g.number(0);
  for (const ConstraintRow& row : system.rows) {
    const bool has_rate = row.level != runtime::RowLevel::acceleration;
    const Expr x = name == "constraint.residual"            ? row.value
                   : name == "constraint.residual_velocity" ? (has_rate ? row.rate : g.number(0))
                                                            : row.acceleration;
    sum = sum + x * x;
  }
  return {sqrt(sum)};
}

// multiplier, residual, residual_velocity of a constraint by expression
std::vector<Expr> constraint_sensor(const Formulated& system, const Sensor& sensor) {
  Graph& g = *system.graph;
  const int index = system.constraint_row[static_cast<std::size_t>(sensor.index)];
  if (index < 0) return {g.number(0)};
  const ConstraintRow& row = system.rows[static_cast<std::size_t>(index)];
  if (sensor.quantity == "multiplier") return {g.symbol(runtime::kMultiplier, index)};
  return {sensor.quantity == "residual" && row.level == runtime::RowLevel::position ? row.value
                                                                                    : row.rate};
}

}  // namespace

std::string acceleration_name(std::string_view rate_name) {
  std::string name(rate_name);
  const std::size_t place = name.find("velocity");
  return name.replace(place, 8, "acceleration");
}

std::vector<Expr> sensor_expression(const Formulated& system, const Mechanism& mechanism,
                                    const Sensor& sensor) {
  std::vector<Expr> all;
  switch (sensor.owner) {
    case Sensor::Owner::joint:
      all = joint_sensor(system, mechanism, sensor);
      break;
    case Sensor::Owner::frame:
      all = frame_sensor(system, mechanism, sensor);
      break;
    case Sensor::Owner::drive:
      all = {drive_effort(system, sensor.index)};
      break;
    case Sensor::Owner::constraint:
      all = constraint_sensor(system, sensor);
      break;
    case Sensor::Owner::system:
      all = system_sensor(system, sensor);
      break;
  }
  if (sensor.component == 0) return all;
  return {all[static_cast<std::size_t>(sensor.component - 1)]};
}

NameMeaning make_meaning(const Formulated& system, const Mechanism& mechanism) {
  return [&system, &mechanism](const std::string& name) -> std::optional<std::vector<Expr>> {
    if (auto known = system.signals_of_time(mechanism)(name)) return known;
    if (mechanism.equations) {
      Graph& g = *system.graph;
      const auto ders = static_cast<std::size_t>(std::count(name.begin(), name.end(), '('));
      const int index = mechanism.equations->find(name.substr(4 * ders, name.size() - 5 * ders));
      const int arrays[] = {runtime::kPosition, runtime::kVelocity, runtime::kAcceleration};
      if (index >= 0 && ders < 3) return std::vector<Expr>{g.symbol(arrays[ders], index)};
    }
    if (const std::optional<Sensor> sensor = find_sensor(mechanism, name))
      return sensor_expression(system, mechanism, *sensor);
    return std::nullopt;
  };
}

}  // namespace mechfmu
