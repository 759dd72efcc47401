// A problem's FMU: built by the program as users build it, and run through the FMI functions alone.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "harness/fmu.hpp"

namespace mechfmu::bench {

struct BuiltFmu {
  std::shared_ptr<Fmu> fmu;
  double cpu_seconds = 0;  // of the program and the compiler
  double fmu_bytes = 0, library_bytes = 0;
};

// Writes NAME.xml and NAME<suffix>.fmu into the folder. Throws Refused with what the program says.
BuiltFmu build_fmu_file(const Settings& settings, const std::string& name,
                        const std::string& mechanism, const std::string& suffix,
                        const std::vector<std::string>& options);

class FmuRun : public Run {
 public:
  // communication_step 0: from sample to sample
  explicit FmuRun(const std::shared_ptr<Fmu>& fmu, double communication_step = 0);

  void choose(const std::string& enumeration, const std::string& item);  // if it has the choice
  void set(const std::string& variable, double value);
  [[nodiscard]] double get(const std::string& variable);
  bool initialize();
  bool advance_to(double time) override;
  Vector3d marker() override;

  [[nodiscard]] const FmuFunctions& functions() const { return instance_->functions(); }
  [[nodiscard]] fmi2Component component() const { return instance_->component(); }

 private:
  std::shared_ptr<Fmu> fmu_;
  std::unique_ptr<FmuInstance> instance_;
  std::vector<fmi2ValueReference> marker_;
  double step_, time_ = 0;
};

// [bytes] that an instance takes from the heap.
double instance_bytes(const Fmu& fmu);

// What a real-time host sees: times of fmi2DoStep at a communication step of 1 ms. Every step of
// the run is timed, the run is repeated, and the least time of each step is kept: what an interrupt
// or another program takes now and then is not the FMU's.
struct StepTimes {
  double median = 0, high = 0, highest = 0;  // [s] high: 99.9 % of the steps are faster
  double highest_of_all = 0;                 // with whatever else happened
  bool completed = false;
};
StepTimes time_steps(const std::shared_ptr<Fmu>& fmu, double duration);

}  // namespace mechfmu::bench
