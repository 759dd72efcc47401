// Zip files byte by byte, as APPNOTE.TXT describes them: a reader for what our writer writes, and a
// writer for what nobody should write.
#pragma once
#include <zlib.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace mechfmu::test {

inline unsigned load(const std::string& bytes, std::size_t at, int size) {
  unsigned value = 0;
  for (int i = size - 1; i >= 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes.at(at + static_cast<std::size_t>(i)));
  return value;
}

inline std::string store(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFFU);
  return bytes;
}

struct CentralHeader {
  int version_needed, flags, method, time, date, extra_size, comment_size, local_flags,
      local_extra_size;
  unsigned packed_size, size, local_size, attributes;
  std::string name;
};

inline std::vector<CentralHeader> read_central_headers(const std::string& zip) {
  const std::size_t end = zip.rfind("PK\x05\x06");
  if (end == std::string::npos) throw std::runtime_error("no end of central directory");
  const auto number = [&](std::size_t at) { return static_cast<int>(load(zip, at, 2)); };
  std::vector<CentralHeader> headers;
  std::size_t at = load(zip, end + 16, 4);
  for (unsigned i = 0; i < load(zip, end + 10, 2); ++i) {
    if (zip.compare(at, 4, "PK\x01\x02") != 0) throw std::runtime_error("no central header");
    const std::size_t local = load(zip, at + 42, 4);
    if (zip.compare(local, 4, "PK\x03\x04") != 0) throw std::runtime_error("no local header");
    const unsigned name_size = load(zip, at + 28, 2);
    headers.push_back({number(at + 6), number(at + 8), number(at + 10), number(at + 12),
                       number(at + 14), number(at + 30), number(at + 32), number(local + 6),
                       number(local + 28), load(zip, at + 20, 4), load(zip, at + 24, 4),
                       load(zip, local + 22, 4), load(zip, at + 38, 4),
                       zip.substr(at + 46, name_size)});
    at += 46 + name_size + load(zip, at + 30, 2) + load(zip, at + 32, 2);
  }
  return headers;
}

// One entry with anything in it.
struct RawEntry {
  std::string name;
  std::string data;         // as it stands in the file
  unsigned mode = 0100644;  // Unix mode
  unsigned method = 0;
  unsigned flags = 0;
  unsigned size = 0;  // claimed unpacked size; 0 = that of the data
  unsigned crc = 0;   // 0 = that of the data
};

inline std::string make_raw_zip(const std::vector<RawEntry>& entries) {
  std::string zip;
  std::string directory;
  for (const RawEntry& e : entries) {
    const auto data_size = static_cast<unsigned>(e.data.size());
    const auto* bytes = reinterpret_cast<const Bytef*>(e.data.data());
    const unsigned crc = e.crc != 0 ? e.crc : static_cast<unsigned>(crc32(0, bytes, data_size));
    const std::string common = store(20, 2) + store(e.flags, 2) + store(e.method, 2) +
                               store(0x210000, 4) + store(crc, 4) + store(data_size, 4) +
                               store(e.size != 0 ? e.size : data_size, 4) +
                               store(static_cast<unsigned>(e.name.size()), 2) + store(0, 2);
    directory += "PK\x01\x02" + store(3U << 8 | 20, 2) + common + store(0, 6) +
                 store(e.mode << 16, 4) + store(static_cast<unsigned>(zip.size()), 4) + e.name;
    zip += "PK\x03\x04" + common + e.name + e.data;
  }
  const auto count = static_cast<unsigned>(entries.size());
  return zip + directory + "PK\x05\x06" + store(0, 4) + store(count, 2) + store(count, 2) +
         store(static_cast<unsigned>(directory.size()), 4) +
         store(static_cast<unsigned>(zip.size()), 4) + store(0, 2);
}

}  // namespace mechfmu::test
