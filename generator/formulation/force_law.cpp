#include "formulation/force_law.hpp"

#include <string>

#include "formulation/signal_rows.hpp"
#include "formulation/signal_scope.hpp"
#include "support/assert.hpp"

namespace mechfmu {

#define FORCE(id, ...) extern const ForceLaw force_##id;
#include "formulation/forces.def"
#undef FORCE

const ForceLaw& find_force_law(std::string_view id) {
  static const ForceLaw* const kLaws[] = {
#define FORCE(id, ...) &force_##id,
#include "formulation/forces.def"
#undef FORCE
  };
  for (const ForceLaw* law : kLaws)
    if (law->id == id) return *law;
  fail_assertion(__FILE__, __LINE__, "no law for force type '" + std::string(id) + "'");
}

ForceContext::ForceContext(Formulated& system, const Mechanism& mechanism, const Force& force,
                           const NameMeaning& signals)
    : system_(system), mechanism_(mechanism), force_(force), signals_(signals) {}

Expr ForceContext::scalar(std::string_view name) const {
  return resolve(graph(), force_.arguments[name].values[0], system_.tables, signals_);
}

Vec3 ForceContext::vector(std::string_view name) const {
  const std::vector<Expression>& v = force_.arguments[name].values;
  return {{resolve(graph(), v[0], system_.tables, signals_),
           resolve(graph(), v[1], system_.tables, signals_),
           resolve(graph(), v[2], system_.tables, signals_)}};
}

std::string_view ForceContext::choice(std::string_view name) const {
  return force_.arguments[name].text;
}

FrameMotion ForceContext::frame(std::string_view name) const {
  const FrameReference& f = force_.arguments[name].frame;
  return system_.frame(mechanism_, f.body, f.frame);
}

std::size_t ForceContext::coordinate_index() const {
  const int joint = force_.arguments["joint"].joint;
  return find_coordinate(mechanism_.joints[static_cast<std::size_t>(joint)],
                         force_.arguments.find("coordinate"));
}

const JointCoordinate& ForceContext::coordinate() const {
  const auto joint = static_cast<std::size_t>(force_.arguments["joint"].joint);
  return system_.joints[joint].coordinates[coordinate_index()];
}

FrameAction ForceContext::act_on(std::string_view name, const Vec3& force_W,
                                 const Vec3& torque) const {
  const FrameReference& f = force_.arguments[name].frame;
  return {system_.node_of(f.body),
          system_.frame_in_node(mechanism_, f.body, f.frame),
          {force_W, torque},
          false};
}

void ForceContext::push(std::string_view name, const Vec3& force_W) {
  exert(system_, {{act_on(name, force_W, zero_vector(graph()))}, {}}, graph().number(1));
}

void ForceContext::turn(std::string_view name, const Vec3& torque_W) {
  const Vec3 torque = transposed_product(frame(name).pose.R, torque_W);
  exert(system_, {{act_on(name, zero_vector(graph()), torque)}, {}}, graph().number(1));
}

void ForceContext::drive(Expr value) {
  const int joint = force_.arguments["joint"].joint;
  exert(system_, joint_port(system_, joint, coordinate_index()).effort, value);
}

std::vector<FrameFunctionValue> ForceContext::measure(const std::vector<Expr>& functions) const {
  return apply_to_frames(graph(), functions, frame("from"), frame("to"));
}

void ForceContext::push_along(const FrameFunctionValue& f, Expr force) {
  exert(system_,
        {{act_on("from", f.wrench[0].force, f.wrench[0].torque),
          act_on("to", f.wrench[1].force, f.wrench[1].torque)},
         {}},
        force);
}

void ForceContext::act_by_potential(std::string_view name) {
  SignalScope scope(system_, mechanism_);
  const Expr potential = scope.resolve(force_.arguments[name].values[0]);
  const ConstraintRow row = scope.derive(potential, runtime::RowLevel::position);
  exert(system_, row.effort, graph().number(-1));
  store_energy(row.value);
}

void ForceContext::store_energy(Expr potential) {
  system_.potential_energy = system_.potential_energy + potential;
}

}  // namespace mechfmu
