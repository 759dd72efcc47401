// CPU time that one run may take, without a look at the clock in what is measured: a signal sets a
// flag. A run that does not come back for long after that ends the program; what was found before
// has been written by then.
#pragma once
#include <sys/time.h>
#include <unistd.h>

#include <csignal>

namespace mechfmu::bench {

class TimeLimit {
 public:
  explicit TimeLimit(double seconds) {
    expired_ = 0;
    std::signal(SIGPROF, note);
    set(seconds);
  }
  ~TimeLimit() { set(0); }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  [[nodiscard]] static bool is_over() { return expired_ != 0; }

 private:
  static constexpr int kPatience = 4;  // times the limit
  static constexpr int kExitCode = 75;

  static void note(int /*signal*/) {
    expired_ = expired_ + 1;
    if (expired_ > kPatience) _exit(kExitCode);
  }
  static void set(double seconds) {
    timeval time{};
    time.tv_sec = static_cast<time_t>(seconds);
    time.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - static_cast<double>(time.tv_sec)));
    const itimerval timer{time, time};
    setitimer(ITIMER_PROF, &timer, nullptr);
  }
  static inline volatile std::sig_atomic_t expired_ = 0;
};

}  // namespace mechfmu::bench
