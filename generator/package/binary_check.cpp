#include "package/binary_check.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <map>

namespace mechfmu {
namespace {

constexpr std::size_t kMostSections = 4096;
constexpr std::size_t kMostSymbols = 1'000'000;
constexpr Elf64_Half kVersionMask = 0x7fff;  // the top bit of a version index says "hidden"

// Reads structures at offsets that the file itself gives: every access is checked, a bad one yields
// nothing.
class ElfReader {
 public:
  explicit ElfReader(std::string_view bytes) : bytes_(bytes) {}

  template <class Structure>
  [[nodiscard]] std::optional<Structure> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || sizeof(Structure) > bytes_.size() - offset) return std::nullopt;
    Structure value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  // Element `index` of a table in a section.
  template <class Structure>
  [[nodiscard]] std::optional<Structure> at(const Elf64_Shdr& section, std::uint64_t index) const {
    if (index >= section.sh_size / sizeof(Structure)) return std::nullopt;
    if (section.sh_offset > bytes_.size()) return std::nullopt;
    return at<Structure>(section.sh_offset + index * sizeof(Structure));
  }

  // A text in a string section; nothing if it is not there or not ended.
  [[nodiscard]] std::optional<std::string> text(const Elf64_Shdr& section,
                                                std::uint64_t offset) const {
    if (section.sh_offset > bytes_.size() || section.sh_size > bytes_.size() - section.sh_offset)
      return std::nullopt;
    const std::string_view table = bytes_.substr(section.sh_offset, section.sh_size);
    if (offset >= table.size()) return std::nullopt;
    const std::size_t end = table.find('\0', offset);
    if (end == std::string_view::npos) return std::nullopt;
    return std::string(table.substr(offset, end - offset));
  }

  [[nodiscard]] std::optional<Elf64_Shdr> section(std::uint64_t index) const {
    const std::optional<Elf64_Ehdr> header = at<Elf64_Ehdr>(0);
    if (!header || index >= header->e_shnum || header->e_shnum > kMostSections) return std::nullopt;
    if (header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff > bytes_.size())
      return std::nullopt;
    return at<Elf64_Shdr>(header->e_shoff + index * sizeof(Elf64_Shdr));
  }

  [[nodiscard]] std::optional<Elf64_Shdr> find_section(Elf64_Word type) const {
    for (std::uint64_t i = 0;; ++i) {
      const std::optional<Elf64_Shdr> one = section(i);
      if (!one || one->sh_type == type) return one;
    }
  }

 private:
  std::string_view bytes_;
};

std::string find_header_fault(const ElfReader& elf) {
  const auto header = elf.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return "it is not an ELF file";
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return "it is not a 64-bit little-endian ELF file";
  if (header->e_type != ET_DYN) return "it is not a shared library";
  return {};
}

constexpr std::string_view kGlibcPrefix = "GLIBC_";

// "GLIBC_2.2.5" -> 2.2.5; nothing for other namespaces and for GLIBC_PRIVATE.
std::optional<GlibcVersion> parse_glibc(std::string_view name) {
  if (!name.starts_with(kGlibcPrefix)) return std::nullopt;
  name.remove_prefix(kGlibcPrefix.size());
  std::array<int, 3> parts{};
  for (int& part : parts) {
    const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), part);
    if (status != std::errc()) return std::nullopt;
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    if (name.empty()) return GlibcVersion{parts[0], parts[1], parts[2]};
    if (name.front() != '.') return std::nullopt;
    name.remove_prefix(1);
  }
  return std::nullopt;
}

// Version index -> version name, over all libraries needed.
std::map<unsigned, std::string> read_versions(const ElfReader& elf, const Elf64_Shdr& strings) {
  std::map<unsigned, std::string> versions;
  const auto section = elf.find_section(SHT_GNU_verneed);
  if (!section) return versions;
  std::uint64_t offset = section->sh_offset;
  for (std::size_t i = 0; i < kMostSections; ++i) {
    const auto need = elf.at<Elf64_Verneed>(offset);
    if (!need) break;
    std::uint64_t inner = offset + need->vn_aux;
    for (unsigned k = 0; k < need->vn_cnt; ++k) {
      const auto version = elf.at<Elf64_Vernaux>(inner);
      if (!version) break;
      if (const auto name = elf.text(strings, version->vna_name))
        versions[version->vna_other & kVersionMask] = *name;
      if (version->vna_next == 0) break;
      inner += version->vna_next;
    }
    if (need->vn_next == 0) break;
    offset += need->vn_next;
  }
  return versions;
}

bool read_needed(const ElfReader& elf, BinaryReport& report) {
  const auto dynamic = elf.find_section(SHT_DYNAMIC);
  if (!dynamic) return false;
  const auto strings = elf.section(dynamic->sh_link);
  if (!strings) return false;
  for (std::uint64_t i = 0;; ++i) {
    const auto entry = elf.at<Elf64_Dyn>(*dynamic, i);
    if (!entry || entry->d_tag == DT_NULL) return true;
    if (entry->d_tag != DT_NEEDED) continue;
    const auto name = elf.text(*strings, entry->d_un.d_val);
    if (!name) return false;
    report.needed.push_back(*name);
  }
}

bool read_symbols(const ElfReader& elf, BinaryReport& report) {
  const auto symbols = elf.find_section(SHT_DYNSYM);
  if (!symbols || symbols->sh_size / sizeof(Elf64_Sym) > kMostSymbols) return false;
  const auto strings = elf.section(symbols->sh_link);
  if (!strings) return false;
  const auto version_of_symbol = elf.find_section(SHT_GNU_versym);
  const std::map<unsigned, std::string> versions = read_versions(elf, *strings);
  for (const auto& [index, name] : versions)
    if (name.starts_with(kGlibcPrefix) && !parse_glibc(name)) report.odd_versions.push_back(name);

  for (std::uint64_t i = 1; i < symbols->sh_size / sizeof(Elf64_Sym); ++i) {
    const auto symbol = elf.at<Elf64_Sym>(*symbols, i);
    if (!symbol) return false;
    const auto name = elf.text(*strings, symbol->st_name);
    if (!name) return false;
    if (name->empty() || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL) continue;
    (symbol->st_shndx == SHN_UNDEF ? report.imports : report.exports).push_back(*name);
    if (symbol->st_shndx != SHN_UNDEF || !version_of_symbol) continue;
    const auto index = elf.at<Elf64_Half>(*version_of_symbol, i);
    if (!index) return false;
    const auto version = versions.find(*index & kVersionMask);
    if (version == versions.end()) continue;
    const std::optional<GlibcVersion> glibc = parse_glibc(version->second);
    if (glibc && *glibc > report.glibc) {
      report.glibc = *glibc;
      report.glibc_symbol = *name;
    }
  }
  std::sort(report.exports.begin(), report.exports.end());
  std::sort(report.imports.begin(), report.imports.end());
  return true;
}

std::string join(const std::vector<std::string>& words) {
  constexpr std::size_t kListed = 12;
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < kListed; ++i)
    text += (i > 0 ? ", " : "") + words[i];
  if (words.size() > kListed) text += fmt::format(" and {} more", words.size() - kListed);
  return text;
}

}  // namespace

std::string version_text(const GlibcVersion& version) {
  std::string text = fmt::format("{}.{}", version.major, version.minor);
  if (version.patch != 0) text += fmt::format(".{}", version.patch);
  return text;
}

std::optional<BinaryReport> read_binary(std::string_view bytes, Diagnostics& diagnostics) {
  const ElfReader elf(bytes);
  std::string fault = find_header_fault(elf);
  BinaryReport report;
  if (fault.empty() && !(read_needed(elf, report) && read_symbols(elf, report)))
    fault = "its tables of symbols and libraries are missing or damaged";
  if (!fault.empty()) {
    diagnostics.error("E605", {}, "the library cannot be examined: " + fault);
    return std::nullopt;
  }
  const Elf64_Half machine = elf.at<Elf64_Ehdr>(0)->e_machine;
  report.machine = machine == EM_X86_64    ? "x86-64"
                   : machine == EM_AARCH64 ? "aarch64"
                                           : fmt::format("machine {}", machine);
  return report;
}

std::vector<std::string> find_export_names(std::string_view version_script) {
  std::vector<std::string> names;
  const std::size_t begin = version_script.find("global:");
  const std::size_t end = version_script.find("local:", begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) return names;
  std::string name;
  for (const char c : version_script.substr(begin + 7, end - begin - 7)) {
    if (c == ';' && !name.empty()) names.push_back(name);
    if (c == ';')
      name.clear();
    else if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
      name += c;
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool check_binary(const BinaryReport& report, const std::vector<std::string>& expected_exports,
                  Diagnostics& diagnostics) {
  const int errors_before = diagnostics.error_count();

  std::vector<std::string> foreign;
  for (const std::string& name : report.needed)
    if (name != "libm.so.6" && name != "libc.so.6" && !name.starts_with("ld-linux"))
      foreign.push_back(name);
  if (!foreign.empty())
    diagnostics.error(
        "S603", {},
        fmt::format("the library needs {}; an FMU may need libm and libc only", join(foreign)));

  if (report.glibc > kNewestGlibc)
    diagnostics.error(
        "S604", {},
        fmt::format("the library needs glibc {} (because of '{}'); the newest allowed is {}",
                    version_text(report.glibc), report.glibc_symbol, version_text(kNewestGlibc)));

  if (!report.odd_versions.empty())
    diagnostics.error("S604", {},
                      fmt::format("the library needs {}, which only some versions of glibc have",
                                  join(report.odd_versions)));

  std::vector<std::string> missing;
  std::vector<std::string> surplus;
  std::set_difference(expected_exports.begin(), expected_exports.end(), report.exports.begin(),
                      report.exports.end(), std::back_inserter(missing));
  std::set_difference(report.exports.begin(), report.exports.end(), expected_exports.begin(),
                      expected_exports.end(), std::back_inserter(surplus));
  if (!missing.empty())
    diagnostics.error("S605", {}, fmt::format("the library does not export {}", join(missing)));
  if (!surplus.empty())
    diagnostics.error(
        "S605", {}, fmt::format("the library exports {} as well", join(surplus)),
        "only the functions of FMI may be visible: libraries in one process would share the rest");
  return diagnostics.error_count() == errors_before;
}

}  // namespace mechfmu
