#include "scene/png.hpp"

#include <zlib.h>

#include "support/assert.hpp"

namespace mechfmu {

namespace {

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>(static_cast<unsigned char>(value >> shift));
  return bytes;
}

const Bytef* bytes_of(const std::string& text) {
  return reinterpret_cast<const Bytef*>(text.data());
}

// Length, type, data, checksum of type and data.
std::string chunk(const std::string& type, const std::string& data) {
  const std::string checked = type + data;
  const uLong checksum =
      crc32(crc32(0, nullptr, 0), bytes_of(checked), static_cast<uInt>(checked.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + checked +
         big_endian(static_cast<std::uint32_t>(checksum));
}

}  // namespace

std::string make_png(const Image& image) {
  std::string rows;
  for (int y = 0; y < image.height; ++y) {
    rows += '\0';  // filter of the row: none
    for (int x = 0; x < image.width; ++x) {
      const Color& c =
          image.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                       static_cast<std::size_t>(x)];
      for (const std::uint8_t part : {c.red, c.green, c.blue}) rows += static_cast<char>(part);
    }
  }
  uLongf size = compressBound(static_cast<uLong>(rows.size()));
  std::string packed(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size, bytes_of(rows),
                               static_cast<uLong>(rows.size()), 9);
  MECHFMU_ASSERT(status == Z_OK, "the buffer is as large as zlib asks for");
  packed.resize(size);

  const std::string header = big_endian(static_cast<std::uint32_t>(image.width)) +
                             big_endian(static_cast<std::uint32_t>(image.height)) +
                             std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", packed) + chunk("IEND", "");
}

}  // namespace mechfmu
