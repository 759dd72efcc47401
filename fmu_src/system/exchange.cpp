// Model exchange: the states are given and asked for, somebody else integrates. Whatever the
// scheme, the derivatives are those of the index-1 equations with weak stabilisation,
//
//     J a = -gamma - 2 alpha phi_dot - alpha^2 phi        psi_dot = -alpha psi
//
// which keeps what the integrator's tolerance leaves from growing; a host that asks for it gets a
// projection when that is not enough.
#include <cmath>
#include <cstring>

#include "schemes/projection.hpp"
#include "system/simulation.hpp"

namespace mechfmu::runtime {
namespace {

constexpr double kAlpha = kExchangeGain;
constexpr double kNearlySingular = 1e-3;  // see System::calc_weakness
constexpr double kIndicatorShift = 1e-10;

}  // namespace

double Simulation::calc_stabilisation(int row, double phi, double rate) const {
  switch (model_.row_level[row]) {
    case RowLevel::position:
      return 2 * kAlpha * rate + kAlpha * kAlpha * phi;
    case RowLevel::velocity:
      return kAlpha * rate;
    case RowLevel::acceleration:
      break;
  }
  return 0;
}

void Simulation::stabilise(const double* rate, double* side) const {
  for (int i = 0; i < model_.nc; ++i) side[i] -= calc_stabilisation(i, system_.phi()[i], rate[i]);
}

// Off the constraints by phi, accelerations are wrong by about phi / distance near a pose where
// rank is lost, and an integrator of the host would shorten its steps for ever. There they are
// taken from the nearest place on the constraints, and lead back to it:
//
//     a = a(q*, v*) - 2 alpha (v - v*) - alpha^2 (q - q*)
//
// On the constraints this is the same, and next to them nearly so.
bool Simulation::is_nearly_singular() { return system_.calc_weakness() < kNearlySingular; }

bool Simulation::find_place_on_constraints(double* q, double* v) {
  for (int i = 0; i < model_.nq; ++i) q[i] = q_[i];
  for (int i = 0; i < model_.nv; ++i) v[i] = v_[i];
  const Failure before = failure_;
  StepContext context = make_context();
  const ProjectionSettings settings{true, 1e-15, 20};  // to rounding
  if (project_positions(context, settings, *time_, q, v) &&
      project_velocities(context, settings, *time_, q, v))
    return true;
  failure_ = before;
  return false;
}

bool Simulation::accelerate_from(const double* q, const double* v) {
  system_.evaluate_dynamics(*time_, q, v);
  if (!system_.accelerate(a_, lambda_)) return false;
  system_.displacement(q, q_, change_);
  for (int i = 0; i < model_.nv; ++i)
    a_[i] -= 2 * kAlpha * (v_[i] - v[i]) + kAlpha * kAlpha * change_[i];
  return true;
}

void Simulation::set_time(double t) {
  if (t == *time_) return;
  *time_ = t;
  inputs_.set_time(t);
  mark_moved();
}

void Simulation::get_states(double* x) const {
  for (int i = 0; i < model_.nq; ++i) x[i] = q_[i];
  for (int i = 0; i < model_.nv; ++i) x[model_.nq + i] = v_[i];
  double* filters = x + model_.nq + model_.nv;
  for (int k = 0; k < model_.n_followed; ++k)
    inputs_.get_filter(model_.followed[k], filters + 3 * k);
}

void Simulation::set_states(const double* x) {
  for (int i = 0; i < model_.nq; ++i) q_[i] = x[i];
  for (int i = 0; i < model_.nv; ++i) v_[i] = x[model_.nq + i];
  const double* filters = x + model_.nq + model_.nv;
  for (int k = 0; k < model_.n_followed; ++k)
    inputs_.set_filter(model_.followed[k], filters + 3 * k);
  mark_moved();
}

void Simulation::set_state(int state, double value) {
  mark_moved();
  if (state < model_.nq) {
    q_[state] = value;
    return;
  }
  state -= model_.nq;
  if (state < model_.nv) {
    v_[state] = value;
    return;
  }
  state -= model_.nv;
  double filter[3];
  inputs_.get_filter(model_.followed[state / 3], filter);
  filter[state % 3] = value;
  inputs_.set_filter(model_.followed[state / 3], filter);
}

bool Simulation::calc_state_rates(double* rates) {
  // a branch that is held may have no value beyond its end, where a solver tries a step
  if (!update_outputs(true) && !update_outputs_live()) return false;
  const double* values = values_ + model_.first_derivative;
  for (int i = 0; i < model_.n_states(); ++i) rates[i] = values[i];
  return true;
}

bool Simulation::complete_host_step(double allowed) {
  update_memory();
  mark_moved();
  system_.evaluate_kinematics(*time_, q_, v_);
  double length_error = 0;
  for (int k = 0; k < model_.n_quaternions; ++k) {
    const double* e = q_ + model_.quaternions[k].q;
    length_error = std::fmax(
        length_error, std::fabs(1 - (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3])));
  }
  return !(std::fmax(largest(system_.phi(), model_.nc), length_error) <= allowed);
}

bool Simulation::project() {
  update_constants();
  std::memcpy(backup_, time_, state_bytes());
  system_.normalise(q_);
  mark_moved();
  if (model_.nc == 0) return true;
  StepContext context = make_context();
  const ProjectionSettings settings{true, 1e-12, 20};
  if (project_positions(context, settings, *time_, q_, v_) &&
      project_velocities(context, settings, *time_, q_, v_))
    return true;
  restore(backup_);
  return false;
}

// Shifted by a little, so that none is zero after an event, and that what has just changed does not
// change back by rounding.
void Simulation::get_indicators(double* z) {
  if (model_.n_indicators == 0) return;
  update_constants();
  const double* raw = system_.evaluate_indicators(*time_, q_, v_);
  for (int i = 0; i < model_.n_indicators; ++i)
    z[i] = raw[i] + (modes_[i] != 0 ? -kIndicatorShift : kIndicatorShift);
}

bool Simulation::update_conditions() {
  if (model_.n_indicators == 0) return false;
  update_constants();
  const double* raw = system_.evaluate_indicators(*time_, q_, v_);
  bool changed = false;
  for (int i = 0; i < model_.n_indicators; ++i) {
    const double mode = raw[i] < (modes_[i] != 0 ? kIndicatorShift : -kIndicatorShift) ? 1 : 0;
    changed = changed || mode != modes_[i];
    modes_[i] = mode;
  }
  if (changed) mark_moved();
  return changed;
}

}  // namespace mechfmu::runtime
