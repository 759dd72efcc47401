// When a simulation communicates and when it records.
//
//   communication step = --step-size, else --output-interval if that is smaller than the
//   experiment's step, else the experiment's step, else (stop - start) / 500 (which then also
//   counts as the experiment's step)
//
// The recording interval must be a multiple of the step. Points are start + k * step, computed and
// not summed up; the last step is shortened to end exactly on the stop time. Start and stop are
// always recorded.
#pragma once
#include <cstdint>
#include <optional>

#include "harness/model_description.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu {

// What the user gave; nothing = from the FMU's default experiment, else a default.
struct CommunicationRequest {
  std::optional<double> start, stop, step, output_interval;  // [s]
};

class CommunicationPlan {
 public:
  // Errors (stop before start, a step that is no step, an interval that is no multiple) are wrong
  // usage.
  static std::optional<CommunicationPlan> make(const CommunicationRequest& request,
                                               const FmuExperiment& experiment, bool can_vary_step,
                                               Diagnostics& diagnostics);

  [[nodiscard]] double start() const { return start_; }
  [[nodiscard]] double stop() const { return stop_; }
  [[nodiscard]] double step() const { return step_; }
  [[nodiscard]] std::int64_t step_count() const { return count_; }
  // Point k of 0 .. step_count().
  [[nodiscard]] double point(std::int64_t k) const {
    return k >= count_ ? stop_ : start_ + static_cast<double>(k) * step_;
  }
  [[nodiscard]] bool is_recorded(std::int64_t k) const {
    return k >= count_ || k % steps_per_row_ == 0;
  }

 private:
  double start_ = 0;
  double stop_ = 0;
  double step_ = 0;
  std::int64_t count_ = 0;
  std::int64_t steps_per_row_ = 1;
};

}  // namespace mechfmu
