#include "harness/validate/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mechfmu::fmu_check {
namespace {

std::string make_id(std::string_view name) {
  std::string id(name);
  std::replace(id.begin(), id.end(), '_', '-');
  return id;
}

std::vector<RuleText> make_rule_texts() {
  std::vector<RuleText> rules;
  std::string_view group;
#define GROUP(title) group = title;
#define RULE(name, level, words) rules.push_back({make_id(#name), Severity::level, group, words});
#include "harness/validate/rules.def"
#undef RULE
#undef GROUP
  return rules;
}

}  // namespace

const std::vector<RuleText>& rule_texts() {
  static const std::vector<RuleText> rules = make_rule_texts();
  return rules;
}

const RuleText& rule_text(Rule rule) { return rule_texts()[static_cast<std::size_t>(rule)]; }

std::optional<Rule> find_rule(std::string_view id) {
  const std::vector<RuleText>& rules = rule_texts();
  const auto it =
      std::find_if(rules.begin(), rules.end(), [&](const RuleText& r) { return r.id == id; });
  if (it == rules.end()) return std::nullopt;
  return static_cast<Rule>(it - rules.begin());
}

std::string make_rules_page() {
  std::string page =
      "# Rules of `mechfmu validate`\n\n"
      "Made from generator/harness/validate/rules.def. An error breaks the standard (FMI 2.0); a "
      "warning is legal or\n"
      "undefined but known to break hosts. Ids never change their meaning.\n\n"
      "`mechfmu validate FMU` checks the archive, modelDescription.xml and the library of any FMI "
      "2.0 FMU and runs it: each\n"
      "check in a process of its own, so that a crash or a hang of the FMU is a finding. "
      "`--static` leaves out the runs,\n"
      "`--strict` adds calls with NULL pointers, `--time-limit` is the time of one check, "
      "`--schema-dir` adds the official\n"
      "XSD (needs xmllint), `--json` is for scripts. Exit code 0: no errors; 1: errors; 5: the "
      "file cannot be read.\n"
      "An FMU without a library for this platform is checked as far as possible; a note says that "
      "it was not run.\n";
  std::string_view group;
  for (const RuleText& rule : rule_texts()) {
    if (rule.group != group)
      page += fmt::format("\n## {}\n\n| rule | | what must hold |\n|---|---|---|\n", rule.group);
    group = rule.group;
    page += fmt::format("| `{}` | {} | {} |\n", rule.id,
                        rule.severity == Severity::error ? "error" : "warning", rule.text);
  }
  return page;
}

std::string place_text(const FindingPlace& place) {
  std::string text = printable(place.file);
  if (place.line > 0) text += fmt::format(":{}", place.line);
  if (!place.variable.empty())
    text += fmt::format("{}variable '{}'", text.empty() ? "" : ": ", printable(place.variable));
  return text;
}

namespace {

std::string make_key(Rule rule, const FindingPlace& place, const std::string& message) {
  return fmt::format("{} {} {} {} {}", static_cast<int>(rule), place.file, place.line,
                     place.variable, message);
}

}  // namespace

bool Findings::has(const Finding& finding) const {
  return seen_.contains(make_key(finding.rule, finding.place, finding.message));
}

void Findings::add(Rule rule, FindingPlace place, std::string message) {
  // the same words at the same place say nothing new
  if (!seen_.insert(make_key(rule, place, message)).second) return;
  if (shown_[rule] == kShownPerRule) {
    ++hidden_[rule];
    return;
  }
  ++shown_[rule];
  all_.push_back({rule, std::move(place), std::move(message)});
}

std::size_t Findings::count(Severity severity) const {
  std::size_t sum = 0;
  for (const auto& counts : {shown_, hidden_})
    for (const auto& [rule, count] : counts)
      if (rule_text(rule).severity == severity) sum += count;
  return sum;
}

std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 300;
  std::string shown(text.substr(0, kLongest));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F) c = '?';
  if (text.size() > kLongest) shown += "...";
  return shown;
}

}  // namespace mechfmu::fmu_check
