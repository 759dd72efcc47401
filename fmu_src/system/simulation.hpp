// One simulated mechanism: values, state, assembly, stepping, outputs. The FMI layer owns nothing
// of the physics and talks only to this class; so do the tests, with an interpreted Model.
//
// Memory is one block, allocated by the owner before construction; nothing is allocated afterwards.
// The part that is the state (time, values, q, v, continuous angles, statistics) is contiguous and
// holds only numbers: saving is a copy.
#pragma once
#include <cstddef>

#include "assembly/assembly.hpp"
#include "integrators/integrator.hpp"
#include "schemes/scheme.hpp"
#include "system/model.hpp"
#include "system/system.hpp"

namespace mechfmu::runtime {

// Internal steps in one communication step: minutes of computing; more is a mistake.
inline constexpr double kMostSteps = 1e8;

class Simulation {
 public:
  static std::size_t bytes(const Model& model);  // size of `memory`, which is aligned to 16

  Simulation(const Model& model, void* memory);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Everything back to the start values of the model description, time 0, not initialized.
  void reset();

  // Value array by value reference. Whoever writes a value calls mark_changed() afterwards.
  [[nodiscard]] double* values() { return values_; }
  [[nodiscard]] const double* values() const { return values_; }
  void mark_changed(VariableKind kind);
  // An input was set (to whatever value), or its derivative of order 1 or 2 for the coming step.
  void end_input_polynomial(int input);
  void set_input_derivative(int input, int order, double value);

  // Consistent positions and velocities at time t for the present parameters, starts and inputs.
  // False: could not assemble; failure() says why and names the joint. Values and time are kept.
  bool initialize(double t);

  // From the present time to t + h, where t is the host's idea of the present time; ends exactly on
  // t + h. False: state restored as at the call, failure() says why.
  bool advance(double t, double h);

  // Recomputes the computed values (all of them: `with_accelerations`) if anything changed since
  // the last time. False: the accelerations could not be found; failure() says why, values keep
  // their last content.
  bool update_outputs(bool with_accelerations);

  // How all computed values move, in value reference order from first_computed() on: as time goes
  // on at the present point, or with `change` of the values that `known` refers to. Those are
  // inputs and states; while `initializing` inputs, parameters and starts, which take the assembled
  // positions and velocities with them. False: not finite.
  bool calc_time_rates(double* rates);
  bool calc_directional(bool initializing, int count, const unsigned* known, const double* change,
                        double* rates);
  // Model exchange: somebody else integrates the states (see Model::n_states). The accelerations,
  // also as outputs, then are those of the index-1 equations with weak stabilisation.
  void begin_exchange() {
    exchange_ = true;
    system_.meet_all_rows(true);
  }
  void set_time(double t);
  void get_states(double* x) const;
  void set_states(const double* x);
  void set_state(int state, double value);
  bool calc_state_rates(double* rates);
  // After a step of the host's integrator: continuous angles go on. Whether the constraints are off
  // by more than `allowed`.
  bool complete_host_step(double allowed);
  bool project();                  // positions and velocities back onto the constraints
  void get_indicators(double* z);  // [n_indicators] their signs change where conditions do
  bool update_conditions();        // at an event: whether any has changed

  [[nodiscard]] double* rates() { return output_rates_; }  // room for them [n_computed]
  [[nodiscard]] int first_computed() const { return first_input() + model_.nu; }

  [[nodiscard]] double time() const { return *time_; }
  [[nodiscard]] const char* failure() const {
    return failure_.text;
  }                                         // last reason, ASCII, never null
  [[nodiscard]] const char* take_notice();  // a warning to log once, or nullptr

  [[nodiscard]] std::size_t state_bytes() const {
    return sizeof(double) * static_cast<std::size_t>(state_size_);
  }
  void save(void* to) const;
  void restore(const void* from);

  [[nodiscard]] const Model& model() const { return model_; }

  // For the generator's analysis and for tests.
  [[nodiscard]] System& system() { return system_; }
  [[nodiscard]] double* position() { return q_; }
  [[nodiscard]] double* velocity() { return v_; }
  [[nodiscard]] const double* acceleration() const { return a_; }     // after update_outputs(true)
  [[nodiscard]] const double* multiplier() const { return lambda_; }  // likewise
  [[nodiscard]] const AssemblyReport& assembly_report() const { return report_; }
  // One step of the adaptive integrator from the present state, which stays: its error estimate
  // relative to what solver.tolerance allows.
  bool estimate_error(double h, double& error);
  void mark_moved() { outputs_current_ = accelerations_current_ = false; }

 private:
  Simulation(const Model& model, Arena arena);
  void update_constants();
  const Scheme& choose_scheme();
  [[nodiscard]] const Integrator& choose_integrator() const;
  bool step_to(const Scheme& scheme, const Integrator& integrator, double t, double h);
  bool finish_step(const Scheme& scheme, StepContext& context, double t);
  bool advance_fixed(const Scheme& scheme, const Integrator& integrator, double t, double h);
  bool fail_within(double t);
  bool is_nearly_singular();
  bool find_place_on_constraints(double* q, double* v);
  bool accelerate_from(const double* q, const double* v);
  [[nodiscard]] double calc_stabilisation(int row, double phi, double rate) const;
  void stabilise(const double* rate, double* side) const;
  void update_memory();
  bool finish_tangent(double* rates);
  void seed_rate(bool initializing, unsigned known, double change);
  bool advance_adaptive(const Scheme& scheme, const Integrator& integrator, double t, double h);
  bool try_step(const Scheme& scheme, const Integrator& integrator, StepContext& context, double t,
                double& h, double& error);
  void hold_conditions(double t);  // as they are at the present state
  // What `act` returns with conditions that follow, as if none were held.
  template <class Act>
  bool with_live_conditions(Act act);
  bool update_outputs_live();
  bool find_change(double t, const double*& z);
  bool fail_not_smooth(double t);
  [[nodiscard]] StepSettings step_settings() const;
  double calc_least_tolerance();
  double calc_energy();
  [[nodiscard]] int first_input() const {
    return model_.n_parameters + model_.n_starts + model_.n_settings;
  }
  bool begin_sampling(double t);
  bool take_sample(double t, double at);
  bool sample_until(double end);
  [[nodiscard]] StepContext make_context();

  const Model& model_;
  Arena arena_;

  // the state, contiguous from time_ on
  double* time_;
  double* values_;
  double* q_;
  double* v_;
  double* memory_;
  double* statistics_;
  double* signal_state_;
  double* history_;  // of multistep methods, and the step an adaptive one proposes
  double* scheme_memory_;
  double* scheme_multiplier_;
  double* start_energy_;
  double* modes_;     // conditions of the motion as they are held
  double* sampling_;  // of controllers: samples taken, [s] time of the first one
  int state_size_;

  double* backup_;  // state at the beginning of a communication step
  InputSignals inputs_;
  System system_;
  Assembly assembly_;
  StageMemory stages_;
  double* a_;
  double* lambda_;
  double* force_side_;
  double* constraint_side_;
  double* step_lambda_;
  double* change_;
  SchemeScratch scratch_;
  double parameters_[kSchemeParameters] = {};
  double* output_rates_;     // [n_computed]
  double* condition_rates_;  // [2 nc + n_conditions]
  double* position_change_;  // [nv]
  double* velocity_change_;  // [nv]
  double* computed_;         // what the output kernels fill
  double* new_memory_;
  struct {
    double* begin;  // [n_indicators] of a step
    double* end;
    double* held;  // conditions while others are tried
  } indicators_;

  AssemblyReport report_;
  Failure failure_;
  bool exchange_ = false;
  bool constants_current_ = false;
  bool outputs_current_ = false;
  bool accelerations_current_ = false;
  bool notice_pending_ = false;
  bool notice_given_ = false;
  char notice_[200] = "";
};

}  // namespace mechfmu::runtime
