#include "harness/validate/binary_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/fmu_library.hpp"
#include "package/binary_check.hpp"

namespace mechfmu::fmu_check {
namespace {

constexpr auto kEverywhere = std::to_array<std::string_view>(
    {"libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so", "ld-linux", "linux-vdso"});
constexpr auto kMadeByLinker =
    std::to_array<std::string_view>({"_init", "_fini", "__bss_start", "_edata", "_end"});

std::string list_some(const std::vector<std::string>& words) {
  constexpr std::size_t kListed = 8;
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < kListed; ++i)
    text += (i > 0 ? ", " : "") + printable(words[i]);
  if (words.size() > kListed) text += fmt::format(" and {} more", words.size() - kListed);
  return text;
}

std::set<std::string> find_expected(const ModelFacts& model, const std::string& identifier) {
  std::set<std::string> names(kFmuFunctionNames.begin(),
                              kFmuFunctionNames.begin() + kCommonFunctionCount);
  if (model.co_simulation && model.co_simulation->identifier == identifier)
    names.insert(kFmuFunctionNames.begin(), kFmuFunctionNames.end());
  if (model.model_exchange && model.model_exchange->identifier == identifier)
    names.insert(kModelExchangeFunctionNames.begin(), kModelExchangeFunctionNames.end());
  return names;
}

bool is_fmi_function(const std::string& name) {
  return std::find(kFmuFunctionNames.begin(), kFmuFunctionNames.end(), name) !=
             kFmuFunctionNames.end() ||
         std::find(kModelExchangeFunctionNames.begin(), kModelExchangeFunctionNames.end(), name) !=
             kModelExchangeFunctionNames.end();
}

void check_elf(const std::string& path, const std::string& bytes, const FileContents& files,
               const std::set<std::string>& expected, Findings& findings) {
  const FindingPlace place = {path, 0, ""};
  Diagnostics diagnostics;
  const std::optional<BinaryReport> report = read_binary(bytes, diagnostics);
  if (!report) {
    findings.add(Rule::binary_not_library, place, diagnostics.all().front().message);
    return;
  }
  const bool is_x86 = path.starts_with("binaries/linux64/") || path.starts_with("binaries/x86_64");
  const bool is_arm = path.starts_with("binaries/aarch64");
  if ((is_x86 && report->machine != "x86-64") || (is_arm && report->machine != "aarch64"))
    findings.add(Rule::binary_not_library, place,
                 fmt::format("the library is for another processor: {}", report->machine));

  std::vector<std::string> missing;
  for (const std::string& name : expected)
    if (!std::binary_search(report->exports.begin(), report->exports.end(), name))
      missing.push_back(name);
  if (!missing.empty())
    findings.add(Rule::binary_symbol_missing, place,
                 fmt::format("the library does not have {}", list_some(missing)));
  std::vector<std::string> foreign;
  for (const std::string& name : report->exports)
    if (!is_fmi_function(name) &&
        std::find(kMadeByLinker.begin(), kMadeByLinker.end(), name) == kMadeByLinker.end())
      foreign.push_back(name);
  if (!foreign.empty())
    findings.add(Rule::binary_symbol_foreign, place,
                 fmt::format("the library exports {}", list_some(foreign)));
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  std::vector<std::string> needed;
  for (const std::string& name : report->needed)
    if (std::none_of(kEverywhere.begin(), kEverywhere.end(),
                     [&](std::string_view known) { return name.starts_with(known); }) &&
        !files.contains(folder + name))
      needed.push_back(name);
  if (!needed.empty())
    findings.add(Rule::binary_needs_library, place,
                 fmt::format("the library needs {}", list_some(needed)));
}

// Windows and macOS: only whether the file is of the right kind.
void check_magic(const std::string& path, const std::string& bytes, Findings& findings) {
  const std::string_view magic = std::string_view(bytes).substr(0, 4);
  const bool is_right = path.ends_with(".dll")
                            ? magic.starts_with("MZ")
                            : magic == "\xCF\xFA\xED\xFE" || magic == "\xCE\xFA\xED\xFE" ||
                                  magic == "\xCA\xFE\xBA\xBE";
  if (!is_right)
    findings.add(
        Rule::binary_not_library, {path, 0, ""},
        path.ends_with(".dll") ? "it is not a Windows library" : "it is not a macOS library");
}

}  // namespace

void check_binaries(const FileContents& files, const ModelFacts& model, Findings& findings) {
  std::set<std::string> identifiers;
  for (const InterfaceFacts* interface : model.interfaces())
    identifiers.insert(interface->identifier);
  for (const auto& [path, bytes] : files) {
    if (!path.starts_with("binaries/")) continue;
    const std::size_t slash = path.find('/', 9);
    if (slash == std::string::npos) continue;
    const std::string platform = path.substr(9, slash - 9);
    const std::string_view extension = library_extension(platform);
    if (extension.empty()) continue;
    for (const std::string& identifier : identifiers) {
      if (path != fmt::format("binaries/{}/{}{}", platform, identifier, extension)) continue;
      if (extension != ".so")
        check_magic(path, bytes, findings);
      else if (platform != "linux32")  // the reader knows 64 bits only
        check_elf(path, bytes, files, find_expected(model, identifier), findings);
    }
  }
}

}  // namespace mechfmu::fmu_check
