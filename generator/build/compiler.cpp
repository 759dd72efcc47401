#include "build/compiler.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <sstream>

#include "build/process.hpp"

namespace mechfmu {
namespace {

constexpr std::string_view kInstallHint =
    "install one (Debian, Ubuntu: apt install g++) or set CXX to its path; 'mechfmu doctor' shows "
    "what is here";
constexpr std::size_t kShownOutput = 4000;

// What the runtime was compiled with, from resources/cmake/MechfmuOptions.cmake: one rounding
// everywhere. The forced include binds libm to its oldest symbol versions.
std::vector<std::string> make_flags() {
  std::vector<std::string> flags = {"-std=c++20", "-w", "-include", "platform/portable_math.hpp"};
  std::istringstream stream(MECHFMU_FMU_FLAGS);
  for (std::string flag; stream >> flag;) flags.push_back(flag);
  return flags;
}

ProcessRequest make_request(const Compiler& compiler, const std::string& folder) {
  ProcessRequest request;
  request.command = compiler.command;
  request.folder = folder;
  // messages in English for the reports users send; intermediate files where they will be removed
  request.environment = {{"LC_ALL", "C"}};
  if (!folder.empty()) request.environment.emplace_back("TMPDIR", folder);
  return request;
}

bool check_result(const ProcessRequest& request, const ProcessResult& result,
                  Diagnostics& diagnostics) {
  if (result.is_success()) return true;
  std::string command;
  for (const std::string& argument : request.command)
    command += (command.empty() ? "" : " ") + argument;
  std::string output = result.output.substr(0, kShownOutput);
  if (output.size() < result.output.size()) output += "...\n";
  while (!output.empty() && output.back() == '\n') output.pop_back();
  diagnostics.error("S602", {},
                    fmt::format("the compiler {}\n  {}{}{}", describe_end(result), command,
                                output.empty() ? "" : "\n", output),
                    "'mechfmu doctor' tries the compiler on a small file");
  return false;
}

}  // namespace

std::optional<Compiler> find_compiler(Diagnostics& diagnostics) {
  if (const char* given = std::getenv("CXX"); given != nullptr && *given != '\0') {
    Compiler compiler;
    std::istringstream stream(given);
    for (std::string word; stream >> word;) compiler.command.push_back(word);
    if (!compiler.command.empty()) {
      std::string program = find_program(compiler.command.front());
      if (program.empty()) {
        diagnostics.error("S601", {}, fmt::format("CXX is '{}', which is not a program", given),
                          std::string(kInstallHint));
        return std::nullopt;
      }
      compiler.command.front() = std::move(program);
      return compiler;
    }
  }
  for (const char* name : {"g++", "c++", "clang++"})
    if (std::string program = find_program(name); !program.empty())
      return Compiler{{std::move(program)}};
  diagnostics.error("S601", {}, "no C++ compiler found (looked for g++, c++, clang++)",
                    std::string(kInstallHint));
  return std::nullopt;
}

std::string fmu_compiler_flags() { return MECHFMU_FMU_FLAGS; }

std::string compiler_version(const Compiler& compiler) {
  ProcessRequest request = make_request(compiler, "");
  request.command.emplace_back("--version");
  request.seconds_allowed = 20;
  const ProcessResult result = run_process(request);
  return result.is_success() ? result.output.substr(0, result.output.find('\n')) : std::string();
}

bool compile_library(const Compiler& compiler, const CompileRequest& request,
                     Diagnostics& diagnostics) {
  std::vector<ProcessRequest> compilations;
  std::vector<std::string> objects;
  for (const std::string& source : request.sources) {
    ProcessRequest one = make_request(compiler, request.folder);
    for (const std::string& flag : make_flags()) one.command.push_back(flag);
    objects.push_back(source.substr(0, source.rfind('.')) + ".o");
    for (const std::string& word : {std::string("-I") + request.include_folder, std::string("-c"),
                                    source, std::string("-o"), objects.back()})
      one.command.push_back(word);
    compilations.push_back(std::move(one));
  }
  const std::vector<ProcessResult> results = run_processes(compilations);
  bool is_compiled = true;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!check_result(compilations[i], results[i], diagnostics)) is_compiled = false;
  if (!is_compiled) return false;

  ProcessRequest link = make_request(compiler, request.folder);
  for (const char* word : {"-shared", "-fPIC", "-nodefaultlibs", "-s", "-o"})
    link.command.emplace_back(word);
  link.command.push_back(request.library);
  for (const std::string& object : objects) link.command.push_back(object);
  // whole: nothing inside refers to the functions that the host will call; what they do not reach
  // is dropped again
  link.command.emplace_back("-Wl,--whole-archive");
  link.command.push_back(request.archive);
  link.command.emplace_back("-Wl,--no-whole-archive");
  for (const char* word : {"-Wl,--gc-sections", "-Wl,-z,defs", "-Wl,-z,relro,-z,now",
                           "-Wl,-z,noexecstack", "-Wl,--as-needed", "-Wl,--build-id=none"})
    link.command.emplace_back(word);
  link.command.push_back("-Wl,--version-script=" + request.version_script);
  for (const char* word : {"-lm", "-lc", "-lgcc"}) link.command.emplace_back(word);
  return check_result(link, run_process(link), diagnostics);
}

}  // namespace mechfmu
