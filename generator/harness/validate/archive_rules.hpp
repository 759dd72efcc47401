// The archive of an FMU: names, kinds, compression, sizes, and what must be in it.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "harness/validate/findings.hpp"
#include "harness/validate/model_facts.hpp"

namespace mechfmu::fmu_check {

using FileContents = std::map<std::string, std::string, std::less<>>;

// The files whose names are safe and whose data are sound; all else is a finding.
FileContents check_archive(std::string_view bytes, const std::string& path, Findings& findings);

// What modelDescription.xml promises about the other files: libraries and sources.
void check_layout(const FileContents& files, const ModelFacts& model, Findings& findings);

// The extension of libraries in binaries/<platform>; "" if the platform is unknown.
std::string_view library_extension(std::string_view platform);

}  // namespace mechfmu::fmu_check
