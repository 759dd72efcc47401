#include "build/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "package/file_io.hpp"
#include "package/interrupt.hpp"

extern char** environ;

namespace mechfmu {
namespace {

constexpr std::size_t kKeptOutput = 64 * 1024;
using Clock = std::chrono::steady_clock;

std::vector<std::string> make_environment(
    const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    if (std::none_of(added.begin(), added.end(), [&](const auto& a) { return a.first == name; }))
      result.emplace_back(text);
  }
  for (const auto& [name, value] : added) result.push_back(name + "=" + value);
  return result;
}

std::vector<char*> make_pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// One program on its way.
class Running {
 public:
  explicit Running(const ProcessRequest& request)
      : deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(request.seconds_allowed))) {
    result_.code = start(request);
  }
  ~Running() {
    if (output_ >= 0) ::close(output_);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  [[nodiscard]] int output() const {
    return output_;
  }  // to poll; -1 when the program has closed it
  [[nodiscard]] Clock::time_point deadline() const { return deadline_; }

  void read_output() {
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(output_, buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) {
      ::close(output_);
      output_ = -1;
      return;
    }
    const std::size_t room = kKeptOutput - std::min(kKeptOutput, result_.output.size());
    result_.output.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
  }

  void stop() {
    if (pid_ > 0) ::kill(-pid_, SIGKILL);
    timed_out_ = true;
    if (output_ >= 0) ::close(output_);
    output_ = -1;
  }

  // Called when the output is closed. A program that closed it and goes on is waited for, up to the
  // limit.
  ProcessResult finish() {
    if (pid_ < 0) return std::move(result_);
    int status = 0;
    rusage usage{};
    while (true) {
      const pid_t ended = ::wait4(pid_, &status, timed_out_ ? 0 : WNOHANG, &usage);
      if (ended == pid_) break;
      if (ended < 0 && errno != EINTR) break;
      if (ended == 0) {
        if (Clock::now() >= deadline_) stop();
        ::usleep(500);
      }
    }
    group_.reset();
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    result_.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    using End = ProcessResult::End;
    result_.end = timed_out_ ? End::timed_out : WIFSIGNALED(status) ? End::signalled : End::exited;
    result_.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return std::move(result_);
  }

 private:
  int start(const ProcessRequest& request) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    if (!request.folder.empty())
      posix_spawn_file_actions_addchdir_np(&actions, request.folder.c_str());
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP);  // so that all of it can be killed
    posix_spawnattr_setpgroup(&attributes, 0);

    std::vector<std::string> command = request.command;
    std::vector<std::string> environment = make_environment(request.environment);
    const int error =
        posix_spawnp(&pid_, command.front().c_str(), &actions, &attributes,
                     make_pointers(command).data(), make_pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    ::close(ends[1]);
    if (error != 0) {
      ::close(ends[0]);
      pid_ = -1;
      return error;
    }
    group_ = std::make_unique<KilledGroup>(pid_);
    output_ = ends[0];
    ::fcntl(output_, F_SETFL, O_NONBLOCK);
    return 0;
  }

  ProcessResult result_;
  Clock::time_point deadline_;
  pid_t pid_ = -1;
  int output_ = -1;
  bool timed_out_ = false;
  std::unique_ptr<KilledGroup> group_;
};

}  // namespace

std::vector<ProcessResult> run_processes(const std::vector<ProcessRequest>& requests) {
  std::vector<std::unique_ptr<Running>> running;
  for (const ProcessRequest& request : requests)
    running.push_back(std::make_unique<Running>(request));

  while (true) {
    std::vector<pollfd> waiting;
    std::vector<Running*> owners;
    Clock::time_point next = Clock::time_point::max();
    for (const auto& one : running) {
      if (one->output() >= 0 && Clock::now() >= one->deadline()) one->stop();
      if (one->output() < 0) continue;
      waiting.push_back({one->output(), POLLIN, 0});
      owners.push_back(one.get());
      next = std::min(next, one->deadline());
    }
    if (waiting.empty()) break;
    const auto rest = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
    const int timeout = static_cast<int>(std::clamp<long long>(rest, 0, 60'000));
    if (::poll(waiting.data(), waiting.size(), timeout) <= 0) continue;
    for (std::size_t i = 0; i < waiting.size(); ++i)
      if (waiting[i].revents != 0) owners[i]->read_output();
  }

  std::vector<ProcessResult> results;
  for (const auto& one : running) results.push_back(one->finish());
  return results;
}

ProcessResult run_process(const ProcessRequest& request) {
  return run_processes({request}).front();
}

std::string describe_end(const ProcessResult& result) {
  switch (result.end) {
    case ProcessResult::End::exited:
      return fmt::format("exited with {}", result.code);
    case ProcessResult::End::signalled:
      return fmt::format("was killed by signal {} ({})", result.code, ::strsignal(result.code));
    case ProcessResult::End::timed_out:
      return "did not end within the time allowed";
    case ProcessResult::End::not_started:
      break;
  }
  return "could not be started: " + error_text(result.code);
}

std::string find_program(const std::string& name) {
  const auto is_program = [](const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return is_program(name) ? name : std::string();
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!name.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    std::string candidate = (folder.empty() ? "." : std::string(folder)) + "/" + name;
    if (is_program(candidate)) return candidate;
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  return {};
}

}  // namespace mechfmu
