#include "compare/run_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <mutex>
#include <thread>

#include "support/number_text.hpp"

namespace mechfmu {

namespace {

constexpr double kLongestRun = 30;  // [s] of CPU time; what takes longer is of no use to anybody
constexpr double kTimedAtLeast = 0.02;  // [s] of CPU time, else the run is repeated
constexpr int kMostRepeats = 5;
constexpr double kReferenceTolerance = 1e-12;
constexpr int kReferenceParts = 16;  // of the finest step that is compared

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool goes_on(fmi2Status status) { return status == fmi2OK || status == fmi2Warning; }

struct Trajectory {
  bool completed = false;
  std::string reason;
  std::vector<double> coordinates;  // sample after sample
  std::vector<double> energy;
  double residual = 0, residual_velocity = 0;
};

// One way to run it: what is set before initialization.
struct Choice {
  Method method;
  double setting = 0;
  bool is_reference = false;
};

class Runner {
 public:
  Runner(const Fmu& fmu, const ComparisonRequest& request) : fmu_(fmu), request_(request) {
    for (const FmuVariable& v : fmu.description().variables)
      if (is_coordinate(v)) coordinates_.push_back(v.value_reference);
    const auto watch = [&](const char* name, FmuInstance::References& to) {
      if (const FmuVariable* v = fmu.description().find(name)) to.push_back(v->value_reference);
    };
    watch("constraint.residual", residual_);
    watch("constraint.residual_velocity", residual_velocity_);
    watch("energy.total", energy_);
  }

  [[nodiscard]] std::size_t coordinate_count() const { return coordinates_.size(); }

  // With all numbers, or for the time alone: `seconds` is what fmi2DoStep took.
  Trajectory run(const Choice& choice, bool reads, double& seconds) const {
    Trajectory result;
    FmuInstanceOptions options;
    options.name = "compare";
    options.guid = fmu_.description().guid;
    options.resource_uri = make_file_uri(fmu_.folder() + "/resources");
    options.description = &fmu_.description();
    const auto instance = FmuInstance::make(fmu_.library(), options);
    if (!instance) {
      result.reason = "the FMU could not be instantiated";
      return result;
    }
    const CommunicationPlan& points = request_.communication;
    const auto check = [&](fmi2Status status) {
      if (goes_on(status)) return true;
      result.reason =
          instance->last_message().empty() ? "stopped without a word" : instance->last_message();
      return false;
    };
    if (!check(instance->setup_experiment(std::nullopt, points.start(), points.stop())) ||
        !check(request_.start_values.before.set(*instance)) || !choose(*instance, choice) ||
        !check(instance->enter_initialization_mode()) ||
        !check(request_.start_values.inputs.set(*instance)) ||
        !check(instance->exit_initialization_mode()))
      return result;
    if (reads && !read(*instance, result)) return result;
    for (std::int64_t k = 0; k < points.step_count(); ++k) {
      const double begin = thread_seconds();
      const fmi2Status status =
          instance->do_step(points.point(k), points.point(k + 1) - points.point(k));
      seconds += thread_seconds() - begin;
      if (!check(status) || (reads && !read(*instance, result))) return result;
      if (seconds > kLongestRun) {
        result.reason = fmt::format("stopped at t = {} s after {:.0f} s of CPU time",
                                    number_text(points.point(k + 1)), kLongestRun);
        return result;
      }
    }
    result.completed = true;
    return result;
  }

 private:
  // States of positions; not of velocities, and not counters or solver settings.
  static bool is_coordinate(const FmuVariable& v) {
    return v.name.starts_with("state.") && v.type == FmuVariable::Type::real &&
           !v.name.ends_with("velocity") && v.name.find(".v[") == std::string::npos &&
           v.name.find("velocity[") == std::string::npos && v.name.find(".w[") == std::string::npos;
  }

  bool choose(FmuInstance& instance, const Choice& choice) const {
    std::vector<std::pair<std::string, std::string>> values;
    const auto set = [&](const char* name, const std::string& value) {
      if (fmu_.description().find(name) != nullptr) values.emplace_back(name, value);
    };
    set("scheme.name", choice.method.scheme);
    if (!choice.method.integrator.empty()) set("solver.integrator", choice.method.integrator);
    set(choice.method.is_adaptive ? "solver.tolerance" : "solver.step",
        number_text(choice.setting));
    if (choice.is_reference) set("scheme.tolerance", "1e-14");
    Diagnostics ignored;
    return goes_on(parse_start_values(values, fmu_.description(), ignored).before.set(instance));
  }

  bool read(FmuInstance& instance, Trajectory& result) const {
    std::vector<double> values;
    if (!goes_on(instance.get_real(coordinates_, values))) return false;
    for (const double value : values)
      if (!std::isfinite(value)) {
        result.reason = "a coordinate is not finite";
        return false;
      }
    result.coordinates.insert(result.coordinates.end(), values.begin(), values.end());
    const auto get = [&](const FmuInstance::References& references) {
      const bool has = !references.empty() && goes_on(instance.get_real(references, values));
      return has ? values.front() : 0;
    };
    result.residual = std::max(result.residual, get(residual_));
    result.residual_velocity = std::max(result.residual_velocity, get(residual_velocity_));
    result.energy.push_back(get(energy_));
    return true;
  }

  const Fmu& fmu_;
  const ComparisonRequest& request_;
  FmuInstance::References coordinates_, residual_, residual_velocity_, energy_;
};

double largest_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double distance = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    distance = std::max(distance, std::fabs(a[i] - b[i]));
  return distance;
}

MethodRun measure(const Runner& runner, const Trajectory& reference, const Choice& choice,
                  std::size_t method, double duration) {
  MethodRun run;
  run.method = method;
  run.setting = choice.setting;
  double seconds = 0;
  const Trajectory trajectory = runner.run(choice, true, seconds);
  run.completed = trajectory.completed;
  run.reason = trajectory.reason;
  run.error = largest_distance(trajectory.coordinates, reference.coordinates);
  run.energy_error = largest_distance(trajectory.energy, reference.energy);
  run.residual = trajectory.residual;
  run.residual_velocity = trajectory.residual_velocity;
  double least = HUGE_VAL;
  double total = 0;
  for (int i = 0; run.completed && i < kMostRepeats && (i < 2 || total < kTimedAtLeast); ++i) {
    seconds = 0;
    (void)runner.run(choice, false, seconds);
    least = std::min(least, seconds);
    total += seconds;
    if (total > 2) break;
  }
  run.cost = run.completed ? least / duration : 0;
  return run;
}

}  // namespace

bool run_comparison(const Fmu& fmu, const ComparisonRequest& request,
                    const std::function<void(std::size_t, std::size_t)>& progress,
                    Comparison& comparison, Diagnostics& diagnostics) {
  const Runner runner(fmu, request);
  comparison.coordinates = runner.coordinate_count();
  const std::string& scheme = request.reference_scheme;
  const Choice by_tolerance{{scheme, "dopri5", true}, kReferenceTolerance, true};
  const Choice by_step{{scheme, "rk4", false}, request.steps.back() / kReferenceParts, true};
  Trajectory references[2];
  {
    double seconds[2] = {0, 0};
    std::thread other([&] { references[1] = runner.run(by_step, true, seconds[1]); });
    references[0] = runner.run(by_tolerance, true, seconds[0]);
    other.join();
  }
  if (!references[0].completed && !references[1].completed) {
    diagnostics.error("E641", std::nullopt,
                      fmt::format("the reference could not be computed: {}", references[0].reason),
                      "try a shorter --stop-time, or look at 'mechfmu simulate'");
    return false;
  }
  const Trajectory& reference = references[references[0].completed ? 0 : 1];
  const std::string ways[2] = {
      fmt::format("{} + dopri5, tolerance {}", scheme, number_text(kReferenceTolerance)),
      fmt::format("{} + rk4, step {} s", scheme, number_text(by_step.setting))};
  if (references[0].completed && references[1].completed) {
    comparison.reference = fmt::format("{}; against {}", ways[0], ways[1]);
    comparison.reference_error =
        largest_distance(references[0].coordinates, references[1].coordinates);
  } else {
    comparison.reference = ways[references[0].completed ? 0 : 1];
    comparison.notes.push_back(fmt::format("nothing to compare the reference with: {}",
                                           references[references[0].completed ? 1 : 0].reason));
  }
  for (const double q : reference.coordinates)
    comparison.size = std::max(comparison.size, std::fabs(q));
  for (const double e : reference.energy)
    comparison.energy_size = std::max(comparison.energy_size, std::fabs(e));

  std::vector<std::pair<std::size_t, Choice>> work;
  for (std::size_t m = 0; m < comparison.methods.size(); ++m)
    for (const double setting :
         comparison.methods[m].is_adaptive ? request.tolerances : request.steps)
      work.push_back({m, {comparison.methods[m], setting, false}});
  comparison.runs.resize(work.size());
  std::atomic<std::size_t> next{0}, done{0};
  std::mutex talking;
  const double duration = request.communication.stop() - request.communication.start();
  const auto go = [&] {
    for (std::size_t i = next++; i < work.size(); i = next++) {
      comparison.runs[i] = measure(runner, reference, work[i].second, work[i].first, duration);
      const std::lock_guard lock(talking);
      progress(++done, work.size());
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < request.threads; ++i) threads.emplace_back(go);
  go();
  for (std::thread& thread : threads) thread.join();
  return true;
}

}  // namespace mechfmu
