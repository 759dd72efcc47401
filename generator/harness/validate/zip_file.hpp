// A zip file looked at entry by entry, with every detail that the rules of an FMU's archive are
// about. Unlike package/archive.hpp, which refuses a file as a whole, a fault in one entry does not
// hide the others: validation goes on with what can be read.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu::fmu_check {

struct ZipEntry {
  std::string name;
  unsigned version_needed = 0;  // 20 = 2.0
  unsigned flags = 0;
  unsigned method = 0;
  unsigned crc = 0;
  std::uint64_t packed_size = 0, size = 0;
  unsigned made_by = 0;     // system in the high byte
  unsigned attributes = 0;  // external
  std::uint64_t local_offset = 0;
  std::string local_name;         // as the header before the data has it; "" if there is none
  std::uint64_t data_offset = 0;  // 0 if the header before the data is not there

  [[nodiscard]] bool is_folder() const { return !name.empty() && name.back() == '/'; }
};

class ZipFile {
 public:
  // Keeps a view of `bytes`. False: the table of contents is missing or damaged; fault() says how.
  bool open(std::string_view bytes);

  [[nodiscard]] const std::vector<ZipEntry>& entries() const { return entries_; }
  [[nodiscard]] const std::string& fault() const { return fault_; }

  // Nothing if the data are damaged, encrypted, or packed in a way we do not know; `why` says it.
  std::optional<std::string> unpack(const ZipEntry& entry, std::string& why) const;

 private:
  [[nodiscard]] std::uint64_t number(std::uint64_t at, int size) const;
  bool fail(std::string fault);

  std::string_view bytes_;
  std::vector<ZipEntry> entries_;
  std::string fault_;
};

}  // namespace mechfmu::fmu_check
