#include "harness/result_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "package/file_io.hpp"

namespace mechfmu {

namespace fs = std::filesystem;

std::unique_ptr<ResultFile> ResultFile::open(const std::string& path, Diagnostics& diagnostics) {
  std::unique_ptr<ResultFile> file(new ResultFile);
  file->path_ = path;
  if (path.empty()) {
    file->stream_ = stdout;
    return file;
  }
  const auto refuse = [&](const std::string& reason, std::string hint = {}) {
    diagnostics.error("S632", std::nullopt, fmt::format("cannot write '{}': {}", path, reason),
                      std::move(hint));
    return nullptr;
  };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return refuse("it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    file->stream_ = std::fopen(path.c_str(), "we");
    if (file->stream_ == nullptr) return refuse(error_text(errno));
    return file;
  }
  // a link keeps pointing to the file that is replaced
  const fs::path resolved = fs::exists(status) ? fs::canonical(path, error) : fs::path(path);
  file->target_ = error || resolved.empty() ? path : resolved.string();
  const std::string part = fmt::format("{}.{}.part", file->target_, make_random_name());
  file->stream_ = std::fopen(part.c_str(), "wxe");
  if (file->stream_ == nullptr) {
    const int reason = errno;
    const fs::path folder = fs::path(file->target_).parent_path();
    const bool is_missing = !folder.empty() && !fs::exists(folder, error);
    return refuse(
        error_text(reason),
        is_missing ? fmt::format("make the folder '{}' first", folder.string()) : std::string());
  }
  file->part_ = std::make_unique<RemovedPath>(part);
  return file;
}

ResultFile::~ResultFile() {
  if (stream_ != nullptr && stream_ != stdout) std::fclose(stream_);
}

void ResultFile::fail() {
  if (error_ == 0) error_ = errno != 0 ? errno : EIO;
}

bool ResultFile::write(std::string_view text) {
  if (error_ != 0 || stream_ == nullptr) return false;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) fail();
  return error_ == 0;
}

bool ResultFile::commit(Diagnostics& diagnostics) {
  errno = 0;
  if (error_ == 0 && std::fflush(stream_) != 0) fail();
  if (stream_ != stdout && std::fclose(stream_) != 0) fail();
  stream_ = nullptr;
  if (error_ == 0 && part_ != nullptr) {
    if (std::rename(part_->path().c_str(), target_.c_str()) != 0)
      fail();
    else
      part_->keep();
  }
  if (error_ == 0) return true;
  if (!is_abandoned())
    diagnostics.error(
        "S633", std::nullopt,
        fmt::format("cannot write {}: {}",
                    path_.empty() ? "the standard output" : "'" + path_ + "'", error_text(error_)));
  return false;
}

bool ResultFile::is_abandoned() const { return error_ == EPIPE; }

}  // namespace mechfmu
