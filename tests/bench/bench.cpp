// What a step of an FMU costs: examples are built as users build them and run through fmi2DoStep.
// CPU time of this thread, best of several runs; only ratios within one run mean anything on a
// shared machine.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>

#include "fmu/built_fmu.hpp"

namespace {

using namespace mechfmu;
using namespace mechfmu::testing;

constexpr double kStep = 1e-3;  // [s] communication and internal step
constexpr int kSteps = 2000;
constexpr int kRepeats = 5;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class Work>
double best_time(Work work) {
  double best = 1e300;
  for (int i = 0; i < kRepeats; ++i) {
    const double begin = cpu_seconds();
    work();
    best = std::min(best, cpu_seconds() - begin);
  }
  return best;
}

void measure(const std::string& name) {
  SystemOptions options;
  options.step = kStep;
  BuiltFmu built(example_text(name), options);
  const double stepping = best_time([&] {
    const auto instance = built.start();
    for (int i = 0; i < kSteps; ++i) instance->do_step(i * kStep, kStep);
  });
  const auto instance = built.start();
  instance->do_step(0, kStep);
  std::vector<double> values;
  const auto references = built.computed();
  const double reading = best_time([&] {
    for (int i = 0; i < kSteps; ++i) instance->get_real(references, values);
  });
  fmt::print("{:16} {:9.3f} {:11.0f} {:11.1f} {:9.2f} {:9.1f}\n", name, 1e6 * stepping / kSteps,
             kSteps * kStep / stepping, 1e9 * reading / kSteps, built.build().cpu_seconds,
             1e-3 * static_cast<double>(built.build().fmu_bytes));
}

}  // namespace

int main() {
  fmt::print("{:16} {:>9} {:>11} {:>11} {:>9} {:>9}\n", "rk4, 1 ms", "us/step", "x real time",
             "ns/get all", "build s", "FMU kB");
  for (const char* name : {"pendulum", "double_pendulum", "four_bar", "slider_crank", "five_bar",
                           "double_loop", "n_four_bar", "bricard", "spatial_loop", "arm_6r"})
    measure(name);
  return 0;
}
