// Which method for this mechanism. The rules, in the order in which a careful engineer would ask:
//
//   1. Only what meets the goal (error, residual), also with the next finer setting.
//   2. A residual that still grows at the end of the run is no residual that is held: `none` is
//      not advised where there are constraints.
//   3. The cheapest of these; but the default method, and fixed steps before adaptive ones, if they
//      cost little more: they need no gain, and every step takes the same time.
#include <fmt/format.h>

#include <algorithm>

#include "compare/comparison.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

constexpr double kLittleMore = 1.5;  // times the cost of the cheapest
constexpr double kSamePrice = 1.1;

bool meets(const MethodRun& run, const Goal& goal) {
  return run.completed && run.error <= goal.error && run.residual <= goal.residual;
}

bool drifts(const Comparison& comparison, const Method& method) {
  return comparison.has_constraints && method.scheme == "none";
}

// Less is preferred at a similar price.
int rank(const Method& method) {
  return (method.scheme == "projection" ? 0 : 2) + (method.is_adaptive ? 1 : 0);
}

std::string times(double ratio) { return fmt::format("{:.{}f} times", ratio, ratio < 10 ? 1 : 0); }

}  // namespace

std::string name_of(const Method& method) {
  return method.integrator.empty() ? method.scheme : method.scheme + " + " + method.integrator;
}

const MethodRun* find_sufficient(const Comparison& comparison, std::size_t method,
                                 const Goal& goal) {
  const MethodRun* found = nullptr;
  for (const MethodRun& run : comparison.runs) {
    if (run.method != method) continue;
    if (!meets(run, goal)) {
      found = nullptr;  // coarser ones that did were lucky
    } else if (found == nullptr) {
      found = &run;
    }
  }
  return found;
}

std::string build_options(const Comparison& comparison, const MethodRun& run) {
  const Method& method = comparison.methods[run.method];
  std::string text = "--scheme " + method.scheme;
  if (!method.integrator.empty()) text += " --integrator " + method.integrator;
  return text + (method.is_adaptive ? " --tolerance " : " --step ") + number_text(run.setting);
}

Advice recommend(const Comparison& comparison, const Goal& goal) {
  Advice advice;
  std::vector<const MethodRun*> good;
  for (std::size_t m = 0; m < comparison.methods.size(); ++m)
    if (const MethodRun* run = find_sufficient(comparison, m, goal);
        run != nullptr && !drifts(comparison, comparison.methods[m]))
      good.push_back(run);
  if (good.empty()) {
    const auto best = std::min_element(
        comparison.runs.begin(), comparison.runs.end(), [](const auto& a, const auto& b) {
          return (a.completed ? a.error : 1e300) < (b.completed ? b.error : 1e300);
        });
    if (best != comparison.runs.end() && best->completed)
      advice.reasons.push_back(
          fmt::format("nothing met the goal; the smallest error was {:.1e}, with {}", best->error,
                      name_of(comparison.methods[best->method])));
    return advice;
  }
  const auto method_of = [&](const MethodRun* run) -> const Method& {
    return comparison.methods[run->method];
  };
  const MethodRun* cheapest = *std::min_element(
      good.begin(), good.end(), [](const auto* a, const auto* b) { return a->cost < b->cost; });
  const MethodRun* choice = cheapest;
  for (const MethodRun* run : good)
    if (run->cost <= kLittleMore * cheapest->cost &&
        std::pair(rank(method_of(run)), run->cost) <
            std::pair(rank(method_of(choice)), choice->cost))
      choice = run;
  advice.run = choice;

  advice.reasons.push_back(fmt::format(
      "its error is {:.1e} and its residual {:.1e}, and finer settings stay below the goal",
      choice->error, choice->residual));
  if (choice != cheapest && cheapest->cost * kSamePrice < choice->cost)
    advice.reasons.push_back(
        fmt::format("{} would cost {:.0f} % less; {}", name_of(method_of(cheapest)),
                    100 * (1 - cheapest->cost / choice->cost),
                    method_of(choice).is_adaptive == method_of(cheapest).is_adaptive
                        ? "projection has no gain to tune and holds the constraints to rounding"
                        : "with a fixed step every step takes the same time"));
  for (const MethodRun* run : good) {
    if (run == choice || run == cheapest) continue;
    if (method_of(run).scheme == "projection" && method_of(run).integrator == "rk4")
      advice.reasons.push_back(fmt::format("the default, {}, would cost {} as much",
                                           name_of(method_of(run)),
                                           times(run->cost / choice->cost)));
  }
  for (const MethodRun& run : comparison.runs)
    if (comparison.methods[run.method].scheme == "none" && comparison.has_constraints &&
        run.completed && run.residual > goal.residual) {
      advice.reasons.push_back(
          fmt::format("without stabilisation the constraints drift: |phi| = {:.1e} with {}",
                      run.residual, name_of(comparison.methods[run.method])));
      break;
    }
  return advice;
}

}  // namespace mechfmu
