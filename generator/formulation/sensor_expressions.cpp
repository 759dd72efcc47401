#include "formulation/sensor_expressions.hpp"

#include "support/assert.hpp"

namespace mechfmu {

namespace {

std::vector<Expr> list(const Vec3& v) { return {v[0], v[1], v[2]}; }

std::vector<Expr> joint_sensor(const Formulated& system, const Sensor& sensor) {
  const FormulatedJoint& joint = system.joints[static_cast<std::size_t>(sensor.joint)];
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
    const Expr x = name == "constraint.residual"            ? row.f.value
                   : name == "constraint.residual_velocity" ? row.f.rate
                                                            : row.f.acceleration;
    sum = sum + x * x;
  }
  return {sqrt(sum)};
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
      all = joint_sensor(system, sensor);
      break;
    case Sensor::Owner::frame:
      all = frame_sensor(system, mechanism, sensor);
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
    if (name == "time") return std::vector<Expr>{time_symbol(*system.graph)};
    if (auto parameter = system.parameters_only(mechanism)(name)) return parameter;
    for (std::size_t i = 0; i < mechanism.inputs.size(); ++i)
      if (mechanism.inputs[i].name.text == name) return std::vector<Expr>{system.input_symbols[i]};
    if (const std::optional<Sensor> sensor = find_sensor(mechanism, name))
      return sensor_expression(system, mechanism, *sensor);
    return std::nullopt;
  };
}

}  // namespace mechfmu
