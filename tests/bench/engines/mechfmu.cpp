// Our FMUs: built from the problem's mechanism file as users build them, loaded with dlopen, and
// stepped with fmi2DoStep. One FMU carries all schemes and integrators that compete, another one is
// built without any option.
#include <algorithm>
#include <cmath>
#include <set>

#include "engines/engine.hpp"
#include "engines/fmu_run.hpp"
#include "measure/clock.hpp"
#include "problems/mechanism_text.hpp"

namespace mechfmu::bench {
namespace {

// Rows of the table of integrators whose title says so follow a tolerance, not a step.
bool is_adaptive(const std::string& integrator) {
  static const std::set<std::string> names = [] {
    std::set<std::string> set;
#define INTEGRATOR(id, title, order, stages) \
  if (std::string(title).find("adaptive") != std::string::npos) set.insert(#id);
#include "integrators/integrators.def"
#undef INTEGRATOR
    return set;
  }();
  return names.count(integrator) > 0;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

// "projection" or "projection:tolerance=1e-8"
struct SchemeWish {
  std::string text, name, parameter;
  double value = 0;
};

SchemeWish parse_wish(const std::string& text) {
  const std::size_t colon = text.find(':'), equals = text.find('=');
  SchemeWish wish{text, text.substr(0, colon), "", 0};
  if (colon == std::string::npos || equals == std::string::npos) return wish;
  wish.parameter = text.substr(colon + 1, equals - colon - 1);
  wish.value = std::stod(text.substr(equals + 1));
  return wish;
}

class Ours : public Engine {
 public:
  explicit Ours(Settings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] std::string version() const override { return "through fmi2DoStep"; }

  std::vector<Method> methods(const Problem& problem) override {
    const std::string text = mechanism_text(problem);
    default_ = build_fmu_file(settings_, problem.name, text, "_default", {});
    std::vector<std::string> names;
    for (const SchemeWish& scheme : schemes_of(problem))
      if (std::find(names.begin(), names.end(), scheme.name) == names.end())
        names.push_back(scheme.name);
    search_ =
        build_fmu_file(settings_, problem.name, text, "",
                       {"--schemes", join(names), "--integrators", join(settings_.integrators)});
    std::vector<Method> methods;
    const bool by_tolerance = default_.fmu->description().find("solver.tolerance") != nullptr;
    methods.push_back(
        {"default", by_tolerance, starter(default_.fmu, {}, "", by_tolerance, false)});
    for (const SchemeWish& scheme : schemes_of(problem))
      for (const std::string& integrator : settings_.integrators) {
        const bool adaptive = is_adaptive(integrator);
        const std::string name = scheme.text + "+" + integrator;
        methods.push_back(
            {name, adaptive, starter(search_.fmu, scheme, integrator, adaptive, false)});
        if (integrator == "rk4" && scheme.text == settings_.schemes.front())
          methods.push_back({name + ", communication step = step", false,
                             starter(search_.fmu, scheme, integrator, false, true), false});
      }
    return methods;
  }

  // Time of fmi2DoStep over many steps of rk4, four evaluations each, with all that is around an
  // evaluation: the hand-written code has that, too. Scheme `none`, which does nothing but
  // evaluate.
  std::optional<double> evaluation_seconds(const Problem& problem) override {
    constexpr double kWork = 1e5;  // evaluations of bodies
    const BuiltFmu built = build_fmu_file(settings_, problem.name, mechanism_text(problem), "_none",
                                          {"--scheme", "none", "--integrator", "rk4"});
    const double h = problem.interval() / 64;
    const double bodies = static_cast<double>(problem.bodies.size());
    const double steps = std::round(std::min(4000.0, std::max(8.0, kWork / bodies)));
    double best = 1e300;
    for (int repeat = 0; repeat < 9; ++repeat) {
      const std::unique_ptr<Run> run = starter(built.fmu, {}, "", false, false)(h);
      if (!run) continue;
      bool good = true;
      const double time = time_of([&] { good = run->advance_to(steps * h); });
      if (good) best = std::min(best, time / (4 * steps));
    }
    if (best > 1) return {};
    return best;
  }

  std::vector<std::pair<std::string, double>> figures(const Problem& problem) override {
    constexpr double kLongest = 5;  // [s] of a run that is timed step by step
    std::vector<std::pair<std::string, double>> list = {
        {"build_cpu_seconds", default_.cpu_seconds},
        {"fmu_bytes", default_.fmu_bytes},
        {"library_bytes", default_.library_bytes},
        {"instance_bytes", instance_bytes(*default_.fmu)}};
    const StepTimes times = time_steps(default_.fmu, std::min(kLongest, problem.duration));
    if (times.completed)
      for (const auto& [key, value] :
           {std::pair("step_median", times.median), std::pair("step_high", times.high),
            std::pair("step_highest", times.highest),
            std::pair("step_highest_of_all", times.highest_of_all)})
        list.emplace_back(key, value);
    return list;
  }

 private:
  // Without loops schemes do not differ: one for the runs, and one that does nothing in a stage but
  // evaluate.
  [[nodiscard]] std::vector<SchemeWish> schemes_of(const Problem& problem) const {
    const bool loops = std::any_of(problem.joints.begin(), problem.joints.end(),
                                   [](const Joint& joint) { return joint.closes_loop; });
    std::vector<SchemeWish> wishes;
    for (const std::string& text : settings_.schemes)
      if (loops || text == settings_.schemes.front() || text == "baumgarte")
        wishes.push_back(parse_wish(text));
    return wishes;
  }

  static std::function<std::unique_ptr<Run>(double)> starter(const std::shared_ptr<Fmu>& fmu,
                                                             const SchemeWish& scheme,
                                                             const std::string& integrator,
                                                             bool by_tolerance, bool own_steps) {
    return [=](double setting) -> std::unique_ptr<Run> {
      auto run = std::make_unique<FmuRun>(fmu, own_steps ? setting : 0);
      if (!scheme.name.empty()) run->choose("scheme.name", scheme.name);
      if (!scheme.parameter.empty()) run->set("scheme." + scheme.parameter, scheme.value);
      if (!integrator.empty()) run->choose("solver.integrator", integrator);
      run->set(by_tolerance ? "solver.tolerance" : "solver.step", setting);
      if (!run->initialize()) return nullptr;
      return run;
    };
  }

  Settings settings_;
  BuiltFmu default_, search_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Settings& settings) {
  return std::make_unique<Ours>(settings);
}

}  // namespace mechfmu::bench
