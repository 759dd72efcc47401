#include "formulation/force_law.hpp"

#include <string>

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
  return resolve(graph(), force_.arguments[name].values[0], signals_);
}

Vec3 ForceContext::vector(std::string_view name) const {
  const std::vector<Expression>& v = force_.arguments[name].values;
  return {{resolve(graph(), v[0], signals_), resolve(graph(), v[1], signals_),
           resolve(graph(), v[2], signals_)}};
}

std::string_view ForceContext::choice(std::string_view name) const {
  return force_.arguments[name].text;
}

FrameMotion ForceContext::frame(std::string_view name) const {
  const FrameReference& f = force_.arguments[name].frame;
  return system_.frame(mechanism_, f.body, f.frame);
}

FormulatedJoint& ForceContext::joint() const {
  return system_.joints[static_cast<std::size_t>(force_.arguments["joint"].joint)];
}

JointCoordinate& ForceContext::coordinate() const {
  std::vector<JointCoordinate>& all = joint().coordinates;
  const Argument* wanted = force_.arguments.find("coordinate");
  for (JointCoordinate& c : all)
    if (wanted == nullptr || c.row->name == wanted->text) return c;
  fail_assertion(__FILE__, __LINE__, "validation let a coordinate pass that the joint has not");
}

void ForceContext::add_load(int node, const Pose& in_node, const Vec3& force_W,
                            const Vec3& torque_frame) {
  if (node < 0) return;  // the ground needs no equation
  Load& load = system_.loads[static_cast<std::size_t>(node)];
  const Mat3& R_WC = system_.tree->nodes()[static_cast<std::size_t>(node)].pose_W.R;
  load.force_W = load.force_W + force_W;
  load.torque =
      load.torque + in_node.R * torque_frame + cross(in_node.p, transposed_product(R_WC, force_W));
}

void ForceContext::push(std::string_view name, const Vec3& force_W) {
  const FrameReference& f = force_.arguments[name].frame;
  add_load(system_.node_of(f.body), system_.frame_in_node(mechanism_, f.body, f.frame), force_W,
           zero_vector(graph()));
}

void ForceContext::turn(std::string_view name, const Vec3& torque_W) {
  const FrameReference& f = force_.arguments[name].frame;
  const FrameMotion motion = system_.frame(mechanism_, f.body, f.frame);
  add_load(system_.node_of(f.body), system_.frame_in_node(mechanism_, f.body, f.frame),
           zero_vector(graph()), transposed_product(motion.pose.R, torque_W));
}

void ForceContext::drive(Expr value) {
  JointCoordinate& c = coordinate();
  if (c.velocity >= 0) {
    c.applied = c.applied + value;
    return;
  }
  const FormulatedJoint& j = joint();
  add_load(j.parent_node, j.parent_in_node, value * c.wrench[0].force, value * c.wrench[0].torque);
  add_load(j.child_node, j.child_in_node, value * c.wrench[1].force, value * c.wrench[1].torque);
}

void ForceContext::store_energy(Expr potential) {
  system_.potential_energy = system_.potential_energy + potential;
}

}  // namespace mechfmu
