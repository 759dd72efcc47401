#include "harness/communication_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/number_text.hpp"

namespace mechfmu {

namespace {

constexpr double kMostSteps = 1e12;
constexpr double kDefaultSteps = 500;
// 0.1 / 0.01 is not exactly 10 in binary; what is off by less than this is meant to be whole
constexpr double kWhole = 1e-6;

bool is_whole(double ratio) { return std::abs(ratio - std::round(ratio)) <= kWhole; }

}  // namespace

std::optional<CommunicationPlan> CommunicationPlan::make(const CommunicationRequest& request,
                                                         const FmuExperiment& experiment,
                                                         bool can_vary_step,
                                                         Diagnostics& diagnostics) {
  const int errors_before = diagnostics.error_count();
  const auto refuse = [&](std::string message, std::string hint = {}) {
    diagnostics.error("E714", std::nullopt, std::move(message), std::move(hint));
  };

  CommunicationPlan plan;
  plan.start_ = request.start.value_or(experiment.start.value_or(0));
  plan.stop_ = request.stop.value_or(experiment.stop.value_or(plan.start_ + 1));
  if (!std::isfinite(plan.start_) || !std::isfinite(plan.stop_) || plan.stop_ <= plan.start_)
    refuse(fmt::format("the stop time must be after the start time {} s, got {} s",
                       number_text(plan.start_), number_text(plan.stop_)));

  const auto check_positive = [&](const std::optional<double>& value, const char* option) {
    if (value && !(std::isfinite(*value) && *value > 0))
      refuse(fmt::format("{} must be > 0, got {} s", option, number_text(*value)));
  };
  check_positive(request.step, "--step-size");
  check_positive(request.output_interval, "--output-interval");
  if (diagnostics.error_count() > errors_before) return std::nullopt;

  const double length = plan.stop_ - plan.start_;
  const double usual =
      experiment.step && *experiment.step > 0 ? *experiment.step : length / kDefaultSteps;
  plan.step_ =
      request.step ? *request.step : std::min(usual, request.output_interval.value_or(usual));
  const double steps = length / plan.step_;
  if (!(steps <= kMostSteps)) {
    refuse(fmt::format("{} s in steps of {} s is more than {} steps", number_text(length),
                       number_text(plan.step_), number_text(kMostSteps)));
    return std::nullopt;
  }
  plan.count_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(steps - kWhole)));
  if (!can_vary_step && !is_whole(steps))
    refuse(fmt::format("the FMU cannot shorten its last step, and {} s is not a multiple of {} s",
                       number_text(length), number_text(plan.step_)),
           "give a --step-size that divides the duration");

  if (request.output_interval) {
    const double ratio = *request.output_interval / plan.step_;
    if (ratio < 1 - kWhole || !is_whole(ratio))
      refuse(fmt::format("--output-interval {} s is not a multiple of the communication step {} s",
                         number_text(*request.output_interval), number_text(plan.step_)),
             request.step ? "" : "give a --step-size that divides it");
    plan.steps_per_row_ = static_cast<std::int64_t>(std::min(std::round(ratio), kMostSteps));
    plan.steps_per_row_ = std::max<std::int64_t>(1, plan.steps_per_row_);
  }
  if (diagnostics.error_count() > errors_before) return std::nullopt;
  return plan;
}

}  // namespace mechfmu
