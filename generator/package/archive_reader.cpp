#include <fmt/format.h>
#include <minizip/unzip.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "package/archive.hpp"
#include "package/archive_name.hpp"
#include "package/file_io.hpp"
#include "package/memory_stream.hpp"

namespace mechfmu {
namespace {

constexpr uLong kEncrypted = 1;
constexpr uLong kMadeByUnix = 3;
constexpr uLong kMadeByMac = 19;

struct Entry {
  std::string name;  // a folder ends with '/'
  std::uint64_t size = 0;
  bool executable = false;
  unz64_file_pos position{};

  [[nodiscard]] bool is_folder() const { return name.back() == '/'; }
};

// Whether the last record of the archive is complete and ends with the file. minizip takes a record
// that is cut off for one with zeros in it: an empty archive.
bool has_complete_end(const std::string& bytes) {
  constexpr std::string_view kSignature = "PK\x05\x06";
  constexpr std::size_t kRecordSize = 22;
  const std::size_t at = bytes.rfind(kSignature);
  if (at == std::string::npos || bytes.size() - at < kRecordSize) return false;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
  const std::size_t comment = byte(20) + 256U * byte(21);
  return at + kRecordSize + comment == bytes.size();
}

class Reader {
 public:
  Reader(const std::string& path, const ArchiveLimits& limits, Diagnostics& diagnostics)
      : path_(path), limits_(limits), diagnostics_(diagnostics) {}
  ~Reader() {
    if (zip_ != nullptr) unzClose(zip_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // Opens the archive and checks every name and size in its directory.
  bool open() {
    if (const std::string reason = read_file(path_, limits_.archive_bytes, stream_.bytes);
        !reason.empty()) {
      diagnostics_.error("S620", {}, fmt::format("cannot read '{}': {}", path_, reason));
      return false;
    }
    zlib_filefunc64_def functions = make_memory_functions(stream_);
    if (has_complete_end(stream_.bytes)) zip_ = unzOpen2_64("", &functions);
    unz_global_info64 global{};
    if (zip_ == nullptr || unzGetGlobalInfo64(zip_, &global) != UNZ_OK) {
      diagnostics_.error("E601", {}, fmt::format("'{}' is not a zip file, or it is cut off", path_),
                         "an FMU is a zip file; copy or download it again");
      return false;
    }
    if (global.number_entry > limits_.files) {
      diagnostics_.error("E603", {},
                         fmt::format("'{}' holds {} files, more than the {} that are accepted",
                                     path_, global.number_entry, limits_.files));
      return false;
    }
    const int errors_before = diagnostics_.error_count();
    int status = global.number_entry > 0 ? unzGoToFirstFile(zip_) : UNZ_END_OF_LIST_OF_FILE;
    for (; status == UNZ_OK; status = unzGoToNextFile(zip_)) read_entry();
    if (status != UNZ_END_OF_LIST_OF_FILE || entries_.size() + refused_ != global.number_entry)
      diagnostics_.error("E601", {}, fmt::format("'{}' has a damaged table of contents", path_));
    check_sizes();
    check_names();
    return diagnostics_.error_count() == errors_before;
  }

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  // Nothing if the data are damaged; never more than the size that was checked.
  std::optional<std::string> unpack(const Entry& entry) {
    unz64_file_pos position = entry.position;
    if (unzGoToFilePos64(zip_, &position) != UNZ_OK || unzOpenCurrentFile(zip_) != UNZ_OK) {
      refuse("E604", entry.name, "its header is damaged");
      return std::nullopt;
    }
    std::string content;
    std::array<char, 1 << 16> buffer{};
    int count = 0;
    while (content.size() <= entry.size &&
           (count = unzReadCurrentFile(zip_, buffer.data(), buffer.size())) > 0)
      content.append(buffer.data(), static_cast<std::size_t>(count));
    const int closed = unzCloseCurrentFile(zip_);
    if (count >= 0 && content.size() == entry.size && closed == UNZ_OK) return content;
    refuse("E604", entry.name,
           closed == UNZ_CRCERROR ? "its checksum is wrong" : "its data are damaged");
    return std::nullopt;
  }

  bool refuse(const char* code, std::string_view name, std::string_view why) {
    // a hostile name must not reach the terminal as it is
    std::string shown(name.substr(0, 120));
    std::replace_if(
        shown.begin(), shown.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7F; }, '?');
    diagnostics_.error(code, {}, fmt::format("'{}': entry '{}' is refused: {}", path_, shown, why));
    return false;
  }

 private:
  void read_entry() {
    unz_file_info64 info{};
    std::array<char, 2048> name{};
    if (unzGetCurrentFileInfo64(zip_, &info, name.data(), name.size(), nullptr, 0, nullptr, 0) !=
        UNZ_OK)
      return;  // counted: the table of contents is damaged
    Entry entry;
    entry.name.assign(name.data(), std::min<std::size_t>(info.size_filename, name.size() - 1));
    if (!is_acceptable(entry.name, info)) {
      ++refused_;
      return;
    }
    entry.size = info.uncompressed_size;
    entry.executable = is_unix(info) && (info.external_fa >> 16 & 0111U) != 0;
    if (unzGetFilePos64(zip_, &entry.position) == UNZ_OK) entries_.push_back(std::move(entry));
  }

  static bool is_unix(const unz_file_info64& info) {
    return info.version >> 8 == kMadeByUnix || info.version >> 8 == kMadeByMac;
  }

  bool is_acceptable(const std::string& name, const unz_file_info64& info) {
    if (const std::string_view fault = find_name_fault(name); !fault.empty())
      return refuse("E602", name, fault);
    const auto type = static_cast<mode_t>(info.external_fa >> 16) & S_IFMT;
    if (is_unix(info) && type == S_IFLNK) return refuse("E602", name, "it is a link");
    if (is_unix(info) && type != 0 && type != S_IFREG && type != S_IFDIR)
      return refuse("E602", name, "it is a device, pipe or socket");
    if ((info.flag & kEncrypted) != 0) return refuse("E604", name, "it is encrypted");
    if (info.compression_method != 0 && info.compression_method != Z_DEFLATED)
      return refuse(
          "E604", name,
          fmt::format("compression method {} is not allowed in an FMU", info.compression_method));
    if (name.back() == '/' && info.uncompressed_size != 0)
      return refuse("E604", name, "a folder has content");
    // divided, not multiplied: the sizes are whatever the file says
    if (info.uncompressed_size > limits_.ratio_free_bytes &&
        info.uncompressed_size / limits_.ratio >= info.compressed_size)
      return refuse("E603", name,
                    fmt::format("it would grow from {} to {} bytes", info.compressed_size,
                                info.uncompressed_size));
    return true;
  }

  void check_sizes() {
    std::uint64_t rest = limits_.unpacked_bytes;
    for (const Entry& entry : entries_) {
      if (entry.size > rest) {
        diagnostics_.error(
            "E603", {},
            fmt::format("'{}' would unpack to more than {} bytes", path_, limits_.unpacked_bytes));
        return;
      }
      rest -= entry.size;
    }
  }

  // Two entries of one name, or a file that another entry uses as a folder: what is unpacked would
  // depend on the program that unpacks.
  void check_names() {
    std::set<std::string, std::less<>> files;
    std::set<std::string, std::less<>> folders;
    for (const Entry& entry : entries_) {
      if (entry.is_folder())
        folders.insert(entry.name.substr(0, entry.name.size() - 1));
      else if (!files.insert(entry.name).second)
        refuse("E602", entry.name, "there are two of this name");
      for (std::size_t slash = entry.name.find('/'); slash != std::string::npos;
           slash = entry.name.find('/', slash + 1))
        folders.insert(entry.name.substr(0, slash));
    }
    for (const std::string& file : files)
      if (folders.contains(file)) refuse("E602", file, "it is both a file and a folder");
  }

  const std::string& path_;
  const ArchiveLimits& limits_;
  Diagnostics& diagnostics_;
  MemoryStream stream_;
  unzFile zip_ = nullptr;
  std::vector<Entry> entries_;
  std::size_t refused_ = 0;
};

}  // namespace

std::optional<std::vector<ArchiveFile>> read_archive(const std::string& path,
                                                     Diagnostics& diagnostics,
                                                     const ArchiveLimits& limits) {
  Reader reader(path, limits, diagnostics);
  if (!reader.open()) return std::nullopt;
  std::vector<ArchiveFile> files;
  for (const Entry& entry : reader.entries()) {
    if (entry.is_folder()) continue;
    std::optional<std::string> content = reader.unpack(entry);
    if (!content) return std::nullopt;
    files.push_back({entry.name, std::move(*content), entry.executable});
  }
  return files;
}

std::optional<std::string> read_archive_file(const std::string& path, const std::string& name,
                                             Diagnostics& diagnostics,
                                             const ArchiveLimits& limits) {
  Reader reader(path, limits, diagnostics);
  if (!reader.open()) return std::nullopt;
  for (const Entry& entry : reader.entries())
    if (entry.name == name) return reader.unpack(entry);
  diagnostics.error("E604", {}, fmt::format("'{}' holds no file '{}'", path, name));
  return std::nullopt;
}

bool extract_archive(const std::string& path, const std::string& folder, Diagnostics& diagnostics,
                     const ArchiveLimits& limits) {
  Reader reader(path, limits, diagnostics);
  if (!reader.open()) return false;

  const auto fail = [&](const std::string& what, const std::string& reason) {
    diagnostics.error("S621", {},
                      fmt::format("cannot unpack '{}' to '{}': {}", path, what, reason));
    return false;
  };
  std::error_code error;
  if (const std::string reason = make_folders(folder); !reason.empty()) return fail(folder, reason);
  if (!std::filesystem::is_empty(folder, error)) return fail(folder, "the folder is not empty");

  for (const Entry& entry : reader.entries()) {
    const std::string target = folder + "/" + entry.name;
    const std::string above = target.substr(0, target.rfind('/'));
    if (const std::string reason = make_folders(above); !reason.empty()) return fail(above, reason);
    if (entry.is_folder()) continue;
    const std::optional<std::string> content = reader.unpack(entry);
    if (!content) return false;
    if (const std::string reason = write_file(target, *content, IfExists::fail); !reason.empty())
      return fail(target, reason);
    if (entry.executable) {
      using std::filesystem::perms;
      std::filesystem::permissions(target, perms::owner_exec, std::filesystem::perm_options::add,
                                   error);
    }
  }
  return true;
}

}  // namespace mechfmu
