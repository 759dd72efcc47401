// minizip reads and writes through a table of functions; this one keeps the file in memory, so that
// a whole archive is written to disk by one careful write, and so that reading cannot be disturbed
// by a file that changes meanwhile.
#pragma once
#include <minizip/ioapi.h>

#include <cstddef>
#include <string>

namespace mechfmu {

struct MemoryStream {
  std::string bytes;
  std::size_t position = 0;
};

// For zipOpen2_64 and unzOpen2_64; `stream` must outlive the archive's handle.
zlib_filefunc64_def make_memory_functions(MemoryStream& stream);

}  // namespace mechfmu
