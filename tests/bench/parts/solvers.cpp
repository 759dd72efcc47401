// Solvers `sparse` and `divide_and_conquer` by themselves, on chains of n bodies on hinges in
// absolute spatial coordinates: how their work grows, and what two threads gain on the tree of
// bodies.
//
// FMUs have one thread. Here the two halves of the tree are worked on at the same time: assembly of
// both halves, the root, disassembly of both. Rows on the border belong to both halves; each sums
// its own part. Times of threads are by the clock on the wall, the least of many.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <random>
#include <thread>

#include "formulation/elimination.hpp"
#include "measure/clock.hpp"
#include "solvers/divide_and_conquer.hpp"
#include "solvers/elimination.hpp"

namespace {

using namespace mechfmu;
using mechfmu::bench::best_time;

constexpr int kSmallest = 8, kLargest = 1024;  // bodies

std::size_t at(int i) { return static_cast<std::size_t>(i); }
std::vector<double> numbers(int size, double value) { return std::vector<double>(at(size), value); }

// A chain as its solver sees it: the pattern of M and J, random numbers.
struct Chain {
  explicit Chain(int n) : nv(6 * n), nc(5 * n) {
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
  [[nodiscard]] EliminationPlan plan(EliminationMethod method) const {
    return make_elimination({nv, nc, mass, jacobian, 0, jacobian_source, body}, method);
  }
  int nv, nc, jacobian_source = 0;
  Pattern mass, jacobian;
  std::vector<double> work;
  std::vector<int> body;
};

// [s] of a factorisation and a solution.
double time_solver(const Chain& chain, EliminationMethod method) {
  const EliminationPlan plan = chain.plan(method);
  const runtime::EliminationTables tables = plan.view();
  runtime::Model model{};
  model.nv = chain.nv;
  model.nc = chain.nc;
  model.elimination = &tables;
  runtime::Arena counting(nullptr);
  const runtime::EliminationFactor unused(model, counting);
  std::vector<double> memory(counting.used());
  runtime::Arena arena(memory.data());
  runtime::EliminationFactor factor(model, arena);
  std::vector<double> f = numbers(chain.nv, 1), b = numbers(chain.nc, 1), y = f, g = b, a = f;
  std::vector<double> lambda = b, compliance = numbers(chain.nc, 1e-7);
  const int repeats = std::max(4, 40000 / chain.nc);
  return best_time(7,
                   [&] {
                     for (int i = 0; i < repeats; ++i) {
                       factor.eliminate_accelerations(chain.work.data());
                       if (!factor.factor_multipliers(compliance.data())) std::abort();
                       factor.reduce(f.data(), b.data(), y.data(), g.data());
                       factor.solve_multipliers(g.data(), lambda.data());
                       factor.expand(y.data(), lambda.data(), a.data());
                     }
                   }) /
         repeats;
}

// A second thread that waits for work by looking: sleeping and waking would take longer than the
// work.
class Helper {
 public:
  Helper() : thread_([this] { run(); }) {}
  ~Helper() {
    stop_ = true;
    thread_.join();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  template <class Work>
  void start(Work& work) {
    work_ = [](void* w) { (*static_cast<Work*>(w))(); };
    argument_ = &work;
    started_.fetch_add(1, std::memory_order_release);
  }
  void wait() const {
    while (done_.load(std::memory_order_acquire) != started_.load(std::memory_order_relaxed)) {
    }
  }

 private:
  void run() {
    for (unsigned seen = 0; !stop_;) {
      if (started_.load(std::memory_order_acquire) == seen) continue;
      ++seen;
      work_(argument_);
      done_.store(seen, std::memory_order_release);
    }
  }
  std::atomic<unsigned> started_{0}, done_{0};
  std::atomic<bool> stop_{false};
  void (*work_)(void*) = nullptr;
  void* argument_ = nullptr;
  std::thread thread_;
};

class Tree {
 public:
  explicit Tree(const Chain& chain)
      : nv_(chain.nv), plan_(chain.plan(EliminationMethod::divide_and_conquer)) {
    tables_ = plan_.view();
    const int n = chain.nv + chain.nc;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    lower_ = numbers(plan_.column_start[at(n)], 0);
    for (double& value : lower_) value = uniform(random);
    pivot_ = numbers(n, 1);
    diagonal_ = numbers(chain.nc, 1);
    compliance_ = numbers(chain.nc, 1e-7);
    fronts_ = numbers(plan_.front_memory, 0);
    x_ = other_ = numbers(chain.nc, 1);
    root_ = tables_.n_fronts - 1;
    collect(tables_.fronts[root_].left, left_);
    collect(tables_.fronts[root_].right, right_);
    for (const int f : right_)
      for (int k = 0; k < tables_.fronts[f].eliminated; ++k)
        right_rows_.push_back(plan_.front_rows[at(tables_.fronts[f].rows + k)]);
    for (int k = 0; k < tables_.fronts[root_].size; ++k)
      root_rows_.push_back(plan_.front_rows[at(tables_.fronts[root_].rows + k)]);
  }

  void run_serial() {
    start();
    if (!runtime::factor_tree(tables_, nv_, lower_.data(), pivot_.data(), diagonal_.data(),
                              compliance_.data(), fronts_.data()))
      std::abort();
    runtime::solve_tree(tables_, fronts_.data(), x_.data());
  }
  void run_parallel(Helper& helper) {
    start();
    auto up = [this] {
      for (const int row : root_rows_) other_[at(row)] = 0;
      for (const int row : right_rows_) other_[at(row)] = x_[at(row)];
      rise(right_, other_);
    };
    auto down = [this] {
      for (const int row : root_rows_) other_[at(row)] = x_[at(row)];
      sink(right_, other_);
      for (const int row : right_rows_) x_[at(row)] = other_[at(row)];
    };
    helper.start(up);
    rise(left_, x_);
    helper.wait();
    for (const int row : root_rows_) x_[at(row)] += other_[at(row)];
    factor(root_);
    runtime::reduce_front(tables_, root_, fronts_.data(), x_.data());
    runtime::expand_front(tables_, root_, fronts_.data(), x_.data());
    helper.start(down);
    sink(left_, x_);
    helper.wait();
  }
  [[nodiscard]] const std::vector<double>& solution() const { return x_; }

  // Multiplications of all nodes over those of the longest way from a leaf to the root: what any
  // number of threads could gain. And the nodes on that way.
  [[nodiscard]] double limit() const { return total_work(root_) / longest_work(root_); }
  [[nodiscard]] int depth(int f) const {
    const runtime::Front& front = tables_.fronts[f];
    return front.left < 0 ? 1 : 1 + std::max(depth(front.left), depth(front.right));
  }
  [[nodiscard]] int depth() const { return depth(root_); }

 private:
  void start() { std::fill(x_.begin(), x_.end(), 1.0); }
  void factor(int f) {
    if (!runtime::factor_front(tables_, f, nv_, lower_.data(), pivot_.data(), diagonal_.data(),
                               compliance_.data(), fronts_.data()))
      std::abort();
  }
  void rise(const std::vector<int>& part, std::vector<double>& x) {
    for (const int f : part) {
      factor(f);
      runtime::reduce_front(tables_, f, fronts_.data(), x.data());
    }
  }
  void sink(const std::vector<int>& part, std::vector<double>& x) {
    for (std::size_t i = part.size(); i-- > 0;)
      runtime::expand_front(tables_, part[i], fronts_.data(), x.data());
  }
  void collect(int f, std::vector<int>& list) const {  // children first
    const runtime::Front& front = tables_.fronts[f];
    if (front.left >= 0) {
      collect(front.left, list);
      collect(front.right, list);
    }
    list.push_back(f);
  }
  [[nodiscard]] double work(int f) const {
    const runtime::Front& front = tables_.fronts[f];
    const double size = front.size;
    double sum = front.left < 0 ? front.columns * size * size / 2 : size * size;
    for (int k = 0; k < front.eliminated; ++k) sum += (size - k) * (size - k) / 2;
    return sum + 2 * size * front.eliminated;
  }
  [[nodiscard]] double total_work(int f) const {
    const runtime::Front& front = tables_.fronts[f];
    return work(f) + (front.left < 0 ? 0 : total_work(front.left) + total_work(front.right));
  }
  [[nodiscard]] double longest_work(int f) const {
    const runtime::Front& front = tables_.fronts[f];
    return work(f) +
           (front.left < 0 ? 0 : std::max(longest_work(front.left), longest_work(front.right)));
  }

  int nv_, root_ = 0;
  EliminationPlan plan_;
  runtime::EliminationTables tables_{};
  std::vector<double> lower_, pivot_, diagonal_, compliance_, fronts_, x_, other_;
  std::vector<int> left_, right_, right_rows_, root_rows_;
};

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Work>
double best_wall_time(int repeats, Work&& work) {
  constexpr double kLongest = 1;  // [s] where another program has the other core, threads only wait
  double best = 1e300;
  const double first = wall_seconds();
  for (int i = 0; i < repeats && wall_seconds() - first < kLongest; ++i) {
    const double begin = wall_seconds();
    work();
    best = std::min(best, wall_seconds() - begin);
  }
  return best;
}

void check_same(const std::vector<double>& a, const std::vector<double>& b) {
  double size = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    size = std::max(size, std::fabs(a[i]));
    difference = std::max(difference, std::fabs(a[i] - b[i]));
  }
  if (!(difference < 1e-6 * size)) throw std::runtime_error("two threads find another solution");
}

}  // namespace

// solvers RESULTS
int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::FILE* out = std::fopen(arguments[1], "w");
  if (out == nullptr) return 5;
  try {
    Helper helper;
    for (int n = kSmallest; n <= kLargest; n *= 2) {
      const Chain chain(n);
      const auto print = [&](const char* key, double value) {
        fmt::print(out, "figure\t{}_{}\t{:.6g}\n", key, n, value);
      };
      print("solver_sparse", time_solver(chain, EliminationMethod::sparse));
      print("solver_divide_and_conquer", time_solver(chain, EliminationMethod::divide_and_conquer));
      Tree tree(chain);
      const int repeats = std::max(200, 100000 / n);
      tree.run_serial();
      const std::vector<double> expected = tree.solution();
      print("tree_one_thread", best_wall_time(repeats, [&] { tree.run_serial(); }));
      print("tree_two_threads", best_wall_time(repeats, [&] { tree.run_parallel(helper); }));
      check_same(expected, tree.solution());
      print("tree_depth", tree.depth());
      print("tree_limit", tree.limit());
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  std::fclose(out);
  return 0;
}
