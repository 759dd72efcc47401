#include "harness/validate/archive_rules.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <set>

#include "harness/validate/zip_file.hpp"
#include "package/archive.hpp"
#include "package/archive_name.hpp"

namespace mechfmu::fmu_check {
namespace {

constexpr unsigned kEncrypted = 1;
constexpr unsigned kDescriptorBehindData = 8;
constexpr unsigned kNewestVersion = 20;

std::optional<Rule> find_name_rule(std::string_view name) {
  if (name.starts_with('/') || (name.size() > 1 && name[1] == ':'))
    return Rule::archive_absolute_name;
  if (name.find('\\') != std::string_view::npos) return Rule::archive_backslash;
  const std::string padded = fmt::format("/{}/", name);
  if (padded.find("/../") != std::string::npos) return Rule::archive_parent_name;
  if (padded.find("/./") != std::string::npos) return Rule::archive_dot_name;
  if (!find_name_fault(name).empty()) return Rule::archive_bad_name;
  return std::nullopt;
}

bool is_made_by_unix(const ZipEntry& e) { return e.made_by >> 8U == 3 || e.made_by >> 8U == 19; }

// Whether the entry can be used; what is wrong with it is added in any case.
bool check_entry(const ZipEntry& e, const ArchiveLimits& limits, Findings& findings) {
  bool is_usable = true;
  const auto find = [&](Rule rule, std::string message, bool ends_use = true) {
    findings.add(rule, {e.name, 0, ""}, std::move(message));
    if (ends_use) is_usable = false;
  };
  if (const std::optional<Rule> rule = find_name_rule(e.name))
    find(*rule, fmt::format("the name '{}' is not allowed", printable(e.name)));
  const auto type = static_cast<mode_t>(e.attributes >> 16U) & S_IFMT;
  if (is_made_by_unix(e) && type != 0 && type != S_IFREG && type != S_IFDIR)
    find(Rule::archive_link, type == S_IFLNK ? "the entry is a symbolic link"
                                             : "the entry is a device, pipe or socket");
  if ((e.flags & kEncrypted) != 0) find(Rule::archive_encrypted, "the entry is encrypted");
  if (e.method != 0 && e.method != 8)
    find(Rule::archive_compression, fmt::format("the entry has compression method {}", e.method));
  if (e.method == 0 && (e.flags & kDescriptorBehindData) != 0)
    find(Rule::archive_stored_descriptor, "the entry is stored with its size behind the data",
         false);
  if (e.version_needed > kNewestVersion)
    find(Rule::archive_version,
         fmt::format("the entry needs version {}.{} to extract", e.version_needed / 10,
                     e.version_needed % 10),
         false);
  if (e.data_offset != 0 && e.local_name != e.name)
    find(Rule::archive_header_differs,
         fmt::format("the header before the data has the name '{}'", printable(e.local_name)));
  if (e.is_folder() && e.size != 0) find(Rule::archive_bad_name, "a folder has content");
  if (e.size > limits.ratio_free_bytes && e.size / limits.ratio >= e.packed_size)
    find(Rule::archive_size,
         fmt::format("the entry would grow from {} to {} bytes", e.packed_size, e.size));
  return is_usable;
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

void check_unique(const std::vector<ZipEntry>& entries, Findings& findings) {
  std::set<std::string> names;
  std::set<std::string> folders;
  std::map<std::string, std::string> by_lower_case;
  for (const ZipEntry& e : entries) {
    const std::string plain = e.is_folder() ? e.name.substr(0, e.name.size() - 1) : e.name;
    const auto [same, is_new] = by_lower_case.emplace(lower_case(plain), plain);
    if (!names.insert(e.name).second)
      findings.add(Rule::archive_duplicate, {e.name, 0, ""}, "there are two entries of this name");
    else if (!is_new && same->second != plain)
      findings.add(Rule::archive_case_clash, {e.name, 0, ""},
                   fmt::format("there is '{}' as well", printable(same->second)));
    for (std::size_t i = plain.find('/'); i != std::string::npos; i = plain.find('/', i + 1))
      folders.insert(plain.substr(0, i));
    if (e.is_folder()) folders.insert(plain);
  }
  for (const std::string& name : names)
    if (folders.contains(name))
      findings.add(Rule::archive_duplicate, {name, 0, ""}, "it is both a file and a folder");
}

struct Platform {
  std::string_view name, extension;
};
constexpr auto kPlatforms = std::to_array<Platform>({{"win32", ".dll"},
                                                     {"win64", ".dll"},
                                                     {"linux32", ".so"},
                                                     {"linux64", ".so"},
                                                     {"darwin32", ".dylib"},
                                                     {"darwin64", ".dylib"}});

// FMI 3.0: <architecture>-<system>{-<abi>}
constexpr auto kSystems = std::to_array<Platform>(
    {{"windows", ".dll"}, {"linux", ".so"}, {"darwin", ".dylib"}, {"android", ".so"}});

void check_library(const FileContents& files, const std::string& identifier,
                   const std::set<std::string>& platforms, Findings& findings) {
  for (const std::string& platform : platforms) {
    const std::string_view extension = library_extension(platform);
    const std::string expected = fmt::format("binaries/{}/{}{}", platform, identifier, extension);
    if (!extension.empty() && !files.contains(expected))
      findings.add(Rule::archive_library_name, {"binaries/" + platform + "/", 0, ""},
                   fmt::format("there is no '{}'", printable(expected)));
  }
}

}  // namespace

std::string_view library_extension(std::string_view platform) {
  for (const Platform& p : kPlatforms)
    if (p.name == platform) return p.extension;
  const std::size_t dash = platform.find('-');
  if (dash == std::string_view::npos || dash == 0) return {};
  const std::string_view rest = platform.substr(dash + 1);
  const std::string_view system = rest.substr(0, rest.find('-'));
  for (const Platform& p : kSystems)
    if (p.name == system) return p.extension;
  return {};
}

FileContents check_archive(std::string_view bytes, const std::string& path, Findings& findings) {
  FileContents files;
  if (!lower_case(path).ends_with(".fmu"))
    findings.add(Rule::archive_extension, {}, "the file name does not end with .fmu");
  ZipFile zip;
  if (!zip.open(bytes)) {
    findings.add(Rule::archive_unreadable, {}, zip.fault());
    return files;
  }
  const ArchiveLimits limits;
  check_unique(zip.entries(), findings);
  if (zip.entries().size() > limits.files)
    findings.add(Rule::archive_size, {}, fmt::format("it has {} entries", zip.entries().size()));
  std::uint64_t rest = limits.unpacked_bytes;
  for (const ZipEntry& e : zip.entries()) {
    if (!check_entry(e, limits, findings) || e.is_folder()) continue;
    if (e.size > rest) {
      findings.add(Rule::archive_size, {},
                   fmt::format("it unpacks to more than {} bytes", limits.unpacked_bytes));
      break;
    }
    rest -= e.size;
    std::string why;
    if (std::optional<std::string> content = zip.unpack(e, why))
      files.emplace(e.name, std::move(*content));
    else
      findings.add(Rule::archive_entry_damaged, {e.name, 0, ""}, why);
  }
  if (!files.contains("modelDescription.xml")) {
    std::string elsewhere;
    for (const auto& [name, content] : files)
      if (name.ends_with("/modelDescription.xml") && elsewhere.empty()) elsewhere = name;
    findings.add(Rule::archive_no_description, {},
                 elsewhere.empty()
                     ? "there is no modelDescription.xml that can be read"
                     : fmt::format("modelDescription.xml is not at the root but at '{}'",
                                   printable(elsewhere)));
  }
  return files;
}

void check_layout(const FileContents& files, const ModelFacts& model, Findings& findings) {
  std::set<std::string> platforms;
  bool has_sources = false;
  for (const auto& [name, content] : files) {
    if (name.starts_with("sources/")) has_sources = true;
    if (!name.starts_with("binaries/")) continue;
    const std::size_t slash = name.find('/', 9);
    if (slash != std::string::npos) platforms.insert(name.substr(9, slash - 9));
  }
  if (platforms.empty() && !has_sources)
    findings.add(Rule::archive_no_implementation, {}, "it has neither binaries nor sources");
  for (const std::string& platform : platforms)
    if (library_extension(platform).empty())
      findings.add(Rule::archive_platform_unknown, {"binaries/" + platform + "/", 0, ""},
                   fmt::format("no platform is called '{}'", printable(platform)));
  for (const InterfaceFacts* interface : model.interfaces()) {
    check_library(files, interface->identifier, platforms, findings);
    for (const auto& [name, line] : interface->source_files)
      if (!files.contains("sources/" + name))
        findings.add(Rule::archive_source_missing, {"modelDescription.xml", line, ""},
                     fmt::format("there is no 'sources/{}'", printable(name)));
  }
}

}  // namespace mechfmu::fmu_check
