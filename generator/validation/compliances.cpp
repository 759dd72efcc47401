// The rule check_compliances.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"
#include "validation/rules.hpp"

namespace mechfmu {

namespace {

bool holds_rows(const NamedThing& thing) {
  using Kind = NamedThing::Kind;
  return thing.kind == Kind::joint || thing.kind == Kind::drive || thing.kind == Kind::constraint;
}

}  // namespace

void check_compliances(RuleContext& context) {
  std::set<std::string> seen;
  for (const Compliance& c : context.mechanism.compliances) {
    if (c.on.text.empty()) continue;  // reported by the reader
    const auto found = context.names.find(c.on.text);
    if (found == context.names.end() || !holds_rows(found->second)) {
      std::vector<std::string_view> known;
      for (const auto& [name, thing] : context.names)
        if (holds_rows(thing)) known.push_back(name);
      std::sort(known.begin(), known.end());
      context.diagnostics.error(
          "E422", c.on.span,
          fmt::format("compliance: '{}' is no joint, drive or constraint", c.on.text),
          did_you_mean(c.on.text, known, "joints, drives and constraints"));
    } else if (!seen.insert(c.on.text).second) {
      context.diagnostics.error("E422", c.on.span,
                                fmt::format("compliance: '{}' has one already", c.on.text));
    }
    if (!(c.stiffness > 0) && !std::isnan(c.stiffness))
      context.diagnostics.error("E422", c.stiffness_span,
                                fmt::format("compliance of '{}': stiffness must be > 0, got {}",
                                            c.on.text, number_text(c.stiffness)));
    if (c.damping < 0)
      context.diagnostics.error("E422", c.damping_span,
                                fmt::format("compliance of '{}': damping must be >= 0, got {}",
                                            c.on.text, number_text(c.damping)));
  }
}

}  // namespace mechfmu
