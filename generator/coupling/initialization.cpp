// Consistent values on all connections in initialization mode, where FMI 2.0 lets a host set and
// get in turn. Links are passed on in the order of the declared dependencies; where they form a
// loop,
//
//     u = g(u)     g: set the inputs of the loop, get the outputs that feed them
//
// is solved by Newton's method with differences and step halving. A loop with signals that are not
// Real is repeated until nothing changes.
#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "coupling/master.hpp"

namespace mechfmu {

namespace {

constexpr int kMostIterations = 50;
constexpr double kConverged = 1e-13;  // relative: as good as rounding lets it be
constexpr double kGoodEnough = 1e-9;  // if it does not get better
constexpr int kMostHalvings = 20;

}  // namespace

bool CouplingMaster::pass_on_at_start() {
  for (const LinkGroup& group : order_links_at_start(system_)) {
    if (group.is_loop) {
      if (!solve_loop(group.links)) return false;
      continue;
    }
    const CoupledLink& link = system_.links[group.links.front()];
    std::vector<SignalValue>& values = past_.front().values;
    if (!components_[link.from]->read(group.links, values))
      return fail_from(*components_[link.from]);
    if (!components_[link.to]->write(group.links, values)) return fail_from(*components_[link.to]);
  }
  return true;
}

// Sets the inputs of the loop to `values` and replaces them by what comes back.
bool CouplingMaster::evaluate_loop(const std::vector<std::size_t>& links,
                                   std::vector<SignalValue>& values) {
  for (const std::size_t i : links)
    if (ComponentRun& to = *components_[system_.links[i].to]; !to.write({i}, values))
      return fail_from(to);
  for (const std::size_t i : links)
    if (ComponentRun& from = *components_[system_.links[i].from]; !from.read({i}, values))
      return fail_from(from);
  return true;
}

std::string CouplingMaster::list_inputs(const std::vector<std::size_t>& links) const {
  std::string names;
  for (const std::size_t i : links)
    names +=
        fmt::format("{}{}.{}", names.empty() ? "" : ", ",
                    system_.components[system_.links[i].to].name, system_.links[i].input->name);
  return names;
}

bool CouplingMaster::fail_loop(const std::vector<std::size_t>& links, const std::string& reason) {
  failure_ = {
      "E815",
      fmt::format("the algebraic loop through {} at the start {}", list_inputs(links), reason),
      false};
  return false;
}

bool CouplingMaster::solve_loop(const std::vector<std::size_t>& links) {
  statistics_.loops.push_back(list_inputs(links));

  std::vector<SignalValue>& values = past_.front().values;
  const bool all_real = std::all_of(links.begin(), links.end(),
                                    [&](std::size_t i) { return system_.links[i].is_real(); });
  // the outputs as they are now are the first guess
  for (const std::size_t i : links)
    if (ComponentRun& from = *components_[system_.links[i].from]; !from.read({i}, values))
      return fail_from(from);
  if (!all_real) {
    for (int k = 0; k < kMostIterations; ++k) {
      std::vector<SignalValue> found = values;
      if (!evaluate_loop(links, found)) return false;
      const bool is_same = std::all_of(links.begin(), links.end(), [&](std::size_t i) {
        const double scale = 1 + std::abs(values[i].real);
        return found[i].whole == values[i].whole && found[i].text == values[i].text &&
               std::abs(found[i].real - values[i].real) <= kConverged * scale;
      });
      values = std::move(found);
      if (is_same) return true;
    }
    return fail_loop(links, fmt::format("does not settle in {} repetitions", kMostIterations));
  }

  const auto count = static_cast<Eigen::Index>(links.size());
  const auto at = [&](Eigen::Index k) { return links[static_cast<std::size_t>(k)]; };
  Eigen::VectorXd scale(count);
  Eigen::VectorXd u(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    scale[k] = std::max(std::abs(system_.links[at(k)].input->nominal.value_or(1)), 1e-300);
    u[k] = values[at(k)].real;
  }
  const auto mismatch = [&](const Eigen::VectorXd& guess, Eigen::VectorXd& result) {
    std::vector<SignalValue> trial = values;
    for (Eigen::Index k = 0; k < count; ++k) trial[at(k)].real = guess[k];
    if (!evaluate_loop(links, trial)) return false;
    for (Eigen::Index k = 0; k < count; ++k) result[k] = trial[at(k)].real - guess[k];
    return true;
  };
  const auto size = [&](const Eigen::VectorXd& residual) {
    return residual.cwiseQuotient(scale.cwiseMax(u.cwiseAbs())).lpNorm<Eigen::Infinity>();
  };
  const auto finish = [&] {  // the inputs stay as they were found
    for (Eigen::Index k = 0; k < count; ++k) values[at(k)].real = u[k];
    std::vector<SignalValue> last = values;
    return evaluate_loop(links, last);
  };

  Eigen::VectorXd residual(count);
  if (!mismatch(u, residual)) return false;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    if (size(residual) <= kConverged) return finish();
    Eigen::MatrixXd jacobian(count, count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const double step = 1e-7 * std::max(scale[k], std::abs(u[k]));
      Eigen::VectorXd moved = u;
      moved[k] += step;
      Eigen::VectorXd other(count);
      if (!mismatch(moved, other)) return false;
      jacobian.col(k) = (other - residual) / (moved[k] - u[k]);
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> factor(jacobian);
    if (!factor.isInvertible())
      return fail_loop(links, "has no single solution: its equations depend on each other");
    const Eigen::VectorXd change = -factor.solve(residual);
    double part = 1;
    Eigen::VectorXd trial = residual;
    int halvings = 0;
    const double before = size(residual);
    for (; halvings < kMostHalvings; ++halvings, part /= 2) {
      // a guess that an FMU refuses is only too far away
      if (mismatch(u + part * change, trial) && trial.allFinite() && size(trial) < before) break;
    }
    if (halvings == kMostHalvings) {
      if (before <= kGoodEnough) return finish();
      return fail_loop(links,
                       fmt::format("has no solution near the start (mismatch {:.2g})", before));
    }
    u += part * change;
    residual = trial;
  }
  if (size(residual) <= kGoodEnough) return finish();
  return fail_loop(links, fmt::format("does not converge (mismatch {:.2g})", size(residual)));
}

}  // namespace mechfmu
