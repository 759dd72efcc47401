// Communication steps by step doubling. From saved states one step of H is made, then two of H/2;
// the latter are kept. With inputs of order k the coupling has order p = k + 1, so
//
//     error of the two halves = |y(H) - y(H/2, H/2)| / (2^p - 1)
//
// measured on all continuous outputs against tolerance * max(nominal, |y|). Steps that are rejected
// again and again although they shrink mean that the coupling may be stiff: then waveforms are
// iterated, for 20 steps at first and twice as long every time that plain steps fail again.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coupling/master.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

constexpr double kSmallestFraction = 1e-10;  // of the time to go: below this there is no hope
constexpr int kStiffAfter = 4;               // rejections in a row
constexpr int kStiffIterations = 20;
constexpr int kStiffSteps = 20;

}  // namespace

double CouplingMaster::weight(double nominal, double value) const {
  return *options_.tolerance * std::max({nominal, std::abs(value), 1e-300});
}

bool CouplingMaster::observe(std::vector<double>& values) {
  values.clear();
  std::vector<double> some;
  for (std::size_t i = 0; i < components_.size(); ++i) {
    if (!components_[i]->read_reals(watched_[i], some)) return fail_from(*components_[i]);
    values.insert(values.end(), some.begin(), some.end());
  }
  return true;
}

// Two half steps are made and committed; `error` is relative to the tolerance. False: the states
// are those of the beginning again, or nothing helps (failure_.can_retry is false).
bool CouplingMaster::try_doubled(double length, double& error) {
  const double begin = time_;
  const std::deque<Past> past = past_;
  const CouplingStatistics counted = statistics_;
  std::vector<double> coarse, fine;
  const auto go_back = [&] {
    const CouplingFailure why = failure_;
    time_ = begin;
    past_ = past;
    statistics_.steps = counted.steps;
    statistics_.smallest_step = counted.smallest_step;
    statistics_.largest_step = counted.largest_step;
    if (!restore(0)) return false;  // failure_ says so now
    failure_ = why;
    return true;
  };
  failure_ = {"", "", true};
  if (!save(0)) return false;
  bool done = advance(length) && observe(coarse) && restore(0) && advance(length / 2);
  if (done) {
    commit(begin + length / 2);
    done = advance(begin + length - time_) && observe(fine);
  }
  if (!done) {
    if (failure_.can_retry && !go_back()) failure_.can_retry = false;
    return false;
  }
  const double divisor = std::pow(2.0, options_.order + 1) - 1;
  error = 0;
  for (std::size_t i = 0; i < fine.size(); ++i)
    error =
        std::max(error, std::abs(fine[i] - coarse[i]) / (divisor * weight(nominals_[i], fine[i])));
  if (std::isfinite(error) && error <= 1) {
    commit(begin + length);
    return true;
  }
  if (!go_back()) failure_.can_retry = false;
  return false;
}

bool CouplingMaster::go_adaptive(double end) {
  int rejections = 0;
  double tried_first = 0;
  const double exponent = 1.0 / (options_.order + 2);
  while (time_ < end) {
    const double rest = end - time_;
    double length = proposed_ > 0 ? std::min(proposed_, rest) : rest;
    if (length > 0.7 * rest && length < rest) length = rest / 2;  // no tiny last step
    if (length >= rest * (1 - 1e-12)) length = rest;
    double error = 0;
    if (try_doubled(length, error)) {
      if (length == rest) time_ = past_.front().time = end;
      const double growth = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -exponent), 0.3, 2.0);
      // a step cut by the end says little about the next one
      if (length < rest || proposed_ == 0 || growth < 1 || proposed_ < 1.01 * length)
        proposed_ = length * growth;
      rejections = 0;
      if (steps_to_iterate_ > 0 && options_.iterations > 0 &&
          ++steps_iterated_ >= steps_to_iterate_)
        options_.iterations = 0;
      continue;
    }
    if (!failure_.can_retry) return false;
    ++statistics_.rejected;
    if (++rejections == 1) tried_first = length;
    const double shrink = error > 1 && std::isfinite(error)
                              ? std::clamp(0.9 * std::pow(error, -exponent), 0.2, 0.7)
                              : 0.5;
    proposed_ = length * shrink;
    if (rejections == kStiffAfter && options_.iterations == 0) {
      options_.iterations = kStiffIterations;
      steps_iterated_ = 0;
      steps_to_iterate_ = steps_to_iterate_ == 0 ? kStiffSteps : 2 * steps_to_iterate_;
      if (!statistics_.iterating_since) statistics_.iterating_since = time_;
      proposed_ = tried_first;
      rejections = 0;
    }
    if (proposed_ < kSmallestFraction * std::max(std::abs(end), rest)) {
      if (failure_.message.empty())
        failure_ = {"E816",
                    fmt::format("the communication step became smaller than {} s at t = {} s",
                                number_text(proposed_), number_text(time_)),
                    false};
      return false;
    }
  }
  return true;
}

}  // namespace mechfmu
