// Variables: names, the table of causality, variability and initial, start values, derivatives,
// aliases.
#include <fmt/format.h>

#include <array>
#include <map>
#include <set>
#include <string>

#include "harness/validate/semantic_rules.hpp"
#include "support/number_text.hpp"

namespace mechfmu::fmu_check {
namespace {

using Causality = FmuVariable::Causality;
using Variability = FmuVariable::Variability;
using Type = FmuVariable::Type;

// Which initial a variable may have. Columns: parameter, calculatedParameter, input, output, local,
// independent; rows: constant, fixed, tunable, discrete, continuous.
//   - no such variable    n none    e exact    c approx, calculated    a exact, approx, calculated
constexpr std::array<std::string_view, 5> kInitials = {"---ee-", "ec--c-", "ec--c-", "--naa-",
                                                       "--naan"};

char find_initials(const VariableFacts& v) {
  return kInitials[static_cast<std::size_t>(v.variability)][static_cast<std::size_t>(v.causality)];
}

bool allows(char initials, std::string_view initial) {
  switch (initials) {
    case 'e':
      return initial == "exact";
    case 'c':
      return initial == "approx" || initial == "calculated";
    case 'a':
      return true;
    default:
      return false;
  }
}

class VariableChecker {
 public:
  VariableChecker(const ModelFacts& model, const VariableFacts& v, Findings& findings)
      : model_(model), v_(v), findings_(findings) {}

  void check() {
    check_name();
    if (!v_.has_type || !v_.is_sound) return;
    const char initials = find_initials(v_);
    if (initials == '-')
      find(Rule::var_causality_variability, fmt::format("causality {} cannot have variability {}",
                                                        word(v_.causality), word(v_.variability)));
    if (v_.variability == Variability::continuous && v_.type != Type::real)
      find(Rule::var_continuous_type,
           fmt::format("it is {} and has no variability but continuous", word(v_.type)));
    const bool has_no_initial =
        v_.causality == Causality::input || v_.causality == Causality::independent;
    if (has_no_initial && v_.has_initial)
      find(Rule::var_initial_forbidden,
           fmt::format("causality {} has no initial, but initial is {}", word(v_.causality),
                       v_.initial));
    else if (!has_no_initial && initials != '-' && v_.has_initial && !allows(initials, v_.initial))
      find(Rule::var_initial_illegal,
           fmt::format("causality {} with variability {} cannot have initial {}",
                       word(v_.causality), word(v_.variability), v_.initial));
    else if (initials != '-')
      check_start();
    check_range();
    check_derivative();
  }

 private:
  void find(Rule rule, std::string message) {
    findings_.add(rule, model_.place(v_), std::move(message));
  }

  void check_name() {
    if (v_.name.empty() || v_.name.find_first_of("\r\n\t") != std::string::npos)
      find(Rule::var_name_illegal,
           v_.name.empty() ? "its name is empty" : "its name has a tab or a line break");
    else if (model_.is_structured && !is_structured_name(v_.name))
      find(Rule::var_name_structured, "its name does not follow the grammar of structured names");
  }

  void check_start() {
    const bool is_forbidden = v_.causality == Causality::independent || v_.initial == "calculated";
    const bool is_required = v_.causality == Causality::input ||
                             v_.causality == Causality::parameter || v_.initial == "exact" ||
                             v_.initial == "approx";
    if (is_forbidden && v_.start)
      find(
          Rule::var_start_forbidden,
          v_.causality == Causality::independent
              ? "it is the independent variable and has a start value"
              : fmt::format("it is calculated and has the start value '{}'", printable(*v_.start)));
    if (!is_forbidden && is_required && !v_.start)
      find(Rule::var_start_missing,
           fmt::format("it has no start value (causality {}{}{})", word(v_.causality),
                       v_.initial.empty() ? "" : ", initial ", v_.initial));
  }

  void check_range() {
    if (v_.min && v_.max && *v_.min > *v_.max)
      find(Rule::var_range, fmt::format("min {} is greater than max {}", number_text(*v_.min),
                                        number_text(*v_.max)));
    if (v_.nominal && *v_.nominal <= 0)
      find(Rule::var_nominal, fmt::format("its nominal value is {}", number_text(*v_.nominal)));
    if (!v_.start || v_.type == Type::string || v_.type == Type::boolean) return;
    const std::optional<double> start = parse_number(trim_blanks(*v_.start));
    if (!start) return;
    if ((v_.min && *start < *v_.min) || (v_.max && *start > *v_.max))
      find(Rule::var_start_range,
           fmt::format("its start value {} is not in [{}, {}]", number_text(*start),
                       v_.min ? number_text(*v_.min) : "-", v_.max ? number_text(*v_.max) : "-"));
    if (v_.type != Type::enumeration || v_.items.empty()) return;
    for (const FmuVariable::Item& item : v_.items)
      if (item.value == *start) return;
    find(Rule::var_start_item, fmt::format("its start value {} is no item of type '{}'",
                                           number_text(*start), printable(v_.declared_type)));
  }

  void check_derivative() {
    if (!v_.derivative) return;
    const std::size_t index = *v_.derivative;
    if (index < 1 || index > model_.variables.size() || &model_.variables[index - 1] == &v_) {
      find(Rule::var_derivative_index,
           fmt::format("derivative is {}, there are {} variables", index, model_.variables.size()));
      return;
    }
    const VariableFacts& state = model_.variables[index - 1];
    const auto is_continuous = [](const VariableFacts& v) {
      return v.type == Type::real && v.variability == Variability::continuous;
    };
    if (!is_continuous(v_) || !is_continuous(state))
      find(Rule::var_derivative_type,
           fmt::format("it is the derivative of '{}', and one of the two is not a continuous Real",
                       printable(state.name)));
  }

  const ModelFacts& model_;
  const VariableFacts& v_;
  Findings& findings_;
};

bool is_settable(const VariableFacts& v) {
  if (v.variability == Variability::constant || v.causality == Causality::independent) return false;
  return v.causality == Causality::input || v.initial == "exact" || v.initial == "approx";
}

void check_alias_set(const ModelFacts& model, const std::vector<const VariableFacts*>& set,
                     Findings& findings) {
  const VariableFacts* settable = nullptr;
  const VariableFacts* with_start = nullptr;
  const VariableFacts& first = *set.front();
  for (const VariableFacts* v : set) {
    const bool is_constant = v->variability == Variability::constant;
    const auto find = [&](Rule rule, const VariableFacts& other, std::string_view what) {
      findings.add(rule, model.place(*v),
                   fmt::format("it shares value reference {} with '{}': {}", v->value_reference,
                               printable(other.name), what));
    };
    if (is_settable(*v) && settable != nullptr)
      find(Rule::alias_settable, *settable, "both can be set");
    else if (!is_constant && v->start && with_start != nullptr)
      find(Rule::alias_start, *with_start, "both have a start value");
    if (is_settable(*v)) settable = v;
    if (!is_constant && v->start) with_start = v;
    if (is_constant != (first.variability == Variability::constant))
      find(Rule::alias_constant, first, "one is constant, the other is not");
    else if (is_constant && v->start != first.start)
      find(Rule::alias_constant, first, "they are constants with different values");
    if (v->type == Type::real && v->unit != first.unit)
      find(Rule::alias_unit, first,
           fmt::format("the units are '{}' and '{}'", printable(v->unit), printable(first.unit)));
  }
}

}  // namespace

void check_variables(const ModelFacts& model, Findings& findings) {
  std::map<std::string_view, std::size_t> lines;
  const VariableFacts* independent = nullptr;
  std::set<std::size_t> states;
  for (const VariableFacts& v : model.variables)
    if (v.derivative) states.insert(*v.derivative);
  for (std::size_t i = 0; i < model.variables.size(); ++i) {
    const VariableFacts& v = model.variables[i];
    const auto [same, is_new] = lines.emplace(v.name, v.line);
    if (!is_new && !v.name.empty())
      findings.add(Rule::var_name_duplicate, model.place(v),
                   fmt::format("its name is in line {} already", same->second));
    VariableChecker(model, v, findings).check();
    if (v.is_reinit && !states.contains(i + 1))
      findings.add(Rule::var_reinit_not_state, model.place(v),
                   "it has reinit but no variable is its derivative");
    if (v.causality != Causality::independent) continue;
    if (independent != nullptr)
      findings.add(Rule::var_independent_several, model.place(v),
                   fmt::format("'{}' is independent, too", printable(independent->name)));
    independent = &v;
    if (v.has_type && v.type != Type::real)
      findings.add(Rule::var_independent_type, model.place(v),
                   fmt::format("the independent variable is {}", word(v.type)));
  }
}

void check_aliases(const ModelFacts& model, Findings& findings) {
  // an enumeration is an integer to the functions of FMI
  std::map<std::pair<Type, unsigned>, std::vector<const VariableFacts*>> sets;
  for (const VariableFacts& v : model.variables)
    if (v.reference && v.has_type && v.is_sound)
      sets[{v.type == Type::enumeration ? Type::integer : v.type, *v.reference}].push_back(&v);
  for (const auto& [key, set] : sets)
    if (set.size() > 1) check_alias_set(model, set, findings);
}

}  // namespace mechfmu::fmu_check
