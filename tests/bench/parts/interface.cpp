// What fmi2DoStep and the access to variables cost by themselves: a slider that ten inputs push and
// that twenty outputs tell about, integrated by one Euler step per communication step. The Euler
// step itself is measured, too, as one of many in a long communication step, and subtracted.
#include <fmt/format.h>

#include "engines/fmu_run.hpp"
#include "measure/clock.hpp"

namespace {

using namespace mechfmu;
using namespace mechfmu::bench;

constexpr int kInputs = 10, kOutputs = 20;
constexpr double kStep = 1e-3;  // [s]
constexpr double kManySteps = 1e5;

std::string slider() {
  std::string text =
      "<mechanism name=\"Slider\" gravity=\"0 0 0\">\n"
      "  <body name=\"carriage\"><inertial mass=\"1\" inertia=\"1 1 1\"/></body>\n"
      "  <joint name=\"rail\" type=\"prismatic\" parent=\"ground\" child=\"carriage\" axis=\"1 0 "
      "0\"/>\n";
  for (int i = 1; i <= kInputs; ++i)
    text += fmt::format(
        "  <input name=\"u{0}\" unit=\"N\"/><force name=\"f{0}\" type=\"joint_force\" "
        "joint=\"rail\" value=\"u{0}\"/>\n",
        i);
  for (int i = 1; i <= kOutputs; ++i)
    text += fmt::format("  <output name=\"y{}\" value=\"{}*rail.{}\"/>\n", i, i,
                        i % 2 == 0 ? "position" : "velocity");
  return text + "</mechanism>\n";
}

class Interface {
 public:
  explicit Interface(const std::shared_ptr<Fmu>& fmu) : fmu_(fmu) {
    for (int i = 1; i <= kInputs; ++i) inputs_.push_back(reference(fmt::format("u{}", i)));
    for (int i = 1; i <= kOutputs; ++i) outputs_.push_back(reference(fmt::format("y{}", i)));
    restart(kStep);
  }
  void restart(double step) {
    run_ = std::make_unique<FmuRun>(fmu_);
    run_->set("solver.step", step);
    if (!run_->initialize()) throw std::runtime_error("cannot initialize");
    count_ = 0;
  }
  void set() {  // other values every time: equal ones would be no work
    const double value = values_.front() > 0 ? -1 : 1;
    for (double& u : values_) u = value;
    run_->functions().SetReal(run_->component(), inputs_.data(), inputs_.size(), values_.data());
  }
  void get() {
    run_->functions().GetReal(run_->component(), outputs_.data(), outputs_.size(), results_.data());
  }
  void step() {
    if (run_->functions().DoStep(run_->component(), count_ * kStep, kStep, fmi2True) != fmi2OK)
      throw std::runtime_error("a step failed");
    count_ += 1;
  }
  // [s] of one Euler step among many
  double internal_seconds() {
    restart(kStep / kManySteps);
    return time_per_call([&] { step(); }) / kManySteps;
  }

 private:
  fmi2ValueReference reference(const std::string& name) {
    const FmuVariable* v = fmu_->description().find(name);
    if (v == nullptr) throw std::runtime_error("no variable " + name);
    return v->value_reference;
  }
  std::shared_ptr<Fmu> fmu_;
  std::unique_ptr<FmuRun> run_;
  std::vector<fmi2ValueReference> inputs_, outputs_;
  std::vector<double> values_ = std::vector<double>(kInputs),
                      results_ = std::vector<double>(kOutputs);
  double count_ = 0;
};

}  // namespace

// interface PROGRAM FOLDER RESULTS
int main(int count, char** arguments) {
  if (count != 4) return 2;
  try {
    Settings settings;
    settings.program = arguments[1];
    settings.folder = arguments[2];
    const BuiltFmu built = build_fmu_file(settings, "slider", slider(), "",
                                          {"--scheme", "none", "--integrator", "euler"});
    Interface interface(built.fmu);
    const double all = time_per_call([&] {
      interface.set();
      interface.step();
      interface.get();
    });
    const double step = time_per_call([&] { interface.step(); });
    const double access = time_per_call([&] {
      interface.set();
      interface.get();
    });
    const double internal = interface.internal_seconds();
    std::FILE* out = std::fopen(arguments[3], "w");
    if (out == nullptr) return 5;
    for (const auto& [key, value] :
         {std::pair("overhead_10_20", all - internal), std::pair("overhead_step", step - internal),
          std::pair("overhead_set_get", access), std::pair("overhead_internal_step", internal)})
      fmt::print(out, "figure\t{}\t{:.6g}\n", key, value);
    std::fclose(out);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
