// ModelStructure: which variables are listed, in which order, and what they may depend on.
#include <fmt/format.h>

#include <set>
#include <string>

#include "harness/validate/semantic_rules.hpp"

namespace mechfmu::fmu_check {
namespace {

using Causality = FmuVariable::Causality;
using Indices = std::set<std::size_t>;  // 1-based, as in the file

class StructureChecker {
 public:
  StructureChecker(const ModelFacts& model, Findings& findings)
      : model_(model), findings_(findings), structure_(model.root.child("ModelStructure")) {
    for (std::size_t i = 1; i <= model.variables.size(); ++i) {
      const VariableFacts& v = variable(i);
      if (v.causality == Causality::output) outputs_.insert(i);
      if (!v.derivative || *v.derivative < 1 || *v.derivative > model.variables.size()) continue;
      derivatives_.insert(i);
      states_.insert(*v.derivative);
    }
  }

  void check() {
    const Indices outputs = check_list("Outputs");
    const Indices derivatives = check_list("Derivatives");
    const Indices unknowns = check_list("InitialUnknowns");

    require(outputs_, outputs, "Outputs", Rule::structure_outputs_incomplete);
    refuse(outputs, outputs_, "Outputs", Rule::structure_outputs_foreign);
    if (model_.model_exchange)
      require(find_expected_derivatives(derivatives), derivatives, "Derivatives",
              Rule::structure_derivatives_incomplete);
    refuse(derivatives, derivatives_, "Derivatives", Rule::structure_derivatives_foreign);

    const Indices expected = find_initial_unknowns(derivatives);
    require(expected, unknowns, "InitialUnknowns", Rule::structure_unknowns_incomplete);
    refuse(unknowns, expected, "InitialUnknowns", Rule::structure_unknowns_foreign);
  }

 private:
  [[nodiscard]] const VariableFacts& variable(std::size_t index) const {
    return model_.variables[index - 1];
  }

  [[nodiscard]] Indices find_initial_unknowns(const Indices& derivatives) const {
    Indices unknowns;
    const auto is_computed = [&](std::size_t i) {
      return variable(i).initial == "approx" || variable(i).initial == "calculated";
    };
    for (std::size_t i = 1; i <= model_.variables.size(); ++i)
      if (variable(i).causality == Causality::calculated_parameter ||
          (variable(i).causality == Causality::output && is_computed(i)))
        unknowns.insert(i);
    for (const std::size_t i : derivatives) {
      if (!derivatives_.contains(i)) continue;
      for (const std::size_t one : {i, static_cast<std::size_t>(*variable(i).derivative)})
        if (is_computed(one)) unknowns.insert(one);
    }
    return unknowns;
  }

  // Derivatives that are missing from the list: of variables that begin as states do, with a start
  // value, and whose derivative is not listed under another name.
  [[nodiscard]] Indices find_expected_derivatives(const Indices& listed) const {
    std::set<unsigned> references;
    Indices states;
    for (const std::size_t i : listed) {
      references.insert(variable(i).value_reference);
      if (derivatives_.contains(i)) states.insert(*variable(i).derivative);
    }
    Indices expected;
    for (const std::size_t i : derivatives_) {
      const std::size_t state = *variable(i).derivative;
      if (variable(state).start && !states.contains(state) &&
          !references.contains(variable(i).value_reference))
        expected.insert(i);
    }
    return expected;
  }

  void require(const Indices& expected, const Indices& given, const char* list, Rule rule) {
    for (const std::size_t i : expected)
      if (!given.contains(i))
        findings_.add(rule, model_.place(variable(i)),
                      fmt::format("it is variable {} and is not listed in <{}>", i, list));
  }
  void refuse(const Indices& given, const Indices& expected, const char* list, Rule rule) {
    for (const std::size_t i : given)
      if (!expected.contains(i))
        findings_.add(rule, model_.place(variable(i)),
                      fmt::format("it is variable {} and does not belong into <{}>", i, list));
  }

  // The variables of a list, those that exist.
  Indices check_list(const char* name) {
    Indices indices;
    std::size_t last = 0;
    const bool is_initial = std::string_view(name) == "InitialUnknowns";
    for (const pugi::xml_node& node : structure_.child(name).children("Unknown")) {
      const std::optional<unsigned> index = parse_unsigned_int(node.attribute("index").value());
      if (!index) continue;  // told by the schema rules
      if (*index < 1 || *index > model_.variables.size()) {
        findings_.add(Rule::structure_index, model_.place(node),
                      fmt::format("<{}> has index {}, there are {} variables", name, *index,
                                  model_.variables.size()));
        continue;
      }
      const std::string unknown = fmt::format("<{}>, '{}'", name, printable(variable(*index).name));
      if (!indices.insert(*index).second)
        findings_.add(Rule::structure_duplicate, model_.place(node), unknown + " is listed twice");
      else if (is_initial && *index < last)
        findings_.add(Rule::structure_unknowns_order, model_.place(node),
                      fmt::format("{} has index {} and follows index {}", unknown, *index, last));
      last = *index;
      check_dependencies(node, unknown, is_initial);
    }
    return indices;
  }

  void check_dependencies(const pugi::xml_node& node, const std::string& unknown, bool is_initial) {
    const pugi::xml_attribute dependencies = node.attribute("dependencies");
    const pugi::xml_attribute kinds = node.attribute("dependenciesKind");
    const std::vector<std::string_view> numbers = split_list(dependencies.value());
    const std::vector<std::string_view> kind_words = split_list(kinds.value());
    if (kinds && (!dependencies || numbers.size() != kind_words.size()))
      findings_.add(Rule::structure_kind_length, model_.place(node),
                    !dependencies ? unknown + " has dependenciesKind without dependencies"
                                  : fmt::format("{} has {} dependencies and {} kinds", unknown,
                                                numbers.size(), kind_words.size()));
    if (is_initial)
      for (const std::string_view kind : kind_words)
        if (kind == "fixed" || kind == "tunable" || kind == "discrete")
          findings_.add(Rule::structure_kind_initial, model_.place(node),
                        fmt::format("{} has a dependency of kind {}", unknown, kind));
    unsigned last = 0;
    for (const std::string_view text : numbers) {
      const std::optional<unsigned> index = parse_unsigned_int(text);
      if (!index) continue;  // told by the schema rules
      if (*index < 1 || *index > model_.variables.size()) {
        findings_.add(Rule::structure_dependency_index, model_.place(node),
                      fmt::format("{} depends on variable {}, there are {}", unknown, *index,
                                  model_.variables.size()));
        continue;
      }
      if (*index <= last)
        findings_.add(Rule::structure_dependency_order, model_.place(node),
                      fmt::format("{} lists dependency {} behind {}", unknown, *index, last));
      last = *index;
      const VariableFacts& known = variable(*index);
      const bool is_known = known.causality == Causality::input ||
                            known.causality == Causality::independent ||
                            (is_initial ? known.initial == "exact" : states_.contains(*index));
      if (!is_known)
        findings_.add(Rule::structure_dependency_illegal, model_.place(node),
                      fmt::format("{} depends on '{}' (causality {}{}{})", unknown,
                                  printable(known.name), word(known.causality),
                                  known.initial.empty() ? "" : ", initial ", known.initial));
    }
  }

  const ModelFacts& model_;
  Findings& findings_;
  pugi::xml_node structure_;
  Indices outputs_, derivatives_, states_;
};

}  // namespace

void check_structure(const ModelFacts& model, Findings& findings) {
  StructureChecker(model, findings).check();
}

}  // namespace mechfmu::fmu_check
