// Our FMUs: built from the problem's mechanism file as users build them, loaded with dlopen, and
// stepped with fmi2DoStep. One FMU carries all schemes and integrators that compete, another one is
// built without any option.
#include <fmt/format.h>
#include <malloc.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "build/process.hpp"
#include "engines/engine.hpp"
#include "harness/fmu.hpp"
#include "measure/clock.hpp"
#include "problems/mechanism_text.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu::bench {
namespace {

constexpr double kBuildSeconds = 300;

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

struct Built {
  std::shared_ptr<Fmu> fmu;
  double cpu_seconds = 0;
  double fmu_bytes = 0, library_bytes = 0;
};

Built build(const Settings& settings, const Problem& problem, const std::string& suffix,
            const std::vector<std::string>& options) {
  std::filesystem::create_directories(settings.folder);
  const std::string file = settings.folder + "/" + problem.name + ".xml";
  std::ofstream(file) << mechanism_text(problem);
  const std::string output = settings.folder + "/" + problem.name + suffix + ".fmu";
  ProcessRequest request;
  request.command = {settings.program, "build", file, "-o", output};
  request.command.insert(request.command.end(), options.begin(), options.end());
  request.environment = {{"CCACHE_DISABLE", "1"}};  // the compiler shall compile
  request.seconds_allowed = kBuildSeconds;
  const ProcessResult result = run_process(request);
  if (!result.is_success())
    throw Refused("mechfmu build: " + describe_end(result) + ": " + result.output.substr(0, 300));
  Diagnostics diagnostics;
  std::shared_ptr<Fmu> fmu = Fmu::open(output, diagnostics);
  if (!fmu || !fmu->load(diagnostics)) throw Refused("the FMU could not be loaded");
  Built built{fmu, result.cpu_seconds, static_cast<double>(std::filesystem::file_size(output)), 0};
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(fmu->folder() + "/binaries"))
    if (entry.is_regular_file()) built.library_bytes += static_cast<double>(entry.file_size());
  return built;
}

class FmuRun : public Run {
 public:
  FmuRun(const std::shared_ptr<Fmu>& fmu, double communication_step)
      : fmu_(fmu), step_(communication_step) {
    Diagnostics diagnostics;
    instance_ = fmu->instantiate("bench", {}, CallLog(), false, diagnostics);
    if (!instance_) throw std::runtime_error("the FMU could not be instantiated");
    for (const char* name : {"marker_x", "marker_y", "marker_z"})
      if (const FmuVariable* v = fmu->description().find(name))
        references_.push_back(v->value_reference);
  }
  void choose(const std::string& variable, const std::string& item) {
    const FmuVariable* v = fmu_->description().find(variable);
    if (v == nullptr) return;  // there is but one
    for (const FmuVariable::Item& i : v->items)
      if (i.name == item) instance_->set_integer({v->value_reference}, {i.value});
  }
  void set(const std::string& variable, double value) {
    const FmuVariable* v = fmu_->description().find(variable);
    if (v == nullptr || instance_->set_real({v->value_reference}, {value}) != fmi2OK)
      throw std::runtime_error("cannot set " + variable);
  }
  double get(const std::string& variable) {
    const FmuVariable* v = fmu_->description().find(variable);
    std::vector<double> value;
    if (v == nullptr || instance_->get_real({v->value_reference}, value) != fmi2OK)
      throw std::runtime_error("cannot get " + variable);
    return value.front();
  }
  bool initialize() {
    return instance_->setup_experiment({}, 0, {}) == fmi2OK &&
           instance_->enter_initialization_mode() == fmi2OK &&
           instance_->exit_initialization_mode() == fmi2OK;
  }
  bool advance_to(double time) override {
    const double length = time - time_;
    const int steps = step_ > 0 ? std::max(1, static_cast<int>(std::lround(length / step_))) : 1;
    for (int i = 0; i < steps; ++i) {
      const double begin = time_ + length * i / steps, end = time_ + length * (i + 1) / steps;
      if (instance_->functions().DoStep(instance_->component(), begin, end - begin, fmi2True) !=
          fmi2OK)
        return false;
    }
    time_ = time;
    return true;
  }
  Vector3d marker() override {
    Vector3d marker = Vector3d::Zero();
    instance_->functions().GetReal(instance_->component(), references_.data(), references_.size(),
                                   marker.data());
    return marker;
  }

 private:
  std::shared_ptr<Fmu> fmu_;
  std::unique_ptr<FmuInstance> instance_;
  std::vector<fmi2ValueReference> references_;
  double step_, time_ = 0;
};

class Ours : public Engine {
 public:
  explicit Ours(Settings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] std::string version() const override { return "through fmi2DoStep"; }

  std::vector<Method> methods(const Problem& problem) override {
    default_ = build(settings_, problem, "_default", {});
    search_ = build(settings_, problem, "",
                    {"--schemes", join(settings_.schemes), "--integrators",
                     join(settings_.integrators), "--expose", "all"});
    std::vector<Method> methods;
    const bool by_tolerance = default_.fmu->description().find("solver.tolerance") != nullptr;
    methods.push_back(
        {"default", by_tolerance, starter(default_.fmu, "", "", by_tolerance, false)});
    for (const std::string& scheme : settings_.schemes)
      for (const std::string& integrator : settings_.integrators) {
        const bool adaptive = is_adaptive(integrator);
        const std::string name = scheme + "+" + integrator;
        methods.push_back(
            {name, adaptive, starter(search_.fmu, scheme, integrator, adaptive, false)});
        if (!adaptive && scheme == settings_.schemes.front())
          methods.push_back({name + ", communication step = step", false,
                             starter(search_.fmu, scheme, integrator, false, true), false});
      }
    return methods;
  }

  // Time of fmi2DoStep over many steps of rk4 by the number of evaluations: with all that is around
  // an evaluation, which the hand-written code has, too.
  std::optional<double> evaluation_seconds(const Problem& problem) override {
    double best = 1e300;
    for (const std::string& scheme : settings_.schemes) {
      if (scheme == "projection" || scheme == "partitioning") continue;
      const double h = problem.interval() / 64;
      const double steps =
          std::min(4000.0, std::max(8.0, 1e5 / static_cast<double>(problem.bodies.size())));
      for (int repeat = 0; repeat < 7; ++repeat) {
        const std::unique_ptr<Run> run = starter(search_.fmu, scheme, "rk4", false, false)(h);
        auto& fmu_run = static_cast<FmuRun&>(*run);
        bool good = true;
        const double time = time_of([&] { good = run->advance_to(steps * h); });
        if (good) best = std::min(best, time / fmu_run.get("solver.evaluations"));
      }
    }
    if (best > 1) return {};
    return best;
  }

  std::vector<std::pair<std::string, double>> figures(const Problem& /*problem*/) override {
    const auto allocated = [] {
      const struct mallinfo2 info = mallinfo2();
      return static_cast<double>(info.uordblks + info.hblkhd);
    };
    const double before = allocated();
    Diagnostics diagnostics;
    const auto instance = default_.fmu->instantiate("memory", {}, CallLog(), false, diagnostics);
    return {{"build_cpu_seconds", default_.cpu_seconds},
            {"fmu_bytes", default_.fmu_bytes},
            {"library_bytes", default_.library_bytes},
            {"instance_bytes", allocated() - before}};
  }

 private:
  static std::function<std::unique_ptr<Run>(double)> starter(const std::shared_ptr<Fmu>& fmu,
                                                             const std::string& scheme,
                                                             const std::string& integrator,
                                                             bool by_tolerance, bool own_steps) {
    return [=](double setting) -> std::unique_ptr<Run> {
      auto run = std::make_unique<FmuRun>(fmu, own_steps ? setting : 0);
      run->choose("scheme.name", scheme);
      run->choose("solver.integrator", integrator);
      run->set(by_tolerance ? "solver.tolerance" : "solver.step", setting);
      if (!run->initialize()) return nullptr;
      return run;
    };
  }

  Settings settings_;
  Built default_, search_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Settings& settings) {
  return std::make_unique<Ours>(settings);
}

}  // namespace mechfmu::bench
