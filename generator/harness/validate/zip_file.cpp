#include "harness/validate/zip_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>

namespace mechfmu::fmu_check {
namespace {

// APPNOTE.TXT 4.3.7, 4.3.12, 4.3.16
constexpr std::string_view kLocal = "PK\x03\x04";
constexpr std::string_view kCentral = "PK\x01\x02";
constexpr std::string_view kEnd = "PK\x05\x06";
constexpr std::uint64_t kLocalSize = 30;
constexpr std::uint64_t kCentralSize = 46;
constexpr std::uint64_t kEndSize = 22;

std::optional<std::string> inflate_raw(std::string_view packed, std::uint64_t size) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
  std::string content;
  std::array<char, 1 << 16> buffer{};
  // zlib does not change its input but does not say so
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int status = Z_OK;
  while (status == Z_OK && content.size() <= size) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    content.append(buffer.data(), buffer.size() - stream.avail_out);
    if (status == Z_OK && stream.avail_in == 0 && stream.avail_out > 0) break;  // cut off
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) return std::nullopt;
  return content;
}

}  // namespace

std::uint64_t ZipFile::number(std::uint64_t at, int size) const {
  std::uint64_t value = 0;
  for (int i = size - 1; i >= 0; --i)
    value = value << 8U | static_cast<unsigned char>(bytes_[at + static_cast<std::uint64_t>(i)]);
  return value;
}

bool ZipFile::fail(std::string fault) {
  fault_ = std::move(fault);
  return false;
}

bool ZipFile::open(std::string_view bytes) {
  bytes_ = bytes;
  entries_.clear();
  const std::size_t end = bytes.rfind(kEnd);
  if (end == std::string_view::npos || bytes.size() - end < kEndSize)
    return fail("it is not a zip file, or its end is missing");
  if (end + kEndSize + number(end + 20, 2) != bytes.size())
    return fail("the zip file goes on behind its end, or its comment is cut off");
  if (number(end + 4, 2) != 0 || number(end + 6, 2) != 0)
    return fail("it is one part of a zip file that was split");
  const std::uint64_t count = number(end + 10, 2);
  std::uint64_t at = number(end + 16, 4);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (at > end || end - at < kCentralSize || bytes.compare(at, 4, kCentral) != 0)
      return fail(fmt::format("the table of contents is damaged at entry {} of {}", i + 1, count));
    const std::uint64_t name_size = number(at + 28, 2);
    const std::uint64_t whole = kCentralSize + name_size + number(at + 30, 2) + number(at + 32, 2);
    if (end - at < whole)
      return fail(fmt::format("the table of contents is damaged at entry {} of {}", i + 1, count));
    ZipEntry e;
    e.made_by = static_cast<unsigned>(number(at + 4, 2));
    e.version_needed = static_cast<unsigned>(number(at + 6, 1));
    e.flags = static_cast<unsigned>(number(at + 8, 2));
    e.method = static_cast<unsigned>(number(at + 10, 2));
    e.crc = static_cast<unsigned>(number(at + 16, 4));
    e.packed_size = number(at + 20, 4);
    e.size = number(at + 24, 4);
    e.attributes = static_cast<unsigned>(number(at + 38, 4));
    e.local_offset = number(at + 42, 4);
    e.name = bytes.substr(at + kCentralSize, name_size);
    const std::uint64_t local = e.local_offset;
    if (local < end && end - local >= kLocalSize && bytes.compare(local, 4, kLocal) == 0) {
      const std::uint64_t local_name_size = number(local + 26, 2);
      const std::uint64_t header = kLocalSize + local_name_size + number(local + 28, 2);
      if (end - local >= header) {
        e.local_name = bytes.substr(local + kLocalSize, local_name_size);
        e.data_offset = local + header;
        e.version_needed = std::max(e.version_needed, static_cast<unsigned>(number(local + 4, 1)));
        e.flags |= static_cast<unsigned>(number(local + 6, 2)) & 8U;
      }
    }
    entries_.push_back(std::move(e));
    at += whole;
  }
  return true;
}

std::optional<std::string> ZipFile::unpack(const ZipEntry& entry, std::string& why) const {
  const auto refuse = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  if (entry.data_offset == 0) return refuse("the header before its data is missing");
  if (entry.packed_size > bytes_.size() - entry.data_offset)
    return refuse("its data go beyond the end of the file");
  if ((entry.flags & 1U) != 0) return refuse("it is encrypted");
  const std::string_view packed = bytes_.substr(entry.data_offset, entry.packed_size);
  std::optional<std::string> content;
  if (entry.method == 0)
    content = std::string(packed);
  else if (entry.method == Z_DEFLATED)
    content = inflate_raw(packed, entry.size);
  else
    return refuse(fmt::format("compression method {} is unknown", entry.method));
  if (!content) return refuse("its data cannot be unpacked");
  if (content->size() != entry.size)
    return refuse(fmt::format("its data are not the {} bytes promised", entry.size));
  const uLong crc =
      crc32(0, reinterpret_cast<const Bytef*>(content->data()), static_cast<uInt>(content->size()));
  if (crc != entry.crc) return refuse("its checksum is wrong");
  return content;
}

}  // namespace mechfmu::fmu_check
