// Steps as long as solver.tolerance allows. The last one is shortened to end on the communication
// point; what was proposed before the cut is kept for the next.
//
// Conditions of the motion (`if`) are held during a step. Where one changes, the step is shortened
// to end right after the change, and the next one starts with the new branch. Changes that follow
// each other at once (a switch that slides along its condition) are not located one by one for
// ever: after some of them the conditions follow each evaluation until the communication point.
#include <algorithm>
#include <cfloat>
#include <cmath>

#include "platform/elementary.hpp"
#include "system/event_search.hpp"
#include "system/simulation.hpp"

namespace mechfmu::runtime {
namespace {

constexpr double kEventResolution = 1e-9;  // of solver.step: how exactly changes are located
constexpr double kEventPause = 1e-6;       // of solver.step: changes nearer than this are one swarm
constexpr int kLargestSwarm = 8;
constexpr double kRounding = 1e-12;      // of phi, that no projection takes out
constexpr double kLeastDistance = 1e-5;  // to a singular pose, where loops count as singular

}  // namespace

void Simulation::hold_conditions(double t) {
  if (model_.n_indicators == 0) return;
  const double* z = system_.evaluate_indicators(t, q_, v_);
  for (int i = 0; i < model_.n_indicators; ++i) {
    indicators_.begin[i] = z[i];
    modes_[i] = z[model_.n_indicators + i];
  }
  system_.hold_conditions(true);
}

template <class Act>
bool Simulation::with_live_conditions(Act act) {
  if (!system_.holds_conditions()) return false;
  for (int i = 0; i < model_.n_indicators; ++i) indicators_.held[i] = modes_[i];
  system_.hold_conditions(false);
  const bool result = act();
  for (int i = 0; i < model_.n_indicators; ++i) modes_[i] = indicators_.held[i];
  system_.hold_conditions(true);
  return result;
}

bool Simulation::update_outputs_live() {
  return with_live_conditions([&] { return update_outputs(true); });
}

// Indicators at the end of a step; whether a condition or the side of a bend has changed.
bool Simulation::find_change(double t, const double*& z) {
  z = system_.evaluate_indicators(t, stages_.q_new, stages_.v_new);
  for (int i = 0; i < model_.n_indicators; ++i)
    if (z[model_.n_indicators + i] != modes_[i]) return true;
  return false;
}

// What failed in the steps that were tried, with the time at which even the shortest did.
bool Simulation::fail_within(double t) {
  const Failure inner = failure_;
  return failure_.set("t=%.9g: no step is short enough; %.200s", t,
                      inner.text[0] != '\0' ? inner.text : "the state is not finite any more");
}

bool Simulation::fail_not_smooth(double t) {
  return failure_.set(
      "t=%.9g: no step is short enough for solver.tolerance; the "
      "motion is not smooth there%s%s",
      t, model_.nc > 0 ? ", look at " : "", system_.worst_constraint(system_.phi()));
}

// Near a pose where rank is lost, states that meet the constraints to rounding are known no better
// than rounding / distance in the direction that the constraints hardly hold; asking for more would
// shorten steps for ever.
double Simulation::calc_least_tolerance() {
  if (model_.nc == 0) return 0;
  return kRounding / std::max(std::sqrt(system_.calc_weakness()), kLeastDistance);
}

bool Simulation::try_step(const Scheme& scheme, const Integrator& integrator, StepContext& context,
                          double t, double& h, double& error) {
  StepSettings settings = step_settings();
  const auto attempt = [&] {
    system_.hold_pivots(true);
    context.stage = 0;
    const bool done = integrator.attempt(context, scheme, stages_, settings, t, h, q_, v_, error);
    system_.hold_pivots(false);
    return done && all_finite(stages_.q_new, model_.nq) && all_finite(stages_.v_new, model_.nv);
  };
  // a branch that is held may have no value beyond its end
  if (!attempt() && !with_live_conditions(attempt)) return false;
  if (error <= 1) return true;
  const double least = calc_least_tolerance();
  if (!(least > settings.tolerance)) return true;
  settings.tolerance = least;
  return attempt() || with_live_conditions(attempt);
}

bool Simulation::advance_adaptive(const Scheme& scheme, const Integrator& integrator, double t,
                                  double h) {
  double& proposed = history_[History::kProposed];
  if (!(proposed > 0)) proposed = values_[model_.step_setting];
  const double step = values_[model_.step_setting];
  const double resolution = kEventResolution * step + 4 * DBL_EPSILON * std::fabs(t + h);
  EventSearch search(model_.n_indicators, indicators_.begin, indicators_.end);
  bool locates = model_.n_indicators > 0;
  double last_change = -HUGE_VAL;
  int swarm = 0;
  hold_conditions(t);

  double done = 0;
  for (double count = 0; done < h; ++count) {
    if (count > kMostSteps) return failure_.set("t=%.9g: too many internal steps", t + done);
    const bool last = !search.is_active() && done + proposed * (1 + 1e-9) >= h;
    double length = last ? h - done : search.is_active() ? search.next(resolution) : proposed;
    const double begin = t + done;
    StepContext context = make_context();
    if (scheme.begin_step && !scheme.begin_step(context, begin, length, q_, v_)) return false;
    double error = 0;
    const double tried = length;
    const bool good = try_step(scheme, integrator, context, begin, length, error);
    // 0.9 of what the estimate asks for, at most five times more or less
    double factor = 0.2;
    if (good && error == error) {
      factor = std::clamp(0.9 * inverse_root(std::max(error, 1e-12), integrator.order), 0.2, 5.0);
    }
    if (!good || !(error <= 1)) {
      search.stop();
      proposed = tried * std::min(factor, 0.9);
      if (!(begin + proposed > begin) || !(proposed > 1e-14 * h))
        return good ? fail_not_smooth(begin) : fail_within(begin);
      continue;
    }

    bool changes = false;
    if (locates) {
      const double* z = nullptr;
      const bool located = search.is_active() && search.width() <= resolution;
      changes = find_change(begin + length, z);
      if (changes && length > resolution && !located) {
        search.note_after(length, z);
        continue;
      }
      if (!changes && search.is_active() && !located) {
        search.note_before(length, z);
        continue;
      }
      search.stop();
    }

    for (int i = 0; i < model_.nq; ++i) q_[i] = stages_.q_new[i];
    for (int i = 0; i < model_.nv; ++i) v_[i] = stages_.v_new[i];
    if (!finish_step(scheme, context, begin + length)) return false;
    const bool cut = last && length == tried;
    done = cut ? h : done + length;
    // a step that was cut short says nothing about longer ones
    if (!(cut || changes) || length > 0.5 * proposed) proposed = factor * length;
    if (changes) {
      swarm = t + done - last_change < kEventPause * step ? swarm + 1 : 0;
      last_change = t + done;
      if (swarm > kLargestSwarm) {
        locates = false;
        system_.hold_conditions(false);
      }
    }
    if (locates) hold_conditions(t + done);
  }
  return true;
}

}  // namespace mechfmu::runtime
