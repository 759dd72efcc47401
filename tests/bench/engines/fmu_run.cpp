#include "engines/fmu_run.hpp"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "build/process.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu::bench {
namespace {

constexpr double kBuildSeconds = 300;
constexpr double kRealTimeStep = 1e-3;  // [s]
constexpr int kRealTimeRepeats = 7;

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

BuiltFmu build_fmu_file(const Settings& settings, const std::string& name,
                        const std::string& mechanism, const std::string& suffix,
                        const std::vector<std::string>& options) {
  std::filesystem::create_directories(settings.folder);
  const std::string file = settings.folder + "/" + name + ".xml";
  std::ofstream(file) << mechanism;
  const std::string output = settings.folder + "/" + name + suffix + ".fmu";
  ProcessRequest request;
  request.command = {settings.program, "build", file, "-o", output};
  request.command.insert(request.command.end(), options.begin(), options.end());
  request.environment = {{"CCACHE_DISABLE", "1"}};  // the compiler shall compile
  request.seconds_allowed = kBuildSeconds;
  const ProcessResult result = run_process(request);
  if (!result.is_success())
    throw Refused("mechfmu build " + describe_end(result) + ": " + result.output.substr(0, 300));
  Diagnostics diagnostics;
  std::shared_ptr<Fmu> fmu = Fmu::open(output, diagnostics);
  if (!fmu || !fmu->load(diagnostics)) throw Refused("the FMU could not be loaded");
  BuiltFmu built{fmu, result.cpu_seconds, static_cast<double>(std::filesystem::file_size(output)),
                 0};
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(fmu->folder() + "/binaries"))
    if (entry.is_regular_file()) built.library_bytes += static_cast<double>(entry.file_size());
  return built;
}

FmuRun::FmuRun(const std::shared_ptr<Fmu>& fmu, double communication_step)
    : fmu_(fmu), step_(communication_step) {
  Diagnostics diagnostics;
  instance_ = fmu->instantiate("bench", {}, CallLog(), false, diagnostics);
  if (!instance_) throw std::runtime_error("the FMU could not be instantiated");
  for (const char* name : {"marker_x", "marker_y", "marker_z"})
    if (const FmuVariable* v = fmu->description().find(name)) marker_.push_back(v->value_reference);
}

void FmuRun::choose(const std::string& enumeration, const std::string& item) {
  const FmuVariable* v = fmu_->description().find(enumeration);
  if (v == nullptr) return;
  for (const FmuVariable::Item& i : v->items)
    if (i.name == item) {
      instance_->set_integer({v->value_reference}, {i.value});
      return;
    }
  throw std::runtime_error("the FMU has no choice " + item);
}

void FmuRun::set(const std::string& variable, double value) {
  const FmuVariable* v = fmu_->description().find(variable);
  if (v == nullptr || instance_->set_real({v->value_reference}, {value}) != fmi2OK)
    throw std::runtime_error("cannot set " + variable);
}

double FmuRun::get(const std::string& variable) {
  const FmuVariable* v = fmu_->description().find(variable);
  std::vector<double> value;
  if (v == nullptr || instance_->get_real({v->value_reference}, value) != fmi2OK)
    throw std::runtime_error("cannot get " + variable);
  return value.front();
}

bool FmuRun::initialize() {
  return instance_->setup_experiment({}, 0, {}) == fmi2OK &&
         instance_->enter_initialization_mode() == fmi2OK &&
         instance_->exit_initialization_mode() == fmi2OK;
}

bool FmuRun::advance_to(double time) {
  const double length = time - time_;
  const int steps = step_ > 0 ? std::max(1, static_cast<int>(std::lround(length / step_))) : 1;
  for (int i = 0; i < steps; ++i) {
    const double begin = time_ + length * i / steps, end = time_ + length * (i + 1) / steps;
    if (functions().DoStep(component(), begin, end - begin, fmi2True) != fmi2OK) return false;
  }
  time_ = time;
  return true;
}

Vector3d FmuRun::marker() {
  Vector3d marker = Vector3d::Zero();
  functions().GetReal(component(), marker_.data(), marker_.size(), marker.data());
  return marker;
}

double instance_bytes(const Fmu& fmu) {
  const auto allocated = [] {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
  };
  const double before = allocated();
  Diagnostics diagnostics;
  const auto instance = fmu.instantiate("memory", {}, CallLog(), false, diagnostics);
  return allocated() - before;
}

StepTimes time_steps(const std::shared_ptr<Fmu>& fmu, double duration) {
  const auto count = static_cast<std::size_t>(std::lround(duration / kRealTimeStep));
  std::vector<double> least(count, 1e300);
  double clock = 1e300;  // [s] what reading the clock takes
  StepTimes times;
  for (int repeat = 0; repeat < kRealTimeRepeats; ++repeat) {
    FmuRun run(fmu);
    if (!run.initialize()) return times;
    for (std::size_t i = 0; i < count; ++i) {
      const double time = static_cast<double>(i) * kRealTimeStep;
      const double begin = wall_seconds();
      const fmi2Status status =
          run.functions().DoStep(run.component(), time, kRealTimeStep, fmi2True);
      const double end = wall_seconds();
      clock = std::min(clock, wall_seconds() - end);
      if (status != fmi2OK) return times;
      least[i] = std::min(least[i], end - begin);
      times.highest_of_all = std::max(times.highest_of_all, end - begin);
    }
  }
  std::sort(least.begin(), least.end());
  times.median = least[count / 2] - clock;
  times.high = least[count - 1 - count / 1000] - clock;
  times.highest = least[count - 1] - clock;
  times.completed = true;
  return times;
}

}  // namespace mechfmu::bench
