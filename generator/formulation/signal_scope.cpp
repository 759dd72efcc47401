#include "formulation/signal_scope.hpp"

#include "formulation/sensor_expressions.hpp"
#include "graph/program.hpp"
#include "support/assert.hpp"
#include "validation/sensors.hpp"

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Port make_port(const FrameFunctionValue& f, Effort effort) {
  return {f.value, f.rate, f.acceleration, std::move(effort)};
}

// Component of a sensor of a frame as a function of the generic frames (the world is the parent).
Expr frame_component(Graph& g, const std::string& quantity, std::size_t i) {
  const Pose frame = generic_frames(g).child;
  if (quantity == "position") return frame.p[i];
  if (quantity == "rpy") return rpy_from_rotation(frame.R)[i];
  MECHFMU_ASSERT(quantity == "quaternion", "no signal for the sensor '" + quantity + "'");
  return quaternion_from_rotation(frame.R)[i];
}

}  // namespace

Effort frames_effort(const FormulatedJoint& joint, const FrameFunctionValue& f) {
  return {{{joint.parent_node, joint.parent_in_node, f.wrench[0], false},
           {joint.child_node, joint.child_in_node, f.wrench[1], true}},
          {}};
}

Port joint_port(const Formulated& system, int joint, std::size_t coordinate) {
  const FormulatedJoint& j = system.joints[at(joint)];
  const JointCoordinate& c = j.coordinates[coordinate];
  Port port{c.value, c.rate, c.acceleration, {}};
  if (c.velocity >= 0)
    port.effort.coordinates.push_back({joint, coordinate, system.graph->number(1)});
  else
    port.effort = frames_effort(j, {c.value, c.rate, c.acceleration, c.wrench});
  return port;
}

Port frame_port(const Formulated& system, const Mechanism& mechanism, const FrameReference& frame,
                Expr function) {
  Graph& g = *system.graph;
  const FrameMotion world = system.tree->frame(-1, identity_pose(g));
  const FrameMotion motion = system.frame(mechanism, frame.body, frame.frame);
  const FrameFunctionValue f = apply_to_frames(g, {function}, world, motion)[0];
  return make_port(
      f, {{{system.node_of(frame.body), system.frame_in_node(mechanism, frame.body, frame.frame),
            f.wrench[1], true}},
          {}});
}

int SignalScope::add(Port port) {
  ports_.push_back(std::move(port));
  return static_cast<int>(ports_.size()) - 1;
}

int SignalScope::find_or_add(const std::string& key, const std::function<Port()>& make) {
  const auto it = known_.find(key);
  if (it != known_.end()) return it->second;
  return known_[key] = add(make());
}

Expr SignalScope::coordinate(int index, bool is_rate) {
  const int signal = find_or_add("#" + std::to_string(index), [&] {
    return Port{g_.symbol(runtime::kPosition, index),
                g_.symbol(runtime::kVelocity, index),
                g_.symbol(runtime::kAcceleration, index),
                {}};
  });
  return is_rate ? rate(signal) : value(signal);
}

// One component (0-based) of a sensor of position or velocity.
Expr SignalScope::sensor_signal(const std::string& owner, const Sensor& sensor, int component) {
  const std::string& quantity = sensor.quantity;
  if (sensor.owner == Sensor::Owner::joint) {
    const FormulatedJoint& joint = system_.joints[at(sensor.joint)];
    for (std::size_t k = 0; k < joint.coordinates.size(); ++k) {
      const Coordinate& row = *joint.coordinates[k].row;
      if (quantity != row.name && quantity != row.rate_name) continue;
      const int signal = find_or_add(owner + "." + std::string(row.name),
                                     [&] { return joint_port(system_, sensor.joint, k); });
      return quantity == row.name ? value(signal) : rate(signal);
    }
    // angular velocity of the child relative to the parent, in parent axes
    MECHFMU_ASSERT(quantity == "angular_velocity", "no signal for the sensor '" + quantity + "'");
    return rate(find_or_add(owner + ".w" + std::to_string(component), [&] {
      const MotionPair f = generic_motions(g_);
      const Vec3 w = transposed_product(f.parent.pose.R, f.child.pose.R * f.child.w) - f.parent.w;
      const FrameFunctionValue row =
          apply_rates_to_frames(g_, {w[at(component)]}, joint.parent, joint.child)[0];
      return make_port(row, frames_effort(joint, row));
    }));
  }
  const FrameReference frame{{}, sensor.body, sensor.frame};
  const std::string part = std::to_string(component);
  if (quantity == "angular_velocity")
    return rate(find_or_add(owner + ".w" + part, [&] {
      const FrameMotion world = system_.tree->frame(-1, identity_pose(g_));
      const MotionPair f = generic_motions(g_);
      const Vec3 w = f.child.pose.R * f.child.w;
      const FrameFunctionValue row = apply_rates_to_frames(
          g_, {w[at(component)]}, world, system_.frame(mechanism_, sensor.body, sensor.frame))[0];
      return make_port(row, {{{system_.node_of(sensor.body),
                               system_.frame_in_node(mechanism_, sensor.body, sensor.frame),
                               row.wrench[1], true}},
                             {}});
    }));
  const bool is_rate = quantity == "velocity";
  const std::string stem = is_rate ? "position" : quantity;
  const int signal = find_or_add(owner + "." + stem + part, [&] {
    return frame_port(system_, mechanism_, frame, frame_component(g_, stem, at(component)));
  });
  return is_rate ? rate(signal) : value(signal);
}

std::vector<Expr> SignalScope::meaning(const std::string& name) {
  if (name == "time") return {time_symbol(g_)};
  if (auto parameter = system_.parameters_only(mechanism_)(name)) return *parameter;
  for (std::size_t i = 0; i < mechanism_.inputs.size(); ++i)
    if (mechanism_.inputs[i].name.text == name) {
      system_.followed_inputs.insert(static_cast<int>(i));
      return {g_.symbol(runtime::kReference, 3 * static_cast<int>(i))};
    }
  if (mechanism_.equations) {
    const bool is_rate = name.starts_with("der(");
    const int index = mechanism_.equations->find(is_rate ? name.substr(4, name.size() - 5) : name);
    MECHFMU_ASSERT(index >= 0, "validation let the unknown name '" + name + "' pass");
    return {coordinate(index, is_rate)};
  }
  const std::optional<Sensor> sensor = find_sensor(mechanism_, name);
  MECHFMU_ASSERT(sensor.has_value(), "validation let the unknown name '" + name + "' pass");
  // "coupler.tip.velocity[1]" -> "coupler.tip"
  const std::string stem = name.substr(0, name.find('['));
  const std::string owner = stem.substr(0, stem.rfind('.'));
  if (sensor->size == 1) return {sensor_signal(owner, *sensor, 0)};
  if (sensor->component > 0) return {sensor_signal(owner, *sensor, sensor->component - 1)};
  std::vector<Expr> all;
  for (int i = 0; i < sensor->size; ++i) all.push_back(sensor_signal(owner, *sensor, i));
  return all;
}

Expr SignalScope::resolve(const Expression& expression) {
  return mechfmu::resolve(
      g_, expression, system_.tables,
      [&](const std::string& name) -> std::optional<std::vector<Expr>> { return meaning(name); });
}

ConstraintRow SignalScope::derive(Expr function, runtime::RowLevel level) {
  Direction along(g_);
  Substitution put_in(g_);
  for (std::size_t k = 0; k < ports_.size(); ++k) {
    const int first = 3 * static_cast<int>(k);
    const Expr s = g_.symbol(kGenericSignal, first), s_dot = g_.symbol(kGenericSignal, first + 1),
               s_ddot = g_.symbol(kGenericSignal, first + 2);
    along.seed(s, s_dot);
    along.seed(s_dot, s_ddot);
    put_in.replace(s, ports_[k].value);
    put_in.replace(s_dot, ports_[k].rate);
    put_in.replace(s_ddot, ports_[k].acceleration);
  }
  along.seed(time_symbol(g_), g_.number(1));
  for (std::size_t i = 0; i < mechanism_.inputs.size(); ++i) {
    const int first = 3 * static_cast<int>(i);
    along.seed(g_.symbol(runtime::kReference, first), g_.symbol(runtime::kReference, first + 1));
    along.seed(g_.symbol(runtime::kReference, first + 1),
               g_.symbol(runtime::kReference, first + 2));
  }
  const bool positions = level == runtime::RowLevel::position;
  const Expr function_rate = positions ? along.derivative(function) : function;
  ConstraintRow row;
  row.level = level;
  row.value = positions ? put_in.apply(function) : g_.number(0);
  row.rate = put_in.apply(function_rate);
  row.acceleration = put_in.apply(along.derivative(function_rate));
  for (std::size_t k = 0; k < ports_.size(); ++k) {
    Direction push(g_);
    push.seed(g_.symbol(kGenericSignal, 3 * static_cast<int>(k) + 1), g_.number(1));
    const Expr gain = put_in.apply(push.derivative(function_rate));
    row.gains.push_back(gain);
    if (!gain.is_zero()) mechfmu::add(row.effort, ports_[k].effort, gain);
  }
  return row;
}

}  // namespace mechfmu
