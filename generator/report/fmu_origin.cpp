#include "report/fmu_origin.hpp"

#include <filesystem>

#include "mechanism/catalogue.hpp"
#include "package/file_io.hpp"
#include "readers/xml_reader.hpp"
#include "validation/validate.hpp"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kLargestPage = std::uint64_t{64} << 20U;

// The word after an option of the build command in the documentation; nothing if it was not given.
std::optional<std::string> find_option(const std::string& command, const std::string& option) {
  const std::size_t begin = command.find(" " + option + " ");
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t word = begin + option.size() + 2;
  return command.substr(word, command.find_first_of(" :,", word) - word);
}

std::string read_build_command(const Fmu& fmu) {
  std::string page;
  const fs::path path = fs::path(fmu.folder()) / "documentation/index.html";
  if (!read_file(path.string(), kLargestPage, page).empty()) return {};
  const std::size_t begin = page.find("mechfmu build mechanism.xml");
  if (begin == std::string::npos) return {};
  return page.substr(begin, page.find('<', begin) - begin);
}

}  // namespace

FmuOrigin read_origin(const Fmu& fmu) {
  FmuOrigin origin;
  origin.is_ours = fmu.description().generation_tool.starts_with("mechfmu");
  const fs::path path = fs::path(fmu.folder()) / "resources/mechanism.xml";
  std::error_code ignored;
  if (!origin.is_ours || !fs::exists(path, ignored)) return origin;
  Diagnostics diagnostics;
  if (const std::optional<SourceText> source = read_file(path.string(), diagnostics))
    origin.mechanism = load_mechanism(*source, diagnostics);
  if (!origin.mechanism) return origin;

  const std::string command = read_build_command(fmu);
  const Solve& solve = origin.mechanism->solve;
  const auto choose = [&](const char* option, const char* list, const std::optional<Name>& in_file,
                          std::string_view fallback) {
    for (const char* name : {option, list})
      if (const auto given = find_option(command, name)) return *given;
    return in_file ? in_file->text : std::string(fallback);
  };
  origin.coordinates = choose("--coordinates", "--coordinates", solve.coordinates, "auto");
  origin.scheme = choose(
      "--scheme", "--schemes", std::nullopt,
      solve.scheme && !solve.scheme->name.empty() ? solve.scheme->name : scheme_types()[0].id);
  origin.integrator =
      choose("--integrator", "--integrators", solve.integrator, integrator_types()[0].id);
  const SchemeType* scheme = find_scheme_type(origin.scheme);
  if (scheme != nullptr && scheme->steps_itself()) origin.integrator.clear();
  return origin;
}

}  // namespace mechfmu
