// The master: brings the components of a system from one communication point to the next.
//
// jacobi        all components step with inputs that are extrapolated from the past
// gauss_seidel  one after the other: inputs that come from a component that has stepped already are
//               interpolated, the others extrapolated
//
// iterations    the step is repeated from saved states with inputs interpolated to the outputs that
//               the last pass gave, until they agree (waveform iteration). Stiff couplings, where
//               plain repetition diverges, converge through Anderson's acceleration: the next guess
//               is the combination of the past ones that makes the linear part of the mismatch
//               least.
// tolerance     the step is chosen by doubling: one step of H against two of H/2, whose difference
// is
//               an estimate of the error; order p = order of the inputs + 1
//
// The first step knows no past. Order 2 would be lost there, so that step is iterated where states
// can be saved.
//
// Kübler & Schiehlen (2000), Busch (2012): local error O(h^(k+2)) with inputs of order k. Outputs
// are read after a step and inputs set before the next one, never the other way: FMI 2.0 (4.2.4)
// leaves open what an FMU says between. Signals that are held (discrete) are never extrapolated.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coupling/component_run.hpp"
#include "coupling/order.hpp"
#include "coupling/signal_polynomial.hpp"

namespace mechfmu {

enum class CouplingMethod { jacobi, gauss_seidel };

struct CouplingOptions {
  CouplingMethod method = CouplingMethod::gauss_seidel;
  int order = 1;                    // of the inputs: 0, 1, 2
  int iterations = 0;               // at most, per step; 0: none
  std::optional<double> tolerance;  // relative; adaptive steps
};

struct CouplingStatistics {
  std::int64_t steps = 0;
  std::int64_t rejected = 0;
  std::int64_t passes = 0;  // all components stepped once
  double smallest_step = 0, largest_step = 0;
  std::optional<double> iterating_since;  // stiffness found there [s]
  std::vector<std::string> loops;         // algebraic loops at the start, by their inputs
};

class CouplingMaster {
 public:
  // False: an error says which FMU cannot save its state although the options need it.
  static bool check(const CoupledSystem& system, const CouplingOptions& options,
                    Diagnostics& diagnostics);

  CouplingMaster(const CoupledSystem& system, const CouplingOptions& options);

  // False and failure() below.
  bool initialize(double start, double stop, const FmuMessageSink& messages, const CallSink& calls,
                  Diagnostics& diagnostics);
  bool go_to(double end);  // one step, or as many as the tolerance needs
  bool terminate();

  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] const CouplingFailure& failure() const { return failure_; }
  [[nodiscard]] const CouplingStatistics& statistics() const { return statistics_; }
  [[nodiscard]] const std::vector<std::size_t>& component_order() const { return order_; }
  [[nodiscard]] ComponentRun& component(std::size_t index) { return *components_[index]; }

 private:
  struct Past {
    double time = 0;
    std::vector<SignalValue> values;
  };

  // initialization.cpp
  bool pass_on_at_start();
  bool solve_loop(const std::vector<std::size_t>& links);
  bool evaluate_loop(const std::vector<std::size_t>& links, std::vector<SignalValue>& values);
  [[nodiscard]] std::string list_inputs(const std::vector<std::size_t>& links) const;
  bool fail_loop(const std::vector<std::size_t>& links, const std::string& reason);

  // master.cpp
  bool advance(double length);  // from time_, to next_; iterates if asked for
  bool pass(double length, bool ends_are_known);
  bool set_inputs(std::size_t component, double length, bool ends_are_known);
  [[nodiscard]] SignalPolynomial shape(std::size_t link, double length, bool end_is_known) const;
  bool iterate(double length, int iterations);
  void commit(double time);
  bool save(std::size_t place);
  bool restore(std::size_t place);
  bool fail_from(const ComponentRun& component);
  [[nodiscard]] bool iterates_start() const {
    return options_.order == 2 && can_go_back_ && past_.size() == 1;
  }
  [[nodiscard]] bool goes_back() const {
    return options_.tolerance || options_.iterations > 0 || iterates_start();
  }

  // step_control.cpp
  bool go_adaptive(double end);
  bool try_doubled(double length, double& error);
  bool observe(std::vector<double>& values);
  [[nodiscard]] double weight(double nominal, double value) const;

  const CoupledSystem& system_;
  CouplingOptions options_;
  std::vector<std::unique_ptr<ComponentRun>> components_;
  std::vector<std::size_t> order_;
  std::vector<std::vector<std::size_t>> in_, out_;  // links per component
  std::vector<bool> smooth_, takes_end_;            // per link
  std::vector<FmuInstance::References> watched_;    // per component: outputs for the error estimate
  std::vector<double> nominals_;                    // of all of them
  std::deque<Past> past_;                           // newest first; [0] is now
  std::vector<SignalValue> next_;
  std::vector<bool> has_stepped_;
  bool can_go_back_ = true;  // all components save their states
  int steps_iterated_ = 0;   // adaptive: of those that stiffness asked for
  int steps_to_iterate_ = 0;
  double time_ = 0;
  double proposed_ = 0;  // adaptive step; 0: none yet
  CouplingFailure failure_;
  CouplingStatistics statistics_;
};

}  // namespace mechfmu
