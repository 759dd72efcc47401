// What validation has found: each finding is an instance of a rule of rules.def at a place.
//
// Findings are collected, never thrown: one run shows all faults of an FMU. A fault that a thousand
// variables share is shown for the first of them and counted for the rest.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.hpp"

namespace mechfmu::fmu_check {

enum class Rule {
#define GROUP(title)
#define RULE(name, severity, text) name,
#include "harness/validate/rules.def"
#undef RULE
#undef GROUP
};

struct RuleText {
  std::string id;  // "var-start-missing"
  Severity severity = Severity::error;
  std::string_view group;
  std::string_view text;  // the rule in our words
};
const std::vector<RuleText>& rule_texts();  // in the order of the table
const RuleText& rule_text(Rule rule);
std::optional<Rule> find_rule(std::string_view id);
std::string make_rules_page();  // resources/docs/validate.md

struct FindingPlace {
  std::string file;      // in the archive; "" = the FMU as a whole
  std::size_t line = 0;  // 0 = none
  std::string variable;  // "" = none
};
std::string place_text(const FindingPlace& place);  // "modelDescription.xml:12: variable 'x'"

struct Finding {
  Rule rule;
  FindingPlace place;
  std::string message;  // what is wrong, one sentence without a full stop
};

class Findings {
 public:
  static constexpr std::size_t kShownPerRule = 20;

  void add(Rule rule, FindingPlace place, std::string message);

  [[nodiscard]] const std::vector<Finding>& all() const { return all_; }
  // Rule and number of findings beyond those in all().
  [[nodiscard]] const std::map<Rule, std::size_t>& hidden() const { return hidden_; }
  [[nodiscard]] std::size_t count(Severity severity) const;  // hidden ones included
  [[nodiscard]] bool has(const Finding& finding) const;

 private:
  std::vector<Finding> all_;
  std::set<std::string> seen_;
  std::map<Rule, std::size_t> shown_, hidden_;
};

// Names come from a file of somebody else: control characters must not reach a terminal.
std::string printable(std::string_view text);

}  // namespace mechfmu::fmu_check
