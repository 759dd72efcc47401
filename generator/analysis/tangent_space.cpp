#include "analysis/tangent_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mechfmu {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double kRankTolerance = 1e-7;  // singular values of J with rows of unit length
constexpr double kZeroRow = 1e-13;       // of the longest: what rounding left of nothing
constexpr double kDependent =
    1e-6;  // a coordinate that the constraints leave so little of is fixed
constexpr double kGoodEnough = 0.1;  // a preferred coordinate, compared with the best one
constexpr double kClearlyLarger = 1 + 1e-6;

MatrixXd fill_jacobian(OperatingPoint& point) {
  const runtime::Model& m = point.model();
  MatrixXd J = MatrixXd::Zero(m.nc, m.nv);
  for (int k = 0; k < m.jacobian.count; ++k)
    J(m.jacobian.row[k], m.jacobian.column[k]) = point.equations().jacobian()[k];
  return J;
}

// Rows of unit length; rows of nothing become zero.
VectorXd scale_rows(MatrixXd& J) {
  VectorXd scale = VectorXd::Zero(J.rows());
  const double longest = J.rows() > 0 && J.cols() > 0 ? J.rowwise().norm().maxCoeff() : 0;
  for (int i = 0; i < J.rows(); ++i) {
    const double norm = J.row(i).norm();
    scale(i) = norm > kZeroRow * longest ? 1 / norm : 0;
    J.row(i) *= scale(i);
  }
  return scale;
}

int rank_of(const VectorXd& singular_values) {
  if (singular_values.size() == 0) return 0;
  return static_cast<int>(
      (singular_values.array() > kRankTolerance * std::max(1.0, singular_values(0))).count());
}

// Rows of `basis` that span it, by elimination with pivoting.
class Chooser {
 public:
  Chooser(const MatrixXd& basis, const VectorXd& weight) : left_(basis) {
    for (int i = 0; i < left_.rows(); ++i) left_.row(i) *= weight(i);
    full_ = left_.rowwise().norm();
  }

  [[nodiscard]] bool is_done() const { return static_cast<int>(chosen_.size()) == left_.cols(); }
  // How much of the coordinate is still free, of what is free at all.
  [[nodiscard]] double find_share(int i) const {
    return full_(i) > 0 ? left_.row(i).norm() / full_(i) : 0;
  }
  [[nodiscard]] bool is_free(int i) const {
    return full_(i) > kDependent * full_.maxCoeff() && find_share(i) > kDependent;
  }
  [[nodiscard]] int find_best() const {
    int best = 0;
    for (int i = 1; i < left_.rows(); ++i)
      if (left_.row(i).norm() > kClearlyLarger * left_.row(best).norm()) best = i;
    return best;
  }
  [[nodiscard]] double find_length(int i) const { return left_.row(i).norm(); }
  void take(int i) {
    chosen_.push_back(i);
    const Eigen::RowVectorXd direction = left_.row(i).normalized();
    left_ -= (left_ * direction.transpose()) * direction;
    left_.row(i).setZero();
  }
  [[nodiscard]] std::vector<int> chosen() const {
    std::vector<int> list = chosen_;
    std::sort(list.begin(), list.end());
    return list;
  }

 private:
  MatrixXd left_;
  VectorXd full_;
  std::vector<int> chosen_;
};

bool contains(const std::vector<int>& list, int item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string state_name(const OperatingPoint& point, int state) {
  const std::string name = point.model().reals[point.model().first_state + state].name;
  constexpr std::string_view kPrefix = "state.";
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

std::string state_unit(const OperatingPoint& point, int state) {
  const InterfaceVariable* v = point.system().interface.find("state." + state_name(point, state));
  return v == nullptr ? "" : v->unit;
}

}  // namespace

std::string velocity_name(const OperatingPoint& point, int coordinate) {
  return state_name(point, point.model().nq + coordinate);
}

std::string velocity_unit(const OperatingPoint& point, int coordinate) {
  return state_unit(point, point.model().nq + coordinate);
}

std::string coordinate_name(const OperatingPoint& point, int coordinate) {
  const int q = point.model().position_of_velocity[coordinate];
  if (q >= 0) return state_name(point, q);
  const std::string name = velocity_name(point, coordinate);
  const std::size_t w = name.rfind(".w[");
  return name.substr(0, w) + ".rotation" + name.substr(w + 2);
}

std::string coordinate_unit(const OperatingPoint& point, int coordinate) {
  const int q = point.model().position_of_velocity[coordinate];
  return q >= 0 ? state_unit(point, q) : "rad";
}

MatrixXd TangentSpace::multiply_mass(OperatingPoint& point, const MatrixXd& columns) {
  MatrixXd product(columns.rows(), columns.cols());
  for (int j = 0; j < columns.cols(); ++j) {
    const VectorXd column = columns.col(j);
    VectorXd result(columns.rows());
    point.equations().mass_times(column.data(), result.data());
    product.col(j) = result;
  }
  return product;
}

std::optional<TangentSpace> TangentSpace::make(OperatingPoint& point,
                                               const std::vector<int>& wanted,
                                               const std::vector<int>& preferred,
                                               Diagnostics& diagnostics) {
  runtime::Simulation& s = point.simulation();
  const runtime::Model& m = point.model();
  // also makes constants of changed parameters
  if (!point.update()) {
    diagnostics.error("E311", std::nullopt, point.failure());
    return std::nullopt;
  }
  s.system().evaluate_kinematics(s.time(), s.position(), s.velocity());
  const MatrixXd J = fill_jacobian(point);
  VectorXd weight(m.nv);
  for (int j = 0; j < m.nv; ++j) {
    const VectorXd unit = VectorXd::Unit(m.nv, j);
    weight(j) = std::sqrt(multiply_mass(point, unit)(j));
  }
  MatrixXd scaled = J;
  scale_rows(scaled);
  const int rank = m.nc == 0 ? 0 : rank_of(Eigen::BDCSVD<MatrixXd>(scaled).singularValues());
  int regular = 0;
  for (int b = 0; b < m.n_blocks; ++b) regular += m.blocks[b].rank;
  if (rank < regular) {
    std::string loops;
    for (int b = 0; b < m.n_blocks; ++b)
      loops += fmt::format("{}{}", loops.empty() ? "" : ", ", m.blocks[b].name);
    diagnostics.error(
        "E311", std::nullopt,
        fmt::format("the pose at t = {:.6g} s is singular: the constraints have rank {} instead of "
                    "{} there (dead point, or branches that meet; equations of {}), and no linear "
                    "system describes the motion near it",
                    s.time(), rank, regular, loops),
        "move the start a little, or choose another time with --at");
    return std::nullopt;
  }
  TangentSpace space(point);
  if (!space.fill(space.position_, false, J, weight, wanted, preferred, diagnostics))
    return std::nullopt;
  // what is independent as a position is as a velocity, as far as that goes
  if (std::any_of(m.row_level, m.row_level + m.nc,
                  [](runtime::RowLevel level) { return level == runtime::RowLevel::velocity; })) {
    std::vector<int> first = wanted;
    first.insert(first.end(), preferred.begin(), preferred.end());
    for (const int i : space.position_.independent)
      if (!contains(first, i)) first.push_back(i);
    if (!space.fill(space.velocity_, true, J, weight, {}, first, diagnostics)) return std::nullopt;
  } else {
    space.velocity_ = space.position_;
  }
  return space;
}

bool TangentSpace::fill(Level& level, bool velocities, const MatrixXd& jacobian,
                        const VectorXd& weight, const std::vector<int>& wanted,
                        const std::vector<int>& preferred, Diagnostics& diagnostics) {
  const runtime::Model& m = point_->model();
  for (int i = 0; i < m.nc; ++i)
    if (m.row_level[i] == runtime::RowLevel::position ||
        (velocities && m.row_level[i] == runtime::RowLevel::velocity))
      level.rows.push_back(i);
  const auto n = static_cast<int>(level.rows.size());
  MatrixXd J(n, m.nv);
  for (int i = 0; i < n; ++i) J.row(i) = jacobian.row(level.rows[static_cast<std::size_t>(i)]);
  const VectorXd scale = scale_rows(J);

  MatrixXd null = MatrixXd::Identity(m.nv, m.nv);
  MatrixXd inverse = MatrixXd::Zero(m.nv, n);
  if (n > 0) {
    const Eigen::BDCSVD<MatrixXd> svd(J, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const int rank = rank_of(svd.singularValues());
    null = svd.matrixV().rightCols(m.nv - rank);
    inverse = svd.matrixV().leftCols(rank) *
              svd.singularValues().head(rank).cwiseInverse().asDiagonal() *
              svd.matrixU().leftCols(rank).transpose() * scale.asDiagonal();
  }

  Chooser chooser(null, weight);
  for (const int i : wanted) {
    if (!chooser.is_done() && chooser.is_free(i)) {
      chooser.take(i);
      continue;
    }
    diagnostics.error(
        "E312", std::nullopt,
        fmt::format("--states: '{}' is not independent here: {}", coordinate_name(*point_, i),
                    chooser.is_done()
                        ? fmt::format("the mechanism has {} independent coordinates", null.cols())
                        : "the constraints tie it to the others"));
    return false;
  }
  // first all that are good, then what is best
  for (const int i : preferred)
    if (!chooser.is_done() && !contains(wanted, i) && chooser.is_free(i) &&
        chooser.find_length(i) > kGoodEnough * chooser.find_length(chooser.find_best()))
      chooser.take(i);
  while (!chooser.is_done()) chooser.take(chooser.find_best());
  level.independent = chooser.chosen();

  const auto count = static_cast<int>(level.independent.size());
  MatrixXd square(count, count), part(count, n);
  for (int k = 0; k < count; ++k)
    square.row(k) = null.row(level.independent[static_cast<std::size_t>(k)]);
  level.basis = count > 0 ? MatrixXd(null * square.fullPivLu().inverse()) : null;
  for (int k = 0; k < count; ++k) {
    // exactly, not to rounding
    level.basis.row(level.independent[static_cast<std::size_t>(k)]) =
        Eigen::RowVectorXd::Unit(count, k);
    part.row(k) = inverse.row(level.independent[static_cast<std::size_t>(k)]);
  }
  level.inverse = inverse - level.basis * part;
  for (const int i : level.independent) level.inverse.row(i).setZero();
  return true;
}

// What Simulation::calc_directional does with the same value.
void TangentSpace::seed(int known) const {
  const runtime::Model& m = point_->model();
  const runtime::System::Rates& rate = point_->equations().rates();
  if (known < 0) return;
  if (known < m.n_parameters) {
    rate.parameter[known] = 1;
  } else if (const int i = known - point_->first_input(); i >= 0 && i < m.nu) {
    rate.input[i] = 1;
    if (point_->follows_directly()) rate.reference[3 * i] = 1;
  } else {
    const int k = known - m.first_state - m.nq - m.nv;
    rate.reference[3 * m.followed[k / 3] + k % 3] = 1;
  }
}

VectorXd TangentSpace::calc_conditions() {
  const runtime::Model& m = point_->model();
  VectorXd rates(2 * m.nc + m.n_conditions);
  m.tangent_conditions.run(m.tangent_conditions.context, point_->equations().arrays(),
                           rates.data());
  return rates;
}

std::optional<TangentMotion> TangentSpace::move(const VectorXd& x_position,
                                                const VectorXd& x_velocity, int known) {
  runtime::Simulation& s = point_->simulation();
  runtime::System& system = s.system();
  const runtime::Model& m = point_->model();
  TangentMotion motion{position_.basis * x_position, velocity_.basis * x_velocity,
                       VectorXd::Zero(m.nv), VectorXd::Zero(m.n_computed)};
  const auto choose = [&](const VectorXd& all, const Level& level, int first) {
    VectorXd some(static_cast<int>(level.rows.size()));
    for (std::size_t i = 0; i < level.rows.size(); ++i)
      some(static_cast<int>(i)) = all(first + level.rows[i]);
    return some;
  };
  if (m.nc > 0) {
    system.evaluate_kinematics(s.time(), s.position(), s.velocity());
    system.clear_rates();
    seed(known);
    motion.dq -= position_.inverse * choose(calc_conditions(), position_, 0);
    system.set_position_rate(s.position(), motion.dq.data());
    motion.dv -= velocity_.inverse * choose(calc_conditions(), velocity_, m.nc);
  }

  std::vector<unsigned> knowns;
  std::vector<double> changes;
  const auto add = [&](int reference, double change) {
    if (change == 0) return;
    knowns.push_back(static_cast<unsigned>(reference));
    changes.push_back(change);
  };
  VectorXd q_rate(m.nq);
  system.position_rate(s.position(), motion.dq.data(), q_rate.data());
  for (int i = 0; i < m.nq; ++i) add(m.first_state + i, q_rate(i));
  for (int i = 0; i < m.nv; ++i) add(m.first_state + m.nq + i, motion.dv(i));
  if (known >= 0) add(known, 1);
  if (!s.calc_directional(false, static_cast<int>(knowns.size()), knowns.data(), changes.data(),
                          motion.computed.data()))
    return std::nullopt;
  for (int i = 0; i < m.nv; ++i) motion.da(i) = system.rates().acceleration[i];
  return motion;
}

}  // namespace mechfmu
