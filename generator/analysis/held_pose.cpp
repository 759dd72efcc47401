#include "analysis/held_pose.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/linearize.hpp"

namespace mechfmu {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {
constexpr double kMet = 1e-13, kStalled = 1e-10;  // residuals
constexpr int kMostIterations = 40;
}  // namespace

HeldPose::HeldPose(OperatingPoint& point)
    : s_(point.simulation()), m_(point.model()), point_(point) {}

void HeldPose::hold(const std::vector<std::string>& names, Diagnostics& diagnostics) {
  std::vector<std::string> others;
  for (const std::string& name : names) {
    int condition = -1;
    for (int c = 0; c < m_.n_conditions; ++c)
      if (!m_.conditions[c].velocity && m_.conditions[c].name == name) condition = c;
    if (condition >= 0)
      conditions_.push_back(condition);
    else
      others.push_back(name);
  }
  coordinates_ = find_coordinates(point_, others, "--hold", diagnostics);
  names_ = names;
}

void HeldPose::hold_fixed_starts() {
  for (int c = 0; c < m_.n_conditions; ++c)
    if (m_.conditions[c].fixed && !m_.conditions[c].velocity) {
      conditions_.push_back(c);
      names_.emplace_back(m_.conditions[c].name);
    }
}

void HeldPose::keep_present() {
  targets_ = VectorXd::Zero(static_cast<int>(coordinates_.size() + conditions_.size()));
  VectorXd present;
  MatrixXd rows;
  fill(present, rows);
  targets_ = present;
}

void HeldPose::fill(VectorXd& errors, MatrixXd& rows) {
  errors = VectorXd::Zero(targets_.size());
  rows = MatrixXd::Zero(targets_.size(), m_.nv);
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const int q = m_.position_of_velocity[coordinates_[k]];
    errors(static_cast<int>(k)) = q >= 0 ? s_.position()[q] : 0;
    rows(static_cast<int>(k), coordinates_[k]) = 1;
  }
  fill_conditions(errors, rows);
  errors -= targets_;
}

void HeldPose::fill_conditions(VectorXd& errors, MatrixXd& rows) {
  if (conditions_.empty()) return;
  VectorXd values(m_.n_conditions + m_.condition_jacobian.count);
  runtime::System& system = s_.system();
  system.arrays()[runtime::kPosition] = s_.position();
  system.arrays()[runtime::kVelocity] = s_.velocity();
  m_.starts.run(m_.starts.context, system.arrays(), values.data());
  for (std::size_t k = 0; k < conditions_.size(); ++k) {
    const auto row = static_cast<int>(coordinates_.size() + k);
    errors(row) = values(conditions_[k]);
    for (int e = 0; e < m_.condition_jacobian.count; ++e)
      if (m_.condition_jacobian.row[e] == conditions_[k])
        rows(row, m_.condition_jacobian.column[e]) = values(m_.n_conditions + e);
  }
}

double HeldPose::approach() {
  runtime::System& system = s_.system();
  VectorXd errors;
  MatrixXd held;
  fill(errors, held);
  system.evaluate_kinematics(s_.time(), s_.position(), s_.velocity());
  MatrixXd all = MatrixXd::Zero(m_.nc + held.rows(), m_.nv);
  VectorXd side(m_.nc + held.rows());
  for (int k = 0; k < m_.jacobian.count; ++k)
    if (m_.row_level[m_.jacobian.row[k]] == runtime::RowLevel::position)
      all(m_.jacobian.row[k], m_.jacobian.column[k]) = system.jacobian()[k];
  for (int i = 0; i < m_.nc; ++i) side(i) = system.phi()[i];
  all.bottomRows(held.rows()) = held;
  side.tail(held.rows()) = errors;
  if (side.size() == 0) return 0;
  const double size = side.lpNorm<Eigen::Infinity>();
  if (!std::isfinite(size) || size <= kMet) return size;
  VectorXd step = all.completeOrthogonalDecomposition().solve(-side);
  if (const double length = step.lpNorm<Eigen::Infinity>(); length > kLongestStep)
    step *= kLongestStep / length;
  system.move(s_.position(), step.data());
  note_move();
  return size;
}

bool HeldPose::close() {
  double before = HUGE_VAL;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const double size = approach();
    if (!std::isfinite(size) || size > 1e3 * before) return false;
    if (size <= kMet || (size < kStalled && size > 0.5 * before)) return true;
    before = std::min(before, size);
  }
  return false;
}

void HeldPose::note_move() {
  s_.complete_host_step(0);  // continuous angles go on
  s_.mark_moved();
}

}  // namespace mechfmu
