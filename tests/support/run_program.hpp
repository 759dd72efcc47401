// Runs the program mechfmu as a user does and keeps what it said: stdout and stderr apart, and how
// it ended.
#pragma once
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace mechfmu::test {

struct RunResult {
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;
  std::string out, err;
};

struct RunOptions {
  std::string folder;  // to run in; "" = here
  // nullopt unsets a variable
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;
  std::string input;                             // for stdin
  std::string output_to;                         // stdout goes to this file instead ("/dev/full")
  std::optional<rlim_t> file_size_limit;         // [bytes]
  std::optional<int> signal_when_output_begins;  // sent when the first byte arrives on stderr
};

// Never returns in the child.
[[noreturn]] inline void become(const std::vector<std::string>& command, const RunOptions& options,
                                int in, int out, int err) {
  alarm(300);  // survives exec: nothing hangs for ever
  if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
  for (const auto& [name, value] : options.environment) {
    if (value)
      setenv(name.c_str(), value->c_str(), 1);
    else
      unsetenv(name.c_str());
  }
  if (!options.output_to.empty()) out = open(options.output_to.c_str(), O_WRONLY | O_CREAT, 0600);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (options.file_size_limit) {
    const rlimit limit{*options.file_size_limit, *options.file_size_limit};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words.front(), words.data());
  _exit(127);
}

inline RunResult run_command(const std::vector<std::string>& command,
                             const RunOptions& options = {}) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  std::array<int, 2> err{};
  for (auto* ends : {&in, &out, &err})
    if (pipe2(ends->data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) become(command, options, in[0], out[1], err[1]);
  close(in[0]);
  close(out[1]);
  close(err[1]);
  signal(SIGPIPE, SIG_IGN);  // a program that does not read its input
  if (!options.input.empty() && write(in[1], options.input.data(), options.input.size()) < 0) {
  }
  close(in[1]);

  RunResult result;
  bool is_signal_sent = false;
  std::array<pollfd, 2> waiting = {pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    poll(waiting.data(), waiting.size(), -1);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      std::array<char, 65536> buffer{};
      const ssize_t count = read(waiting[i].fd, buffer.data(), buffer.size());
      if (count <= 0) {
        close(waiting[i].fd);
        waiting[i].fd = -1;
        continue;
      }
      (i == 0 ? result.out : result.err).append(buffer.data(), static_cast<std::size_t>(count));
      if (i == 1 && options.signal_when_output_begins && !is_signal_sent) {
        kill(child, *options.signal_when_output_begins);
        is_signal_sent = true;
      }
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

inline RunResult run_mechfmu(std::vector<std::string> arguments, const RunOptions& options = {}) {
  arguments.insert(arguments.begin(), MECHFMU_PROGRAM);
  return run_command(arguments, options);
}

}  // namespace mechfmu::test
