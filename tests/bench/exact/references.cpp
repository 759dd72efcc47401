#include "exact/references.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "exact/extrapolation.hpp"
#include "exact/hand_written.hpp"
#include "exact/newton_euler.hpp"

namespace mechfmu::bench {
namespace {

constexpr int kColumns = 7;  // order 14

// Everything that is needed to follow a problem; a state is a vector.
struct Followed {
  std::string method;
  Eigen::VectorXd start;
  std::function<Eigen::VectorXd(const Eigen::VectorXd&)> rates;
  std::function<Vector3d(const Eigen::VectorXd&)> marker;
  std::function<Eigen::VectorXd(const Eigen::VectorXd&)> project;  // after each step; may be empty
};

std::vector<Vector3d> follow(const Problem& problem, const Followed& followed, int steps) {
  std::vector<Vector3d> path = {followed.marker(followed.start)};
  Eigen::VectorXd state = followed.start;
  const double h = problem.interval() / steps;
  for (int i = 0; i < problem.samples; ++i) {
    for (int k = 0; k < steps; ++k) {
      state = extrapolated_step(followed.rates, state, h, kColumns);
      if (followed.project) state = followed.project(state);
    }
    path.push_back(followed.marker(state));
  }
  return path;
}

Reference follow_twice(const Problem& problem, const Followed& followed, int steps) {
  Reference reference;
  reference.path = follow(problem, followed, 2 * steps);
  reference.error = largest_distance(reference.path, follow(problem, followed, steps));
  reference.method = fmt::format("{}; extrapolated midpoint rule of order {}, steps of {:.3g} s",
                                 followed.method, 2 * kColumns, problem.interval() / (2 * steps));
  return reference;
}

template <class Equations>
Followed minimal(Equations equations, const std::string& method, const Eigen::VectorXd& q,
                 const Eigen::VectorXd& v) {
  const Eigen::Index n = q.size();
  Followed followed;
  followed.method = method;
  followed.start.resize(2 * n);
  followed.start << q, v;
  followed.rates = [equations, n](const Eigen::VectorXd& y) mutable {
    Eigen::VectorXd rate(2 * n);
    rate.head(n) = y.tail(n);
    equations.accelerations(y.data(), y.data() + n, rate.data() + n);
    return rate;
  };
  followed.marker = [equations](const Eigen::VectorXd& y) {
    Vector3d marker = Vector3d::Zero();
    equations.marker(y.data(), marker.data());
    return marker;
  };
  return followed;
}

Eigen::VectorXd one(double value) { return Eigen::VectorXd::Constant(1, value); }

Followed general(const Problem& problem) {
  const auto equations = std::make_shared<NewtonEuler>(problem);
  return {"Newton-Euler equations in space, Gauss' principle of least constraint, projected",
          equations->project(equations->start()),
          [equations](const Eigen::VectorXd& y) { return equations->rates(y); },
          [equations](const Eigen::VectorXd& y) { return equations->marker(y); },
          [equations](const Eigen::VectorXd& y) { return equations->project(y); }};
}

// Steps per sample for problems that are followed in space; found by trying.
int general_steps(const Problem& problem) {
  if (problem.name == "five_bar") return 1;
  return problem.name == "squeezer" || problem.name == "arm_6r" ? 4 : 2;
}

}  // namespace

double largest_distance(const std::vector<Vector3d>& a, const std::vector<Vector3d>& b) {
  double largest = a.size() == b.size() ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double distance = (a[i] - b[i]).norm();
    if (!(distance <= largest)) largest = distance;
  }
  return largest;
}

Reference compute_general_reference(const Problem& problem) {
  return follow_twice(problem, general(problem), general_steps(problem));
}

Reference compute_reference(const Problem& problem) {
  const std::string& name = problem.name;
  const double start = problem.joints.front().start[0];
  if (name == "four_bar")
    return follow_twice(problem, minimal(FourBarByHand(), "crank angle", one(start), one(0)), 4);
  if (name == "slider_crank")
    return follow_twice(problem, minimal(SliderCrankByHand(), "crank angle", one(start), one(0)),
                        4);
  if (name.rfind("n_four_bar", 0) == 0) {
    const int n = (static_cast<int>(problem.bodies.size()) - 1) / 2;
    return follow_twice(
        problem, minimal(ParallelogramsByHand(n), "exact equation of the angle", one(0), one(1)),
        4);
  }
  if (name.rfind("chain", 0) == 0) {
    const int n = static_cast<int>(problem.bodies.size());
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n);
    return follow_twice(
        problem, minimal(ChainByHand(n), "angles, block tridiagonal joint forces", zero, zero), 2);
  }
  return compute_general_reference(problem);
}

std::string reference_path(const Problem& problem) {
  return std::string(MECHFMU_PROJECT_DIR) + "/tests/bench/references/" + problem.name + ".csv";
}

std::string reference_text(const Problem& problem, const Reference& reference) {
  std::string text = fmt::format("# {}: {}\n# {}\n# difference to twice the step: {:.1e} m\n",
                                 problem.title, problem.source, reference.method, reference.error);
  text += problem.is_planar ? "time,x,y\n" : "time,x,y,z\n";
  for (std::size_t i = 0; i < reference.path.size(); ++i) {
    const Vector3d& p = reference.path[i];
    text += fmt::format("{:.10g},{:.15g},{:.15g}", problem.sample_time(static_cast<int>(i)), p.x(),
                        p.y());
    text += problem.is_planar ? "\n" : fmt::format(",{:.15g}\n", p.z());
  }
  return text;
}

std::vector<Vector3d> read_reference(const Problem& problem) {
  std::ifstream file(reference_path(problem));
  std::vector<Vector3d> path;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line[0] == 't') continue;
    std::istringstream stream(line);
    Vector3d point = Vector3d::Zero();
    double time = 0;
    char comma = 0;
    stream >> time;
    for (Eigen::Index k = 0; k < (problem.is_planar ? 2 : 3); ++k) stream >> comma >> point[k];
    path.push_back(point);
  }
  if (static_cast<int>(path.size()) != problem.samples + 1)
    throw std::runtime_error("no complete reference in " + reference_path(problem) +
                             "; make it with ./bench --references");
  return path;
}

}  // namespace mechfmu::bench
