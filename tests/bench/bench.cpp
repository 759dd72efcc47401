// What a step of an FMU costs: examples are built as users build them and run through fmi2DoStep.
// CPU time of this thread, best of several runs; only ratios within one run mean anything on a
// shared machine.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "fmu/built_fmu.hpp"
#include "formulation/elimination.hpp"
#include "solvers/elimination.hpp"

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

// A chain as its solver sees it.
struct ChainProblem {
  explicit ChainProblem(int n) : nv(6 * n), nc(5 * n) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto add = [&](Pattern& pattern, int i, int j, double value) {
      pattern.row.push_back(i);
      pattern.column.push_back(j);
      work.push_back(value);
    };
    for (int i = 0; i < nv; ++i) {
      body.push_back(i / 6);
      if (i % 6 < 3) {
        add(mass, i, i, 1);
        continue;
      }
      for (int j = i - i % 6 + 3; j <= i; ++j)
        add(mass, i, j, i == j ? 0.1 : 0.01 * uniform(random));
    }
    jacobian_source = static_cast<int>(work.size());
    for (int r = 0; r < nc; ++r)
      for (int k = r / 5 - 1; k <= r / 5; ++k)
        for (int i = 0; i < 6 && k >= 0; ++i) add(jacobian, r, 6 * k + i, uniform(random));
  }
  int nv, nc, jacobian_source = 0;
  Pattern mass, jacobian;
  std::vector<double> work;
  std::vector<int> body;
};

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

// Chains of n bodies on hinges in absolute spatial coordinates, J and M of random numbers: factor
// and solution of (M, J, 1e-7) per evaluation. Slope of log time over log bodies between
// neighbours, and over the whole range: 1 is linear.
void measure_scaling(const char* name, EliminationMethod method) {
  fmt::print("\n{:20} {:>9} {:>11} {:>9}\n", name, "bodies", "us/solve", "slope");
  double first = 0, previous = 0;
  for (int n = 8; n <= 1024; n *= 2) {
    const ChainProblem p(n);
    const EliminationPlan plan =
        make_elimination({p.nv, p.nc, p.mass, p.jacobian, 0, p.jacobian_source, p.body}, method);
    const runtime::EliminationTables tables = plan.view();
    runtime::Model model{};
    model.nv = p.nv;
    model.nc = p.nc;
    model.elimination = &tables;
    runtime::Arena counting(nullptr);
    const runtime::EliminationFactor unused(model, counting);
    std::vector<double> memory(counting.used());
    runtime::Arena arena(memory.data());
    runtime::EliminationFactor factor(model, arena);
    const auto vector = [](int size) {
      return std::vector<double>(static_cast<std::size_t>(size), 1);
    };
    std::vector<double> f = vector(p.nv), b = vector(p.nc), y = f, g = b, a = f, lambda = b, c = b;
    std::fill(c.begin(), c.end(), 1e-7);
    const int repeats = std::max(4, 20000 / n);
    const double time = best_time([&] {
                          for (int i = 0; i < repeats; ++i) {
                            factor.eliminate_accelerations(p.work.data());
                            if (!factor.factor_multipliers(c.data())) std::abort();
                            factor.reduce(f.data(), b.data(), y.data(), g.data());
                            factor.solve_multipliers(g.data(), lambda.data());
                            factor.expand(y.data(), lambda.data(), a.data());
                          }
                        }) /
                        repeats;
    if (n == 8) first = time;
    const double slope = n == 8 ? 0 : std::log2(time / previous);
    fmt::print("{:20} {:9} {:11.2f} {:>9}\n", "", n, 1e6 * time,
               n == 8 ? "" : fmt::format("{:.2f}", slope));
    if (n == 1024)
      fmt::print("{:20} slope from 8 to 1024 bodies: {:.3f}\n", "", std::log2(time / first) / 7);
    previous = time;
  }
}

}  // namespace

int main() {
  fmt::print("{:16} {:>9} {:>11} {:>11} {:>9} {:>9}\n", "rk4, 1 ms", "us/step", "x real time",
             "ns/get all", "build s", "FMU kB");
  for (const char* name : {"pendulum", "double_pendulum", "four_bar", "slider_crank", "five_bar",
                           "double_loop", "n_four_bar", "bricard", "spatial_loop", "arm_6r"})
    measure(name);
  measure_scaling("divide_and_conquer", EliminationMethod::divide_and_conquer);
  measure_scaling("sparse", EliminationMethod::sparse);
  return 0;
}
