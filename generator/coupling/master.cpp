#include "coupling/master.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "support/number_text.hpp"

namespace mechfmu {

namespace {

constexpr double kIterationTolerance = 1e-9;  // relative, without a tolerance of the steps
constexpr int kStartIterations = 20;
constexpr std::size_t kMostDirections = 12;  // that the acceleration remembers

}  // namespace

bool CouplingMaster::check(const CoupledSystem& system, const CouplingOptions& options,
                           Diagnostics& diagnostics) {
  if (!options.tolerance && options.iterations == 0) return true;
  bool is_possible = true;
  for (const CoupledComponent& component : system.components) {
    if (options.tolerance &&
        !component.fmu->description().co_simulation->can_handle_variable_step) {
      is_possible = false;
      diagnostics.error("E814", std::nullopt,
                        fmt::format("component '{}': its FMU cannot change the communication step, "
                                    "which --tolerance needs",
                                    component.name),
                        "run with a fixed --step-size");
    }
    if (component.fmu->description().co_simulation->can_get_and_set_state) continue;
    is_possible = false;
    diagnostics.error(
        "E814", std::nullopt,
        fmt::format("component '{}': its FMU cannot save and restore its state, which {} needs",
                    component.name, options.tolerance ? "--tolerance" : "--iterations"),
        "run with a fixed --step-size");
  }
  return is_possible;
}

CouplingMaster::CouplingMaster(const CoupledSystem& system, const CouplingOptions& options)
    : system_(system), options_(options) {
  const std::size_t count = system.components.size();
  in_.resize(count);
  out_.resize(count);
  watched_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    components_.push_back(std::make_unique<ComponentRun>(system, i));
    order_.push_back(i);
    can_go_back_ = can_go_back_ && components_[i]->capabilities().can_get_and_set_state;
    for (const FmuVariable& v : system.components[i].fmu->description().variables)
      if (v.causality == FmuVariable::Causality::output && v.type == FmuVariable::Type::real &&
          v.variability == FmuVariable::Variability::continuous) {
        watched_[i].push_back(v.value_reference);
        nominals_.push_back(std::abs(v.nominal.value_or(1)));
      }
  }
  if (options.method == CouplingMethod::gauss_seidel) order_ = order_components(system);
  for (std::size_t i = 0; i < system.links.size(); ++i) {
    const CoupledLink& link = system.links[i];
    out_[link.from].push_back(i);
    in_[link.to].push_back(i);
    smooth_.push_back(is_smooth(link));
    takes_end_.push_back(takes_end(system, link));
  }
  next_.resize(system.links.size());
  has_stepped_.resize(count);
}

bool CouplingMaster::initialize(double start, double stop, const FmuMessageSink& messages,
                                const CallSink& calls, Diagnostics& diagnostics) {
  time_ = start;
  for (const auto& component : components_)
    if (!component->instantiate(messages, calls, diagnostics)) return false;
  for (const auto& component : components_)
    if (!component->begin_initialization(start, stop)) return fail_from(*component);
  past_.assign(1, {start, std::vector<SignalValue>(system_.links.size())});
  if (!pass_on_at_start()) return false;
  for (const auto& component : components_)
    if (!component->end_initialization()) return fail_from(*component);
  for (std::size_t i = 0; i < components_.size(); ++i)
    if (!components_[i]->read(out_[i], past_.front().values)) return fail_from(*components_[i]);
  next_ = past_.front().values;
  return true;
}

bool CouplingMaster::go_to(double end) {
  if (options_.tolerance) return go_adaptive(end);
  if (!advance(end - time_)) return false;
  commit(end);
  return true;
}

bool CouplingMaster::terminate() {
  for (const auto& component : components_)
    if (!component->terminate()) return fail_from(*component);
  return true;
}

bool CouplingMaster::fail_from(const ComponentRun& component) {
  failure_ = component.failure();
  return false;
}

bool CouplingMaster::advance(double length) {
  if (options_.iterations > 0) return iterate(length, options_.iterations);
  if (!iterates_start()) return pass(length, false);
  return iterate(length, kStartIterations) ||
         (failure_.can_retry && restore(1) && pass(length, false));
}

void CouplingMaster::commit(double time) {
  const double length = time - time_;
  statistics_.smallest_step =
      statistics_.steps == 0 ? length : std::min(statistics_.smallest_step, length);
  statistics_.largest_step = std::max(statistics_.largest_step, length);
  ++statistics_.steps;
  time_ = time;
  past_.push_front({time, next_});
  while (past_.size() > static_cast<std::size_t>(options_.order) + 1) past_.pop_back();
}

bool CouplingMaster::save(std::size_t place) {
  for (const auto& component : components_)
    if (!component->save(place)) return fail_from(*component);
  return true;
}

bool CouplingMaster::restore(std::size_t place) {
  for (const auto& component : components_)
    if (!component->restore(place)) return fail_from(*component);
  return true;
}

// All components over [time_, time_ + length]. With `ends_are_known` next_ holds a guess of the
// signals at the end; it is replaced by what the components say.
bool CouplingMaster::pass(double length, bool ends_are_known) {
  ++statistics_.passes;
  std::fill(has_stepped_.begin(), has_stepped_.end(), false);
  const bool one_by_one = options_.method == CouplingMethod::gauss_seidel;
  if (!one_by_one)
    for (const std::size_t i : order_)
      if (!set_inputs(i, length, ends_are_known)) return fail_from(*components_[i]);
  for (const std::size_t i : order_) {
    ComponentRun& component = *components_[i];
    if (one_by_one && !set_inputs(i, length, ends_are_known)) return fail_from(component);
    if (!component.step(time_, length, goes_back())) return fail_from(component);
    if (!one_by_one) continue;
    if (!component.read(out_[i], next_)) return fail_from(component);
    has_stepped_[i] = true;
  }
  if (!one_by_one)
    for (const std::size_t i : order_)
      if (!components_[i]->read(out_[i], next_)) return fail_from(*components_[i]);
  return true;
}

SignalPolynomial CouplingMaster::shape(std::size_t link, double length, bool end_is_known) const {
  const double now = past_.front().values[link].real;
  const double end = next_[link].real;
  const int order = smooth_[link] ? options_.order : 0;
  if (order == 0) return {{end_is_known ? end : now, 0, 0}};
  std::array<SignalPoint, 3> points{};
  std::size_t count = 0;
  points[count++] = {0, now};
  if (end_is_known) points[count++] = {length, end};
  const auto wanted = static_cast<std::size_t>(order) + 1;
  for (std::size_t k = 1; k < past_.size() && count < wanted; ++k)
    points[count++] = {past_[k].time - time_, past_[k].values[link].real};
  return SignalPolynomial::through(points.data(), std::min(count, wanted));
}

bool CouplingMaster::set_inputs(std::size_t index, double length, bool ends_are_known) {
  ComponentRun& component = *components_[index];
  const bool interpolates = component.capabilities().can_interpolate_inputs;
  std::vector<SignalValue> values = past_.front().values;
  FmuInstance::References references;
  std::vector<int> orders;
  std::vector<double> derivatives;
  for (const std::size_t i : in_[index]) {
    const CoupledLink& link = system_.links[i];
    const bool end_is_known = takes_end_[i] && (ends_are_known || has_stepped_[link.from]);
    if (!smooth_[i] || !link.is_real()) {
      if (end_is_known) values[i] = next_[i];
      continue;
    }
    const SignalPolynomial signal = shape(i, length, end_is_known);
    values[i].real = interpolates ? signal.c[0] : signal.mean(length);
    for (int order = 1; interpolates && order <= options_.order; ++order) {
      references.push_back(link.input->value_reference);
      orders.push_back(order);
      derivatives.push_back(order == 1 ? signal.c[1] : 2 * signal.c[2]);
    }
  }
  return component.write(in_[index], values) &&
         component.write_derivatives(references, orders, derivatives);
}

// Fixed point next = G(next) of the smooth signals; the states are saved at place 1.
bool CouplingMaster::iterate(double length, int iterations) {
  std::vector<std::size_t> unknown;
  for (std::size_t i = 0; i < system_.links.size(); ++i)
    if (smooth_[i]) unknown.push_back(i);
  const auto count = static_cast<Eigen::Index>(unknown.size());
  const auto take = [&] {
    Eigen::VectorXd x(count);
    for (Eigen::Index k = 0; k < count; ++k)
      x[k] = next_[unknown[static_cast<std::size_t>(k)]].real;
    return x;
  };
  if (!save(1) || !pass(length, false)) return false;
  const double tolerance = options_.tolerance ? 0.01 * *options_.tolerance : kIterationTolerance;
  std::vector<Eigen::VectorXd> guesses, results;  // weighted
  Eigen::VectorXd weights(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const std::size_t i = unknown[static_cast<std::size_t>(k)];
    const double nominal = std::abs(system_.links[i].input->nominal.value_or(1));
    weights[k] =
        1 / (tolerance * std::max({nominal, std::abs(past_.front().values[i].real), 1e-300}));
  }
  Eigen::VectorXd guess = take().cwiseProduct(weights);
  for (int pass_number = 1; pass_number <= iterations; ++pass_number) {
    if (!restore(1) || !pass(length, true)) return false;
    const Eigen::VectorXd result = take().cwiseProduct(weights);
    if (!result.allFinite()) break;
    if (count == 0 || (result - guess).lpNorm<Eigen::Infinity>() <= 1) return true;
    guesses.push_back(guess);
    results.push_back(result);
    if (guesses.size() > kMostDirections) {
      guesses.erase(guesses.begin());
      results.erase(results.begin());
    }
    const auto past = static_cast<Eigen::Index>(guesses.size()) - 1;
    const Eigen::VectorXd mismatch = result - guess;
    Eigen::VectorXd better = result;
    if (past > 0) {
      Eigen::MatrixXd change(count, past);
      Eigen::MatrixXd gain(count, past);
      for (Eigen::Index k = 0; k < past; ++k) {
        const auto at = static_cast<std::size_t>(k);
        change.col(k) = mismatch - (results[at] - guesses[at]);
        gain.col(k) = result - results[at];
      }
      better -= gain * change.colPivHouseholderQr().solve(mismatch);
    }
    guess = better;
    for (Eigen::Index k = 0; k < count; ++k)
      next_[unknown[static_cast<std::size_t>(k)]].real = guess[k] / weights[k];
  }
  failure_ = {
      "E816",
      fmt::format("the signals between the components do not converge in {} iterations of the "
                  "step from t = {} s over {} s",
                  iterations, number_text(time_), number_text(length)),
      true};
  return false;
}

}  // namespace mechfmu
