#include "system/simulation.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "platform/portable_math.hpp"

namespace mechfmu::runtime {
namespace {

int count_values(const Model& m) {
  return m.n_parameters + m.n_starts + m.n_settings + m.nu + m.n_computed;
}

// Dense matrices are large in large mechanisms: room is taken only where a method wants it.
int dense_size(const Model& m) {
  for (int i = 0; i < m.n_integrators; ++i)
    if (m.integrators[i]->needs_matrix) return (m.nq + m.nv) * (m.nq + m.nv);
  return 0;
}
int matrix_size(const Model& m) {
  for (int i = 0; i < m.n_schemes; ++i)
    if (m.schemes[i].scheme->needs_matrix) return m.nc * (m.nv + m.nc);
  return 0;
}

SchemeScratch make_scratch(const Model& m, Arena& arena) {
  SchemeScratch scratch{};
  for (double*& q : scratch.q) q = arena.take(m.nq);
  for (double*& v : scratch.v) v = arena.take(m.nv);
  for (double*& c : scratch.constraint) c = arena.take(m.nc);
  scratch.matrix = arena.take(matrix_size(m));
  return scratch;
}

}  // namespace

// One constructor does both: with a null block it only counts what it would take.
Simulation::Simulation(const Model& m, Arena arena)
    : model_(m),
      arena_(arena),
      time_(arena_.take(1)),
      values_(arena_.take(count_values(m))),
      q_(arena_.take(m.nq)),
      v_(arena_.take(m.nv)),
      memory_(arena_.take(m.n_memory)),
      statistics_(arena_.take(kStatisticCount)),
      signal_state_(arena_.take(InputSignals::kStateSize * m.nu)),
      history_(arena_.take(history_size(m))),
      scheme_memory_(arena_.take(mechfmu::runtime::scheme_memory(m))),
      scheme_multiplier_(arena_.take(m.nc + 1)),
      start_energy_(arena_.take(1)),
      modes_(arena_.take(m.n_indicators)),
      sampling_(arena_.take(m.sample > 0 ? 2 : 0)),
      state_size_(static_cast<int>(arena_.used())),
      backup_(arena_.take(state_size_)),
      inputs_(m, values_, signal_state_),
      system_(m, arena_),
      assembly_(m, arena_),
      stages_{arena_.take(kMaxStages * m.nq),
              arena_.take(kMaxStages * m.nv),
              arena_.take(m.nq),
              arena_.take(m.nv),
              arena_.take(m.nq),
              arena_.take(m.nv),
              arena_.take(m.nv),
              arena_.take(dense_size(m)),
              arena_.take(m.nq + m.nv),
              arena_.take(4 * (m.nq + m.nv)),
              arena_.take(m.linear.count),
              {history_, history_ ? history_ + History::kNumbers : nullptr}},
      a_(arena_.take(m.nv)),
      lambda_(arena_.take(m.nc)),
      force_side_(arena_.take(m.nv)),
      constraint_side_(arena_.take(m.nc)),
      step_lambda_(arena_.take(m.nc)),
      change_(arena_.take(m.nv)),
      scratch_(make_scratch(m, arena_)),
      output_rates_(arena_.take(m.n_computed)),
      condition_rates_(arena_.take(2 * m.nc + m.n_conditions)),
      position_change_(arena_.take(m.nv)),
      velocity_change_(arena_.take(m.nv)),
      computed_(arena_.take(m.n_computed)),
      new_memory_(arena_.take(m.n_memory)),
      indicators_{arena_.take(m.n_indicators), arena_.take(m.n_indicators),
                  arena_.take(m.n_indicators)} {}

Simulation::Simulation(const Model& m, void* memory) : Simulation(m, Arena(memory)) { reset(); }

std::size_t Simulation::bytes(const Model& m) {
  const Simulation counting(m, Arena(nullptr));
  return sizeof(double) * counting.arena_.used();
}

void Simulation::reset() {
  std::memset(time_, 0, state_bytes());
  for (int i = 0; i < count_values(model_); ++i)
    if (model_.reals[i].kind != VariableKind::computed) values_[i] = model_.reals[i].start;
  for (int k = 0; k < model_.n_quaternions; ++k) q_[model_.quaternions[k].q] = 1;
  for (int i = 0; i < model_.nv; ++i) a_[i] = 0;
  for (int i = 0; i < model_.nc; ++i) lambda_[i] = 0;
  system_.bind(values_, values_ + model_.n_parameters, &inputs_, memory_, statistics_, modes_);
  system_.hold_conditions(false);
  report_ = {};
  failure_.text[0] = '\0';
  constants_current_ = outputs_current_ = accelerations_current_ = false;
  notice_pending_ = notice_given_ = false;
  system_.forget_lost_rank();
}

void Simulation::mark_changed(VariableKind kind) {
  if (kind == VariableKind::parameter) constants_current_ = false;
  outputs_current_ = accelerations_current_ = false;
  history_[History::kCount] = 0;  // what was before no longer continues
}

void Simulation::end_input_polynomial(int input) {
  if (inputs_.end_polynomial(input)) mark_changed(VariableKind::input);
}

void Simulation::set_input_derivative(int input, int order, double value) {
  inputs_.set_derivative(input, order, value);
  mark_changed(VariableKind::input);
}

void Simulation::update_constants() {
  if (constants_current_) return;
  system_.prepare();
  constants_current_ = true;
}

StepContext Simulation::make_context() {
  const Integrator& integrator = choose_integrator();
  const double gain =
      integrator.attempt ? 0 : integrator.stable_gain / values_[model_.step_setting];
  return {system_,
          parameters_,
          values_,
          gain,
          force_side_,
          constraint_side_,
          step_lambda_,
          change_,
          scratch_,
          scheme_memory_,
          scheme_multiplier_,
          *start_energy_,
          failure_,
          integrator.attempt != nullptr};
}

// The scheme in use, with its parameters.
const Scheme& Simulation::choose_scheme() {
  const int k = model_.scheme_choice < 0 ? 0 : static_cast<int>(values_[model_.scheme_choice]) - 1;
  const SchemeEntry& entry = model_.schemes[k];
  for (int i = 0; i < kSchemeParameters; ++i)
    if (entry.parameter[i] >= 0) parameters_[i] = values_[entry.parameter[i]];
  return *entry.scheme;
}

const Integrator& Simulation::choose_integrator() const {
  const int choice = model_.integrator_choice;
  return *model_.integrators[choice < 0 ? 0 : static_cast<int>(values_[choice]) - 1];
}

StepSettings Simulation::step_settings() const {
  const auto value = [&](int setting, double fallback) {
    return setting < 0 ? fallback : values_[setting];
  };
  return {value(model_.tolerance_setting, 1e-6),
          static_cast<int>(value(model_.corrections_setting, 1))};
}

double Simulation::calc_energy() {
  if (!model_.has_energy) return 0;
  double energy = 0;
  system_.arrays()[kPosition] = q_;
  system_.arrays()[kVelocity] = v_;
  model_.energy.run(model_.energy.context, system_.arrays(), &energy);
  return energy;
}

bool Simulation::initialize(double t) {
  update_constants();
  for (int i = 0; i < kStatisticCount; ++i) statistics_[i] = 0;
  mark_moved();
  system_.forget_lost_rank();
  inputs_.initialize(t);
  system_.hold_conditions(false);
  if (!assembly_.run(system_, t, q_, v_, memory_, report_, failure_)) return false;
  *time_ = t;
  for (int i = 0; i < kStatisticCount; ++i) statistics_[i] = 0;
  for (int i = 0; i < history_size(model_); ++i) history_[i] = 0;
  for (int i = 0; i < mechfmu::runtime::scheme_memory(model_); ++i) scheme_memory_[i] = 0;
  for (int i = 0; i < model_.nc; ++i) scheme_multiplier_[i] = 0;
  scheme_multiplier_[model_.nc] = t;
  *start_energy_ = calc_energy();
  if (model_.sample > 0 && !begin_sampling(t)) return false;
  // somebody else integrates: conditions change at events only
  if (exchange_) hold_conditions(t);
  return true;
}

// What every step ends with, whoever made it.
bool Simulation::finish_step(const Scheme& scheme, StepContext& context, double t) {
  if (scheme.complete_step && !scheme.complete_step(context, t, q_, v_)) return false;
  if (!all_finite(q_, model_.nq) || !all_finite(v_, model_.nv))
    return failure_.set("t=%.9g: the state is not finite any more; try a smaller solver.step", t);
  update_memory();
  statistics_[kSteps] += 1;
  return true;
}

void Simulation::update_memory() {
  if (model_.n_memory == 0) return;
  system_.arrays()[kPosition] = q_;
  model_.memory.run(model_.memory.context, system_.arrays(), new_memory_);
  for (int i = 0; i < model_.n_memory; ++i) memory_[i] = new_memory_[i];
}

bool Simulation::step_to(const Scheme& scheme, const Integrator& integrator, double t, double h) {
  StepContext context = make_context();
  if (scheme.begin_step && !scheme.begin_step(context, t, h, q_, v_)) return false;
  system_.hold_pivots(true);
  const bool done = scheme.step
                        ? scheme.step(context, t, h, q_, v_)
                        : integrator.step(context, scheme, stages_, step_settings(), t, h, q_, v_);
  system_.hold_pivots(false);
  return done && finish_step(scheme, context, t + h);
}

// n equal steps; the small allowance keeps 0.01/0.001 from becoming eleven.
bool Simulation::advance_fixed(const Scheme& scheme, const Integrator& integrator, double t,
                               double h) {
  const double wanted = std::ceil(h / values_[model_.step_setting] - 1e-6);
  const double n = wanted > 1 ? wanted : 1;
  if (!(n <= kMostSteps))
    return failure_.set(
        "t=%.9g: a communication step of %.3g s would take %.3g internal steps of solver.step", t,
        h, n);
  for (double k = 0; k < n; ++k)
    if (!step_to(scheme, integrator, t + h * (k / n), h / n)) return false;
  return true;
}

bool Simulation::estimate_error(double h, double& error) {
  update_constants();
  const Scheme& scheme = choose_scheme();
  StepContext context = make_context();
  if (scheme.begin_step && !scheme.begin_step(context, *time_, h, q_, v_)) return false;
  return choose_integrator().attempt(context, scheme, stages_, step_settings(), *time_, h, q_, v_,
                                     error);
}

bool Simulation::advance(double t, double h) {
  update_constants();
  std::memcpy(backup_, time_, state_bytes());
  mark_moved();
  inputs_.begin_step(t);
  const Scheme& scheme = choose_scheme();
  const Integrator& integrator = choose_integrator();
  // a step that the clock cannot resolve moves nothing but the clock
  if (t + h != t) {
    system_.evaluate_inputs(t);
    system_.hold_inputs(inputs_.are_steady());
    const bool adaptive = !scheme.step && integrator.attempt;
    const bool done = model_.sample > 0 ? sample_until(t + h)
                      : adaptive        ? advance_adaptive(scheme, integrator, t, h)
                                        : advance_fixed(scheme, integrator, t, h);
    system_.hold_conditions(false);
    system_.hold_inputs(false);
    if (!done) {
      restore(backup_);
      return false;
    }
  }
  inputs_.end_step(t + h);
  *time_ = t + h;
  if (system_.lost_rank() != nullptr && !notice_given_) notice_pending_ = true;
  return true;
}

bool Simulation::update_outputs(bool with_accelerations) {
  if (outputs_current_ && (accelerations_current_ || !with_accelerations)) return true;
  update_constants();
  const int first = first_input() + model_.nu;
  const double** in = system_.arrays();
  double time = *time_;

  if (!outputs_current_) {
    in[kTime] = &time;
    in[kSchemeMultiplier] = scheme_multiplier_;
    system_.evaluate_inputs(time);
    in[kPosition] = q_;
    in[kVelocity] = v_;
    model_.outputs.run(model_.outputs.context, in, computed_);
    system_.rebind_time();
    for (int i = 0, k = 0; i < model_.n_computed; ++i)
      if (!model_.reals[first + i].needs_acceleration) values_[first + i] = computed_[k++];
    outputs_current_ = true;
  }
  if (!with_accelerations || accelerations_current_) return true;

  // whatever the scheme: reactions and accelerations at time t solve the equations of motion at t
  const double evaluations = statistics_[kEvaluations];
  const double rank_losses = statistics_[kRankLosses];
  system_.evaluate_dynamics(time, q_, v_);
  for (int i = 0; i < model_.nc; ++i) constraint_side_[i] = -system_.gamma()[i];
  if (exchange_) {
    system_.residual_rate(v_, step_lambda_);
    stabilise(step_lambda_, constraint_side_);
  }
  bool solved = system_.solve(system_.force(), constraint_side_, a_, lambda_);
  if (exchange_ && is_nearly_singular() && find_place_on_constraints(scratch_.q[0], scratch_.v[0]))
    solved = accelerate_from(scratch_.q[0], scratch_.v[0]);
  statistics_[kEvaluations] = evaluations;  // reading an output must not change the state
  statistics_[kRankLosses] = rank_losses;
  if (!solved) return failure_.set("t=%.9g: the accelerations are not finite", time);
  // evaluating leaves the time that was evaluated, not a local of the first part
  in[kAcceleration] = a_;
  in[kMultiplier] = lambda_;
  model_.outputs_acceleration.run(model_.outputs_acceleration.context, in, computed_);
  for (int i = 0, k = 0; i < model_.n_computed; ++i)
    if (model_.reals[first + i].needs_acceleration) values_[first + i] = computed_[k++];
  accelerations_current_ = true;
  return true;
}

const char* Simulation::take_notice() {
  if (!notice_pending_) return nullptr;
  notice_pending_ = false;
  notice_given_ = true;
  std::snprintf(notice_, sizeof(notice_),
                "t=%.9g: the equations of %.80s lost rank (singular pose): they were solved with "
                "the rank-revealing solver there",
                system_.lost_rank_time(), system_.lost_rank());
  return notice_;
}

void Simulation::save(void* to) const { std::memcpy(to, time_, state_bytes()); }

void Simulation::restore(const void* from) {
  std::memcpy(time_, from, state_bytes());
  constants_current_ = false;
  // also where this instance was never initialized itself
  system_.hold_conditions(exchange_);
  mark_moved();
}

}  // namespace mechfmu::runtime
