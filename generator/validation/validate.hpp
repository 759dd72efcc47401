// What a mechanism must fulfil before anything is computed from it. The rules are in rules.def, one
// function each.
#pragma once
#include <optional>

#include "mechanism/mechanism.hpp"
#include "support/diagnostic.hpp"
#include "support/source_text.hpp"

namespace mechfmu {

// Resolves references in place and reports every rule that is broken. True if `diagnostics` holds
// no error, those of the reader included; only then may later stages use the mechanism.
bool validate(Mechanism& mechanism, Diagnostics& diagnostics);

// read_mechanism() and validate(): a mechanism that is fit for use, or nothing.
std::optional<Mechanism> load_mechanism(const SourceText& source, Diagnostics& diagnostics);

}  // namespace mechfmu
