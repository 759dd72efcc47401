#include "build/build.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <string_view>
#include <vector>

#include "build/compiler.hpp"
#include "build/fmu_contents.hpp"
#include "build/output_file.hpp"
#include "build/self_test.hpp"
#include "build/source_fmu.hpp"
#include "emit/model_description.hpp"
#include "emit/sources.hpp"
#include "package/archive.hpp"
#include "package/binary_check.hpp"
#include "package/file_io.hpp"
#include "package/guid.hpp"
#include "package/temporary_folder.hpp"
#include "support/assert.hpp"
#include "support/embedded.hpp"

namespace mechfmu {
namespace {

constexpr std::string_view kArchive = "libmechfmu_fmu.a";
constexpr std::string_view kVersionScript = "exports.map";
constexpr std::string_view kHeaderFolder = "include/";
constexpr std::uint64_t kLargestLibrary = 256U << 20;

#if defined(__x86_64__)
constexpr std::string_view kPlatform = "linux64";
#elif defined(__aarch64__)
constexpr std::string_view kPlatform = "aarch64-linux";
#elif defined(__riscv) && __riscv_xlen == 64
constexpr std::string_view kPlatform = "riscv64-linux";
#else
#error "FMI has no name for this platform yet: add it here"
#endif

// Hash of everything that can change results. Not the runtime archive: its bytes depend on compiler
// and platform, its sources, which are carried for this purpose, do not.
std::string find_guid(const SystemModel& system, const SourceEmitter& emitter) {
  std::vector<std::string> texts;
  for (const SourceFile& source : emitter.emit("")) {
    texts.push_back(source.name);
    texts.push_back(source.content);
  }
  texts.push_back(emit_model_description(system, ""));
  std::vector<std::string_view> parts(texts.begin(), texts.end());
  for (const EmbeddedFile& file : embedded_runtime()) {
    if (file.name == kArchive) continue;
    parts.push_back(file.name);
    parts.push_back(file.content);
  }
  return make_guid(parts);
}

bool write_checked(const std::string& path, std::string_view content, IfExists if_exists,
                   const char* code, Diagnostics& diagnostics) {
  std::string reason = make_folders(path.substr(0, path.rfind('/')));
  if (reason.empty()) reason = write_file(path, content, if_exists);
  if (!reason.empty())
    diagnostics.error(code, {}, fmt::format("cannot write '{}': {}", path, reason));
  return reason.empty();
}

// What the compiler needs, in the private folder.
bool write_build_folder(const std::string& folder, const std::vector<SourceFile>& sources,
                        Diagnostics& diagnostics) {
  const auto write = [&](std::string_view name, std::string_view content) {
    return write_checked(folder + "/" + std::string(name), content, IfExists::fail, "S611",
                         diagnostics);
  };
  for (const SourceFile& source : sources)
    if (!write(source.name, source.content)) return false;
  for (const EmbeddedFile& file : embedded_runtime()) {
    const bool is_needed = file.name == kArchive || file.name == kVersionScript ||
                           file.name.starts_with(kHeaderFolder);
    if (is_needed && !write(file.name, file.content)) return false;
  }
  return true;
}

bool write_kept(const std::string& folder, const std::vector<SourceFile>& sources,
                const std::string& description, Diagnostics& diagnostics) {
  for (const SourceFile& source : sources)
    if (!write_checked(folder + "/" + source.name, source.content, IfExists::replace, "S612",
                       diagnostics))
      return false;
  return write_checked(folder + "/modelDescription.xml", description, IfExists::replace, "S612",
                       diagnostics);
}

// Compiles and links in a private folder, checks and tries the result; returns its bytes.
std::optional<std::string> make_library(const SystemModel& system,
                                        const std::vector<SourceFile>& sources,
                                        const std::string& guid, bool self_test,
                                        BuildResult& result, Diagnostics& diagnostics) {
  const std::optional<Compiler> compiler = find_compiler(diagnostics);
  if (!compiler) return std::nullopt;
  const auto folder = TemporaryFolder::make(diagnostics);
  if (!folder || !write_build_folder(folder->path(), sources, diagnostics)) return std::nullopt;

  CompileRequest request;
  request.folder = folder->path();
  for (const SourceFile& source : sources)
    if (source.name.ends_with(".cpp")) request.sources.push_back(source.name);
  request.include_folder = "include";
  request.archive = kArchive;
  request.version_script = kVersionScript;
  request.library = system.name + ".so";
  if (!compile_library(*compiler, request, diagnostics)) return std::nullopt;

  const std::string path = folder->path() + "/" + request.library;
  std::string bytes;
  if (const std::string reason = read_file(path, kLargestLibrary, bytes); !reason.empty()) {
    diagnostics.error("S602", {}, fmt::format("the compiler left no library: {}", reason));
    return std::nullopt;
  }
  const std::optional<BinaryReport> report = read_binary(bytes, diagnostics);
  if (!report) return std::nullopt;
  const std::vector<std::string> exports =
      find_export_names(find_embedded(embedded_runtime(), kVersionScript));
  if (!check_binary(*report, exports, diagnostics)) return std::nullopt;
  if (self_test && !check_library(path, system, guid, diagnostics)) return std::nullopt;

  result.library_bytes = bytes.size();
  result.glibc = version_text(report->glibc);
  for (const std::string& name : report->needed)
    result.needed += (result.needed.empty() ? "" : " ") + name;
  return bytes;
}

double find_cpu_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return seconds;
}

}  // namespace

std::optional<BuildResult> build_fmu(const SystemModel& system, const SourceText& source,
                                     const BuildOptions& options, Diagnostics& diagnostics) {
  if (!check_output(options.output, diagnostics)) return std::nullopt;

  const double cpu_before = find_cpu_seconds();
  BuildResult result;
  const SourceEmitter emitter(system);
  result.guid = find_guid(system, emitter);
  const std::vector<SourceFile> sources = emitter.emit(result.guid);
  std::string description = emit_model_description(system, result.guid);
  if (!options.keep.empty() && !write_kept(options.keep, sources, description, diagnostics))
    return std::nullopt;

  std::optional<std::string> library =
      make_library(system, sources, result.guid, options.self_test, result, diagnostics);
  if (!library) return std::nullopt;

  FmuContents contents;
  contents.guid = result.guid;
  contents.library_name = fmt::format("binaries/{}/{}.so", kPlatform, system.name);
  contents.library = std::move(*library);
  if (options.carry_source) contents.mechanism = &source.content();
  if (options.with_sources) {
    contents.sources = make_source_fmu(system, sources);
    description = add_source_files(std::move(description), contents.sources->compiled);
  }
  contents.description = std::move(description);
  const std::string archive = make_archive(list_files(system, std::move(contents)));

  if (!write_output(options.output, archive, diagnostics)) return std::nullopt;
  result.fmu_bytes = archive.size();
  result.cpu_seconds = find_cpu_seconds() - cpu_before;
  return result;
}

}  // namespace mechfmu
