#include "package/file_io.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>

#include "support/assert.hpp"

namespace mechfmu {
namespace {

// Beyond RLIMIT_FSIZE a write raises SIGXFSZ, which ends the program; ignored, the write fails with
// EFBIG.
class IgnoredFileSizeSignal {
 public:
  IgnoredFileSizeSignal() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &ignore, &before_);
  }
  ~IgnoredFileSizeSignal() { sigaction(SIGXFSZ, &before_, nullptr); }
  IgnoredFileSizeSignal(const IgnoredFileSizeSignal&) = delete;
  IgnoredFileSizeSignal& operator=(const IgnoredFileSizeSignal&) = delete;

 private:
  struct sigaction before_ {};
};

int write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t count = ::write(file, content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return ENOSPC;
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

}  // namespace

std::string error_text(int error_number) {
  return std::error_code(error_number, std::generic_category()).message();
}

std::string read_file(const std::string& path, std::uint64_t limit, std::string& content) {
  // O_NONBLOCK: a pipe without a writer must not make us wait before we can see that it is one
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return error_text(errno);
  struct stat status {};
  std::string reason;
  if (::fstat(file, &status) != 0) {
    reason = error_text(errno);
  } else if (S_ISDIR(status.st_mode)) {
    reason = error_text(EISDIR);
  } else if (!S_ISREG(status.st_mode)) {
    reason = "not a regular file";
  } else if (static_cast<std::uint64_t>(status.st_size) > limit) {
    reason = "larger than " + std::to_string(limit) + " bytes";
  } else {
    content.clear();
    content.reserve(static_cast<std::size_t>(status.st_size));
    std::array<char, 1 << 16> buffer{};
    while (true) {
      const ssize_t count = ::read(file, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) reason = error_text(errno);
      if (count <= 0) break;
      content.append(buffer.data(), static_cast<std::size_t>(count));
      if (content.size() > limit) {  // it grew while it was read
        reason = "larger than " + std::to_string(limit) + " bytes";
        break;
      }
    }
  }
  ::close(file);
  return reason;
}

std::string write_file(const std::string& path, std::string_view content, IfExists if_exists) {
  const IgnoredFileSizeSignal ignored;
  const int mode = if_exists == IfExists::fail ? O_EXCL | O_NOFOLLOW : O_TRUNC;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | mode, 0666);
  if (file < 0) return error_text(errno);
  struct stat status {};
  const bool is_regular = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  int error = write_all(file, content);
  if (::close(file) != 0 && error == 0) error = errno;  // network disks report a full disk here
  if (error == 0) return {};
  if (is_regular) ::unlink(path.c_str());  // never a device
  return error_text(error);
}

std::string make_folders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return error.message();
  return std::filesystem::is_directory(path, error) ? std::string() : error_text(ENOTDIR);
}

std::string make_random_name() {
  std::array<unsigned char, 8> bytes{};
  MECHFMU_ASSERT(::getentropy(bytes.data(), bytes.size()) == 0, "the kernel has random numbers");
  std::string name;
  for (const unsigned char byte : bytes) {
    name += "0123456789abcdef"[byte >> 4];
    name += "0123456789abcdef"[byte & 15];
  }
  return name;
}

}  // namespace mechfmu
