// CPU time of this thread: on a shared machine the only time that means anything, and only its
// smallest value over several runs.
#pragma once
#include <time.h>

#include <algorithm>

namespace mechfmu::bench {

inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class Work>
double time_of(Work&& work) {
  const double begin = cpu_seconds();
  work();
  return cpu_seconds() - begin;
}

// Smallest time of `repeats` runs.
template <class Work>
double best_time(int repeats, Work&& work) {
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) best = std::min(best, time_of(work));
  return best;
}

// Time of one call: so many calls that the clock's own cost does not show, best of several rounds.
template <class Work>
double time_per_call(Work&& work) {
  constexpr double kRound = 0.02;  // [s]
  constexpr int kRounds = 7;
  double count = 1;
  const auto round = [&] {
    for (double i = 0; i < count; ++i) work();
  };
  double time = time_of(round);
  while (time < kRound && count < 1e9) {
    count *= 2;
    time = time_of(round);
  }
  return std::min(time, best_time(time < 1 ? kRounds : 1, round)) / count;
}

}  // namespace mechfmu::bench
