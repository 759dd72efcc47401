#include "mechanism/catalogue.hpp"

#include <algorithm>
#include <string>

#include "integrators/integrator.hpp"

namespace mechfmu {

namespace {
double count_choices(std::string_view choices) {
  return 1.0 + static_cast<double>(std::count(choices.begin(), choices.end(), '|'));
}
}  // namespace

#define ATTRIBUTES(...) \
  std::vector<Attribute> { __VA_ARGS__ }
#define START_VECTORS(...) \
  std::vector<Attribute> { __VA_ARGS__ }
#define COORDINATES(...) \
  std::vector<Coordinate> { __VA_ARGS__ }
#define ATTRIBUTE(name, kind, unit, fallback, choices, help) \
  Attribute{name, AttributeKind::kind, unit, fallback, choices, help},
#define COORDINATE(name, rate_name, unit) Coordinate{name, rate_name, unit, unit "/s"},

const std::vector<JointType>& joint_types() {
  static const std::vector<JointType> types = {
#define JOINT(id, title, freedom, holds_tree, reaction, attributes, coordinates, start_vectors) \
  JointType{#id,        title,       freedom,      holds_tree, Reaction::reaction,              \
            attributes, coordinates, start_vectors},
#include "formulation/joints.def"
#undef JOINT
  };
  return types;
}

const std::vector<ForceType>& force_types() {
  static const std::vector<ForceType> types = {
#define FORCE(id, title, attributes) ForceType{#id, title, attributes},
#include "formulation/forces.def"
#undef FORCE
  };
  return types;
}

const std::vector<SolidType>& solid_types() {
  static const std::vector<SolidType> types = {
#define SOLID(id, title, attributes) SolidType{#id, title, attributes},
#include "formulation/solids.def"
#undef SOLID
  };
  return types;
}

const std::vector<SchemeType>& scheme_types() {
  using Kind = SchemeParameter::Kind;
  static const std::vector<SchemeType> types = {
#define PARAMETERS(...) \
  std::vector<SchemeParameter> { __VA_ARGS__ }
#define REAL(name, unit, fallback, min, max, help) \
  SchemeParameter{#name, Kind::real, unit, fallback, min, max, "", help},
#define INTEGER(name, fallback, min, max, help) \
  SchemeParameter{#name, Kind::integer, "", fallback, min, max, "", help},
#define CHOICE(name, choices, fallback, help) \
  SchemeParameter{#name, Kind::choice, "", fallback, 1, count_choices(choices), choices, help},
#define TRAITS(steps, rows, contact)                                                     \
  SchemeTraits {                                                                         \
    SchemeTraits::Steps::steps, SchemeTraits::Rows::rows, SchemeTraits::Contact::contact \
  }
#define SCHEME(id, title, equations, traits, parameters) \
  SchemeType{#id, title, equations, traits, parameters},
#include "schemes/schemes.def"
#undef SCHEME
#undef TRAITS
#undef CHOICE
#undef INTEGER
#undef REAL
#undef PARAMETERS
  };
  return types;
}

const std::vector<IntegratorType>& integrator_types() {
  static const std::vector<IntegratorType> types = {
#define INTEGRATOR(id, title, order, stages) IntegratorType{#id, title, order, stages},
#include "integrators/integrators.def"
#undef INTEGRATOR
  };
  return types;
}

const std::vector<SolverType>& solver_types() {
  static const std::vector<SolverType> types = {
#define SOLVER(id, title) SolverType{#id, title},
#include "solvers/solvers.def"
#undef SOLVER
  };
  return types;
}

namespace {
template <class T>
const T* find_by_id(const std::vector<T>& types, std::string_view id) {
  const auto it =
      std::find_if(types.begin(), types.end(), [&](const T& type) { return type.id == id; });
  return it == types.end() ? nullptr : &*it;
}
template <class T>
std::vector<std::string_view> make_id_list(const std::vector<T>& types) {
  std::vector<std::string_view> ids;
  for (const T& type : types) ids.push_back(type.id);
  return ids;
}
}  // namespace

std::vector<std::string_view> choice_words(std::string_view choices) {
  if (choices == "@joints") return make_id_list(joint_types());
  if (choices == "@forces") return make_id_list(force_types());
  if (choices == "@schemes") return make_id_list(scheme_types());
  if (choices == "@integrators") return make_id_list(integrator_types());
  if (choices == "@solvers") return make_id_list(solver_types());
  if (choices == "@coordinates") choices = kCoordinateChoices;
  std::vector<std::string_view> words;
  while (!choices.empty()) {
    words.push_back(choices.substr(0, choices.find('|')));
    choices.remove_prefix(std::min(choices.size(), words.back().size() + 1));
  }
  return words;
}

namespace {
// What the method itself says about itself.
const runtime::Integrator& method_of(const IntegratorType& type) {
  return *runtime::find_integrator(std::string(type.id).c_str());
}
}  // namespace

bool IntegratorType::is_adaptive() const { return method_of(*this).attempt != nullptr; }
bool IntegratorType::needs_derivatives() const { return method_of(*this).needs_derivatives; }
bool IntegratorType::has_corrections() const { return method_of(*this).has_corrections; }

bool JointType::connects_frames() const {
  return std::any_of(attributes.begin(), attributes.end(),
                     [](const Attribute& a) { return a.name == "parent"; });
}

const JointType* find_joint_type(std::string_view id) { return find_by_id(joint_types(), id); }
const ForceType* find_force_type(std::string_view id) { return find_by_id(force_types(), id); }
const SolidType* find_solid_type(std::string_view id) { return find_by_id(solid_types(), id); }
const SchemeType* find_scheme_type(std::string_view id) { return find_by_id(scheme_types(), id); }
const IntegratorType* find_integrator_type(std::string_view id) {
  return find_by_id(integrator_types(), id);
}
const SolverType* find_solver_type(std::string_view id) { return find_by_id(solver_types(), id); }

}  // namespace mechfmu
