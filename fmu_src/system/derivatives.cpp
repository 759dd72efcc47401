// Derivatives of computed values. Positions, velocities and inputs move as the direction says; the
// accelerations and multipliers follow from the differentiated equations of motion with the factor
// that is there (tangent.cpp), and with all of these the outputs.
#include "system/simulation.hpp"

namespace mechfmu::runtime {

// From the rates of positions, velocities and signals to those of all computed values.
bool Simulation::finish_tangent(double* rates) {
  const double** in = system_.arrays();
  double time = *time_;
  const double evaluations = statistics_[kEvaluations];
  const double rank_losses = statistics_[kRankLosses];
  system_.evaluate_dynamics(time, q_, v_);
  system_.calc_tangent_rows(a_, lambda_);
  if (exchange_) {
    // -2 alpha d(phi_dot) - alpha^2 d(phi)
    model_.tangent_conditions.run(model_.tangent_conditions.context, in, condition_rates_);
    double* side = system_.tangent_side();
    for (int i = 0; i < model_.nc; ++i)
      side[i] -= calc_stabilisation(i, condition_rates_[i], condition_rates_[model_.nc + i]);
  }
  const bool solved = system_.solve_tangent(lambda_);
  statistics_[kEvaluations] = evaluations;
  statistics_[kRankLosses] = rank_losses;
  if (!solved) return failure_.set("t=%.9g: the derivatives are not finite", time);
  in[kTime] = &time;
  in[kPosition] = q_;
  in[kVelocity] = v_;
  in[kAcceleration] = a_;
  in[kMultiplier] = lambda_;
  in[kSchemeMultiplier] = scheme_multiplier_;
  model_.tangent_outputs.run(model_.tangent_outputs.context, in, rates);
  system_.rebind_time();
  return all_finite(rates, model_.n_computed) ||
         failure_.set("t=%.9g: the derivatives are not finite", time);
}

bool Simulation::calc_time_rates(double* rates) {
  if (!update_outputs(true)) return false;
  const System::Rates& rate = system_.rates();
  system_.clear_rates();
  system_.evaluate_inputs(*time_);
  *rate.time = 1;
  system_.set_position_rate(q_, v_);
  for (int i = 0; i < model_.nv; ++i) rate.velocity[i] = a_[i];
  for (int i = 0; i < model_.nu; ++i) {
    rate.input[i] = inputs_.find_rate(i, *time_);
    const double* reference = system_.arrays()[kReference] + 3 * i;
    rate.reference[3 * i] = reference[1];
    rate.reference[3 * i + 1] = reference[2];
    rate.reference[3 * i + 2] = system_.arrays()[kReferenceThird][i];
    rate.reference_third[i] = inputs_.calc_third_rate(i, rate.reference + 3 * i, rate.input[i]);
  }
  return finish_tangent(rates);
}

// The direction that a change of one value is.
void Simulation::seed_rate(bool initializing, unsigned known, double change) {
  const System::Rates& rate = system_.rates();
  int i = static_cast<int>(known);
  if (i < model_.n_parameters) {
    rate.parameter[i] += change;
    return;
  }
  i -= model_.n_parameters;
  if (i < model_.n_starts) {
    rate.start[i] += change;
    return;
  }
  i -= model_.n_starts + model_.n_settings;
  if (i < 0) return;  // a setting moves nothing at the present time
  if (i < model_.nu) {
    rate.input[i] += change;
    // what constraints follow is where the filter is, unless the host gives the derivatives
    if (initializing || inputs_.is_given(i)) rate.reference[3 * i] += change;
    return;
  }
  i = static_cast<int>(known) - model_.first_state;
  if (i < 0 || i >= model_.n_states()) return;
  if (i < model_.nq) {
    rate.position[i] += change;
  } else if (i < model_.nq + model_.nv) {
    rate.velocity[i - model_.nq] += change;
  } else {
    const int k = i - model_.nq - model_.nv;
    rate.reference[3 * model_.followed[k / 3] + k % 3] += change;
  }
}

bool Simulation::calc_directional(bool initializing, int count, const unsigned* known,
                                  const double* change, double* rates) {
  if (!update_outputs(true)) return false;
  system_.clear_rates();
  for (int i = 0; i < count; ++i) seed_rate(initializing, known[i], change[i]);
  for (int i = 0; i < model_.nu; ++i)
    system_.rates().reference_third[i] =
        inputs_.calc_third_rate(i, system_.rates().reference + 3 * i, system_.rates().input[i]);
  if (initializing) {
    if (!assembly_.calc_tangent(system_, *time_, q_, v_, position_change_, velocity_change_))
      return failure_.set("t=%.9g: the derivatives of the start are not finite", *time_);
    system_.set_position_rate(q_, position_change_);
    for (int i = 0; i < model_.nv; ++i) system_.rates().velocity[i] = velocity_change_[i];
  }
  return finish_tangent(rates);
}

}  // namespace mechfmu::runtime
