#include "system/simulation.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace mechfmu::runtime {
namespace {

constexpr double kMostSteps =
    1e8;  // in one communication step: minutes of computing; more is a mistake

int count_values(const Model& m) {
  return m.n_parameters + m.n_starts + m.n_settings + m.nu + m.n_computed;
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
      state_size_(static_cast<int>(arena_.used())),
      backup_(arena_.take(state_size_)),
      inputs_(m, values_, signal_state_),
      system_(m, arena_),
      assembly_(m, arena_),
      stages_{arena_.take(kMaxStages * m.nq), arena_.take(kMaxStages * m.nv), arena_.take(m.nq),
              arena_.take(m.nv)},
      a_(arena_.take(m.nv)),
      lambda_(arena_.take(m.nc)),
      force_side_(arena_.take(m.nv)),
      constraint_side_(arena_.take(m.nc)),
      step_lambda_(arena_.take(m.nc)),
      change_(arena_.take(m.nv)),
      computed_(arena_.take(m.n_computed)),
      new_memory_(arena_.take(m.n_memory)) {}

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
  system_.bind(values_, values_ + model_.n_parameters, &inputs_, memory_, statistics_);
  report_ = {};
  failure_.text[0] = '\0';
  constants_current_ = outputs_current_ = accelerations_current_ = false;
  notice_pending_ = notice_given_ = false;
}

void Simulation::mark_changed(VariableKind kind) {
  if (kind == VariableKind::parameter) constants_current_ = false;
  outputs_current_ = accelerations_current_ = false;
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
  return {system_,
          values_ + model_.scheme_settings,
          values_[model_.step_setting],
          force_side_,
          constraint_side_,
          step_lambda_,
          change_,
          failure_};
}

bool Simulation::initialize(double t) {
  update_constants();
  for (int i = 0; i < kStatisticCount; ++i) statistics_[i] = 0;
  mark_moved();
  inputs_.initialize(t);
  if (!assembly_.run(system_, t, q_, v_, memory_, report_, failure_)) return false;
  *time_ = t;
  for (int i = 0; i < kStatisticCount; ++i) statistics_[i] = 0;
  return true;
}

bool Simulation::step_to(double t, double h) {
  StepContext context = make_context();
  const Scheme& scheme = *model_.scheme;
  if (!model_.integrator->step(context, scheme, stages_, t, h, q_, v_)) return false;
  if (scheme.complete_step && !scheme.complete_step(context, t + h, q_, v_)) return false;
  if (!all_finite(q_, model_.nq) || !all_finite(v_, model_.nv))
    return failure_.set("t=%.9g: the state is not finite any more; try a smaller solver.step",
                        t + h);
  if (model_.n_memory > 0) {
    system_.arrays()[kPosition] = q_;
    model_.memory.run(model_.memory.context, system_.arrays(), new_memory_);
    for (int i = 0; i < model_.n_memory; ++i) memory_[i] = new_memory_[i];
  }
  statistics_[kSteps] += 1;
  return true;
}

bool Simulation::advance(double t, double h) {
  update_constants();
  std::memcpy(backup_, time_, state_bytes());
  // n equal steps; the small allowance keeps 0.01/0.001 from becoming eleven steps
  const double wanted = std::ceil(h / values_[model_.step_setting] - 1e-6);
  const double n = wanted > 1 ? wanted : 1;
  if (!(n <= kMostSteps))
    return failure_.set(
        "t=%.9g: a communication step of %.3g s would take %.3g internal steps of solver.step", t,
        h, n);
  mark_moved();
  inputs_.begin_step(t);
  // a step that the clock cannot resolve moves nothing but the clock
  if (t + h != t) {
    for (double k = 0; k < n; ++k) {
      const double begin = t + h * (k / n);
      if (step_to(begin, h / n)) continue;
      restore(backup_);
      return false;
    }
  }
  inputs_.end_step(t + h);
  *time_ = t + h;
  if (statistics_[kRankLosses] > 0 && !notice_given_) notice_pending_ = true;
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
  const bool solved = system_.solve(system_.force(), constraint_side_, a_, lambda_);
  statistics_[kEvaluations] = evaluations;  // reading an output must not change the state
  statistics_[kRankLosses] = rank_losses;
  if (!solved) return failure_.set("t=%.9g: the accelerations are not finite", time);
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
  return "a loop lost rank (singular pose): its equations were solved with the rank-revealing "
         "solver there";
}

void Simulation::save(void* to) const { std::memcpy(to, time_, state_bytes()); }

void Simulation::restore(const void* from) {
  std::memcpy(time_, from, state_bytes());
  constants_current_ = false;
  mark_moved();
}

}  // namespace mechfmu::runtime
