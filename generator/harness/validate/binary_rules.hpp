// The libraries of an FMU as files: format, functions, and what they need from the machine.
#pragma once
#include <array>
#include <string_view>

#include "harness/validate/archive_rules.hpp"
#include "harness/validate/findings.hpp"
#include "harness/validate/model_facts.hpp"

namespace mechfmu::fmu_check {

inline constexpr std::size_t kCommonFunctionCount = 25;  // of the functions of co-simulation

inline constexpr auto kModelExchangeFunctionNames = std::to_array<std::string_view>({
#define FUNCTION(name) "fmi2" #name,
#include "harness/validate/model_exchange_functions.def"
#undef FUNCTION
});

void check_binaries(const FileContents& files, const ModelFacts& model, Findings& findings);

}  // namespace mechfmu::fmu_check
