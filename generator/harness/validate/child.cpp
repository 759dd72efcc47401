#include "harness/validate/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "package/interrupt.hpp"

namespace mechfmu::fmu_check {
namespace {

constexpr std::size_t kActionSize = 512;
constexpr int kFinishedCode = 0;
constexpr std::string_view kFinished = "finished";
// fields and records: bytes that do not occur in text
constexpr char kField = '\x1F';
constexpr char kRecord = '\x1E';

void write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count <= 0) return;  // the parent has gone
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string without_marks(std::string_view text) {
  std::string clean(text.substr(0, 2000));
  std::replace(clean.begin(), clean.end(), kField, '?');
  std::replace(clean.begin(), clean.end(), kRecord, '?');
  return clean;
}

[[noreturn]] void become_child(const std::function<void(Reporter&)>& work, int pipe, char* action) {
  setpgid(0, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGSEGV, SIGBUS, SIGFPE,
                           SIGILL, SIGABRT, SIGALRM})
    ::signal(signal, SIG_DFL);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing >= 0)
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, standard);
  Reporter reporter(pipe, action, kActionSize);
  try {
    work(reporter);
  } catch (...) {
    // an exception of a C++ FMU that crossed the C interface
    abort();
  }
  reporter.finish();
  // no destructors: the temporary folder belongs to the parent
  _exit(kFinishedCode);
}

void add_record(std::string_view record, const std::string& file, Findings& findings,
                bool& is_finished) {
  if (record == kFinished) {
    is_finished = true;
    return;
  }
  std::array<std::string_view, 3> fields;
  for (std::string_view& field : fields) {
    const std::size_t end = std::min(record.find(kField), record.size());
    field = record.substr(0, end);
    record.remove_prefix(std::min(end + 1, record.size()));
  }
  if (const std::optional<Rule> rule = find_rule(fields[0]))
    findings.add(*rule, {file, 0, std::string(fields[1])}, std::string(fields[2]));
}

}  // namespace

void Reporter::find(Rule rule, const std::string& message, const std::string& variable) {
  write_all(pipe_, fmt::format("{}{}{}{}{}{}", rule_text(rule).id, kField, without_marks(variable),
                               kField, without_marks(message), kRecord));
}

void Reporter::note_action(std::string_view text) {
  const std::size_t size = std::min(text.size(), action_size_ - 1);
  std::memcpy(action_, text.data(), size);
  action_[size] = '\0';
}

void Reporter::finish() { write_all(pipe_, fmt::format("{}{}", kFinished, kRecord)); }

ChildEnd run_in_child(const std::function<void(Reporter&)>& work, double seconds_allowed,
                      const std::string& file, Findings& findings) {
  ChildEnd end;
  std::array<int, 2> ends{};
  void* memory =
      mmap(nullptr, kActionSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return end;
  char* action = static_cast<char*>(memory);
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    munmap(memory, kActionSize);
    return end;
  }
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    become_child(work, ends[1], action);
  }
  close(ends[1]);
  if (child > 0) {
    setpgid(child, child);  // whoever comes first
    const KilledGroup killed(child);
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::duration<double>(seconds_allowed);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    std::string received;
    const auto drain = [&] {
      std::array<char, 4096> buffer{};
      while (true) {
        const ssize_t count = read(ends[0], buffer.data(), buffer.size());
        if (count <= 0) return count == 0;  // true: nobody writes any more
        received.append(buffer.data(), static_cast<std::size_t>(count));
      }
    };
    int status = 0;
    bool is_timed_out = false;
    // The pipe may outlive the child in a process that the FMU has started, so both are watched.
    while (waitpid(child, &status, WNOHANG) == 0) {
      if (Clock::now() >= deadline && !is_timed_out) {
        is_timed_out = true;
        kill(-child, SIGKILL);
      }
      pollfd ready = {ends[0], POLLIN, 0};
      poll(&ready, 1, 5);
      if (drain()) {
        pollfd none = {-1, 0, 0};
        poll(&none, 1, 1);  // the pipe is closed and cannot be waited for
      }
    }
    drain();
    kill(-child, SIGKILL);
    bool is_finished = false;
    std::string_view rest = received;
    for (std::size_t at = rest.find(kRecord); at != std::string_view::npos;
         at = rest.find(kRecord)) {
      add_record(rest.substr(0, at), file, findings, is_finished);
      rest.remove_prefix(at + 1);
    }
    action[kActionSize - 1] = '\0';
    end.action = action;
    if (is_timed_out)
      end.kind = ChildEnd::Kind::timed_out;
    else if (WIFSIGNALED(status))
      end.kind = ChildEnd::Kind::signalled;
    else
      end.kind = is_finished ? ChildEnd::Kind::finished : ChildEnd::Kind::exited;
    end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }
  close(ends[0]);
  munmap(memory, kActionSize);
  return end;
}

std::string describe_end(const ChildEnd& end, double seconds_allowed) {
  switch (end.kind) {
    case ChildEnd::Kind::signalled:
      return fmt::format("the process was ended by signal {} ({}) in {}", end.code,
                         strsignal(end.code), end.action);
    case ChildEnd::Kind::exited:
      return fmt::format("the FMU ended the process with code {} in {}", end.code, end.action);
    case ChildEnd::Kind::timed_out:
      return fmt::format("{} did not return within {} s", end.action, seconds_allowed);
    case ChildEnd::Kind::finished:
      return "finished";
    case ChildEnd::Kind::not_started:
      return "no process could be started";
  }
  return {};
}

}  // namespace mechfmu::fmu_check
