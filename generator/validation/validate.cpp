#include "validation/validate.hpp"

#include "readers/xml_reader.hpp"
#include "validation/rules.hpp"

namespace mechfmu {

bool validate(Mechanism& mechanism, Diagnostics& diagnostics) {
  RuleContext context{mechanism, diagnostics, {}, {}};
#define RULE(function, sentence) function(context);
#include "validation/rules.def"
#undef RULE
  return !diagnostics.has_errors();
}

std::optional<Mechanism> load_mechanism(const SourceText& source, Diagnostics& diagnostics) {
  std::optional<Mechanism> mechanism = read_mechanism(source, diagnostics);
  if (!mechanism || !validate(*mechanism, diagnostics)) return std::nullopt;
  return mechanism;
}

}  // namespace mechfmu
