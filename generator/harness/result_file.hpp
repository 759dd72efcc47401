// A result that is written piece by piece: it appears under its name when it is complete, and a
// failure leaves what was there before. Written beside its place and renamed; pipes and devices are
// written directly.
#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "package/interrupt.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu {

class ResultFile {
 public:
  // "" is the standard output. nullptr and S632 if it cannot be opened.
  static std::unique_ptr<ResultFile> open(const std::string& path, Diagnostics& diagnostics);

  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;
  ~ResultFile();  // without commit(): nothing is left

  bool write(std::string_view text);  // false: it failed, now or before
  // Complete: flushed and renamed. False and S633 if that, or a write before, failed.
  bool commit(Diagnostics& diagnostics);
  // The reader of a pipe has gone: no error to speak of.
  [[nodiscard]] bool is_abandoned() const;

 private:
  ResultFile() = default;
  void fail();

  std::string path_;    // as given
  std::string target_;  // links resolved
  std::FILE* stream_ = nullptr;
  std::unique_ptr<RemovedPath> part_;  // the file that will be renamed
  int error_ = 0;
};

}  // namespace mechfmu
