#include <minizip/zip.h>
#include <sys/stat.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "package/archive.hpp"
#include "package/archive_name.hpp"
#include "package/memory_stream.hpp"
#include "support/assert.hpp"

namespace mechfmu {
namespace {

constexpr uLong kDosDate =
    (1U << 21) | (1U << 16);               // 1980-01-01 00:00, the earliest date zip knows
constexpr uLong kMadeBy = (3U << 8) | 20;  // Unix attributes, version 2.0
constexpr uLong kDosFolder = 0x10;
constexpr uLong kNameIsUtf8 = 1U << 11;
constexpr int kMemoryLevel = 8;  // zlib's default, which zlib.h does not name

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80U; });
}

void add_entry(zipFile zip, const std::string& name, const std::string& content, uLong attributes) {
  zip_fileinfo info{};
  info.dosDate = kDosDate;
  info.external_fa = attributes;
  // an empty entry is stored: deflating nothing takes two bytes and some readers dislike it for
  // folders
  const int method = content.empty() ? 0 : Z_DEFLATED;
  int status =
      zipOpenNewFileInZip4_64(zip, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, method,
                              Z_BEST_COMPRESSION, 0, -MAX_WBITS, kMemoryLevel, Z_DEFAULT_STRATEGY,
                              nullptr, 0, kMadeBy, is_ascii(name) ? 0 : kNameIsUtf8, 0);
  MECHFMU_ASSERT(status == ZIP_OK, "an entry in memory can be begun");
  status = zipWriteInFileInZip(zip, content.data(), static_cast<unsigned>(content.size()));
  MECHFMU_ASSERT(status == ZIP_OK, "an entry in memory can be written");
  status = zipCloseFileInZip(zip);
  MECHFMU_ASSERT(status == ZIP_OK, "an entry in memory can be ended");
}

}  // namespace

std::string make_archive(const std::vector<ArchiveFile>& files) {
  MemoryStream stream;
  zlib_filefunc64_def functions = make_memory_functions(stream);
  const auto close = [](void* handle) { zipClose(handle, nullptr); };
  std::unique_ptr<void, decltype(close)> owner(
      zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions), close);
  zipFile zip = owner.get();
  MECHFMU_ASSERT(zip != nullptr, "an archive in memory can be begun");

  std::set<std::string> written;
  for (const ArchiveFile& file : files) {
    MECHFMU_ASSERT(find_name_fault(file.name).empty() && file.name.back() != '/',
                   "'" + file.name + "' must be a clean relative name");
    MECHFMU_ASSERT(file.content.size() <= std::numeric_limits<std::int32_t>::max(),
                   "a file of an FMU must be below 2 GB");
    for (std::size_t slash = file.name.find('/'); slash != std::string::npos;
         slash = file.name.find('/', slash + 1)) {
      const std::string folder = file.name.substr(0, slash + 1);
      if (written.insert(folder).second)
        add_entry(zip, folder, "", (uLong{S_IFDIR | 0755} << 16) | kDosFolder);
    }
    MECHFMU_ASSERT(written.insert(file.name).second, "'" + file.name + "' must be unique");
    add_entry(zip, file.name, file.content,
              uLong{S_IFREG | (file.executable ? 0755U : 0644U)} << 16);
  }
  const int status = zipClose(owner.release(), nullptr);
  MECHFMU_ASSERT(status == ZIP_OK, "an archive in memory can be ended");
  return std::move(stream.bytes);
}

}  // namespace mechfmu
