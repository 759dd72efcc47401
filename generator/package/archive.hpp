// Zip files as FMI 2.0 wants them, written and read in memory.
//
// Writing is deterministic: order as given, every date 1980-01-01, fixed attributes, so that the
// same content gives the same bytes anywhere. Names have forward slashes; a folder's entry stands
// before the files in it; no data descriptors, no zip64, no extra fields, version needed 2.0 (P4:
// each of these has broken an importer).
//
// Reading trusts nothing: an FMU comes from somebody else. All names and sizes are checked before
// the first byte is unpacked; links, absolute names, "..", encryption, and sizes out of proportion
// are refused. Nothing outside the given folder is ever written.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostic.hpp"

namespace mechfmu {

struct ArchiveFile {
  std::string name;  // "binaries/linux64/FourBar.so"
  std::string content;
  bool executable = false;  // mode 0755 instead of 0644
};

// The bytes of the archive. Names must be relative, clean and unique.
std::string make_archive(const std::vector<ArchiveFile>& files);

// An FMU with a few hundred megabytes of tables is legal; a zip bomb is not.
struct ArchiveLimits {
  std::size_t files = 20'000;
  std::uint64_t archive_bytes = std::uint64_t{1} << 30;
  std::uint64_t unpacked_bytes = std::uint64_t{2} << 30;     // of all files together
  std::uint64_t ratio = 400;                                 // unpacked / packed of one file ...
  std::uint64_t ratio_free_bytes = std::uint64_t{16} << 20;  // ... larger than this
};

// The files of an archive (folders are left out) in its order; nothing if any of it was refused.
std::optional<std::vector<ArchiveFile>> read_archive(const std::string& path,
                                                     Diagnostics& diagnostics,
                                                     const ArchiveLimits& limits = {});

// One file of an archive, without unpacking the others: modelDescription.xml for `info`.
std::optional<std::string> read_archive_file(const std::string& path, const std::string& name,
                                             Diagnostics& diagnostics,
                                             const ArchiveLimits& limits = {});

// Unpacks into `folder`, which is made if it does not exist and must be empty. False if anything
// was refused; the folder may then hold a part of the files.
bool extract_archive(const std::string& path, const std::string& folder, Diagnostics& diagnostics,
                     const ArchiveLimits& limits = {});

}  // namespace mechfmu
