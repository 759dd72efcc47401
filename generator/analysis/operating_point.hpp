// A mechanism at a state, without a compiler: the very runtime of an FMU on interpreted kernels,
// with values by name. What linearize and equilibrium work on.
#pragma once
#include <Eigen/Dense>
#include <string>
#include <utility>
#include <vector>

#include "formulation/interpreted_model.hpp"
#include "formulation/system_model.hpp"
#include "support/diagnostic.hpp"
#include "system/simulation.hpp"

namespace mechfmu {

class OperatingPoint {
 public:
  explicit OperatingPoint(const SystemModel& system);  // which must outlive it

  // --start-value name=value. Unknown names, values of the wrong kind and what is computed: E711 to
  // E713.
  bool set(const std::vector<std::pair<std::string, std::string>>& values,
           Diagnostics& diagnostics);
  void set(const InterfaceVariable& variable, double value);

  // Inputs that constraints follow change as they do, with their rates given by the host (zero
  // here), instead of through the filters of the FMU. Before initialize().
  void follow_inputs_directly();

  bool initialize(double time);  // assembles; failure() says why not
  bool advance_to(double time);  // simulates in communication steps of the experiment
  [[nodiscard]] std::string failure() const { return simulation_.failure(); }

  [[nodiscard]] const SystemModel& system() const { return system_; }
  [[nodiscard]] const runtime::Model& model() const { return interpreted_.model(); }
  [[nodiscard]] runtime::Simulation& simulation() { return simulation_; }
  [[nodiscard]] runtime::System& equations() { return simulation_.system(); }

  // Values by value reference, computed ones included. False: the accelerations are not finite.
  bool update() { return simulation_.update_outputs(true); }
  [[nodiscard]] double value(const InterfaceVariable& variable) const;
  [[nodiscard]] int first_input() const;
  [[nodiscard]] bool follows_directly() const { return direct_; }

 private:
  const SystemModel& system_;
  InterpretedModel interpreted_;
  std::vector<double> memory_;
  runtime::Simulation simulation_;
  bool direct_ = false;
};

}  // namespace mechfmu
