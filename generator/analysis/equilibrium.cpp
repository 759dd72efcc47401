#include "analysis/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/held_pose.hpp"
#include "support/did_you_mean.hpp"

namespace mechfmu {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int kMostIterations = 200;
constexpr int kMostPathSteps = 500;
constexpr double kLongestStep = 0.5;  // [rad, m] of any coordinate
constexpr double kAtRest = 1e-9;      // acceleration, relative to what there was at first
constexpr double kRounding = 1e-16;   // likewise: no better can be had
constexpr double kFlat = 1e-9;        // stiffness, relative to the largest

// What is unknown, in numbers: independent positions, then the solved values.
class Trimmer {
 public:
  Trimmer(OperatingPoint& point, Diagnostics& diagnostics)
      : point_(point),
        s_(point.simulation()),
        m_(point.model()),
        diagnostics_(diagnostics),
        backup_(s_.state_bytes()),
        pose_(point) {}

  std::optional<Equilibrium> run(const EquilibriumOptions& options) {
    if (!choose_unknowns(options) || !come_to_rest()) return std::nullopt;
    first_.assign(s_.position(), s_.position() + m_.nq);
    if (!linearize_here()) return std::nullopt;
    first_size_ = std::max(1.0, a_.size() > 0 ? a_.lpNorm<Eigen::Infinity>() : 0);
    const bool found = options.stable ? follow_path() : solve();
    if (diagnostics_.has_errors()) return std::nullopt;
    if (!found) {
      explain_failure(options);
      return std::nullopt;
    }
    return finish();
  }

 private:
  bool refuse(const std::string& message, const std::string& hint = {}) {
    diagnostics_.error("E318", std::nullopt, message, hint);
    return false;
  }

  bool choose_unknowns(const EquilibriumOptions& options) {
    for (const std::string& name : options.solve_for) {
      std::vector<std::string_view> known;
      const InterfaceVariable* found = nullptr;
      for (const InterfaceVariable& v : point_.system().interface.variables) {
        const bool parameter = v.causality == Causality::parameter && v.type == ValueType::real &&
                               static_cast<int>(v.value_reference) < m_.n_parameters;
        if (!parameter && v.causality != Causality::input) continue;
        known.push_back(v.name);
        if (v.name == name) found = &v;
      }
      if (found == nullptr) {
        refuse(fmt::format("--solve-for: there is no input or parameter '{}'", name),
               did_you_mean(name, known, "inputs and parameters"));
        continue;
      }
      solved_.push_back(found);
    }
    if (!options.hold.empty())
      pose_.hold(options.hold, diagnostics_);
    else if (!solved_.empty())
      pose_.hold_fixed_starts();
    result_.held = pose_.names();
    if (options.stable && !(solved_.empty() && pose_.is_free()))
      refuse("--stable lets the mechanism go; --solve-for and --hold keep it where it is");
    return !diagnostics_.has_errors();
  }

  // Velocities zero, which a drive by time does not allow.
  bool come_to_rest() {
    for (int i = 0; i < m_.nv; ++i) s_.velocity()[i] = 0;
    s_.mark_moved();
    if (!point_.update()) return refuse(point_.failure());
    runtime::System& system = s_.system();
    system.evaluate_kinematics(s_.time(), s_.position(), s_.velocity());
    for (int i = 0; i < m_.nc; ++i)
      if (m_.row_level[i] != runtime::RowLevel::acceleration &&
          std::fabs(system.phi_time()[i]) > 1e-9)
        return refuse(fmt::format("{} moves with time at t = {:.6g} s: the mechanism cannot rest",
                                  m_.constraint_names[i], s_.time()),
                      "prescribe its motion by an input, or take the drive out");
    pose_.keep_present();  // where the assembly put it
    return true;
  }

  // Accelerations, their Jacobian by the unknowns, and the metric at the present pose. The unknowns
  // z span what the held coordinates leave of (x, s).
  bool linearize_here() {
    space_ = TangentSpace::make(point_, {}, find_fixed_coordinates(point_), diagnostics_);
    if (!space_) return false;
    const auto free = static_cast<int>(space_->positions().size());
    const auto rates = static_cast<int>(space_->velocities().size());
    const auto extra = static_cast<int>(solved_.size());
    const MatrixXd& T = space_->velocity_basis();
    const MatrixXd M = T.transpose() * TangentSpace::multiply_mass(point_, T);
    metric_ = M.llt().matrixL().transpose();
    a_.resize(rates);
    for (int i = 0; i < rates; ++i)
      a_(i) = s_.acceleration()[space_->velocities()[static_cast<std::size_t>(i)]];
    r_ = metric_ * a_;

    moves_ = MatrixXd::Zero(m_.nv, free + extra);
    MatrixXd by(rates, free + extra);
    const VectorXd no_velocity = VectorXd::Zero(rates);
    VectorXd x = VectorXd::Zero(free);
    for (int j = 0; j < free + extra; ++j) {
      x.setZero();
      if (j < free) x(j) = 1;
      const int known =
          j < free ? -1
                   : static_cast<int>(solved_[static_cast<std::size_t>(j - free)]->value_reference);
      const std::optional<TangentMotion> motion = space_->move(x, no_velocity, known);
      if (!motion) return refuse(point_.failure());
      moves_.col(j) = motion->dq;
      for (int i = 0; i < rates; ++i)
        by(i, j) = motion->da(space_->velocities()[static_cast<std::size_t>(i)]);
    }
    jacobian_ = metric_ * by;
    // lengths of the unknowns: positions by the kinetic metric of what they move, values by effect
    VectorXd scale(free + extra);
    const MatrixXd heavy = TangentSpace::multiply_mass(point_, moves_);
    for (int j = 0; j < free + extra; ++j) {
      const double length =
          j < free ? std::sqrt(moves_.col(j).dot(heavy.col(j))) : jacobian_.col(j).norm();
      scale(j) = length > 0 ? 1 / length : 1;
    }
    MatrixXd basis = scale.asDiagonal();
    VectorXd errors;
    MatrixXd held;
    pose_.fill(errors, held);
    if (held.rows() > 0) {
      const MatrixXd conditions = held * moves_ * basis;
      Eigen::FullPivLU<MatrixXd> lu(conditions);
      lu.setThreshold(1e-9);
      basis =
          basis * (lu.dimensionOfKernel() > 0 ? MatrixXd(lu.kernel()) : MatrixXd(free + extra, 0));
    }
    unknowns_ = basis;
    reduced_ = jacobian_ * unknowns_;
    return true;
  }

  // Goes `step` [unknowns] from the present place; false (and back) if the constraints cannot
  // follow.
  bool go(const VectorXd& step) {
    s_.save(backup_.data());
    const auto free = static_cast<int>(space_->positions().size());
    const VectorXd z = unknowns_ * step;
    const VectorXd dq = moves_ * z;
    for (std::size_t k = 0; k < solved_.size(); ++k) {
      const InterfaceVariable& v = *solved_[k];
      point_.set(v, point_.value(v) + z(free + static_cast<int>(k)));
    }
    // what the constraints follow moves with the inputs
    point_.update();
    s_.system().move(s_.position(), dq.data());
    pose_.note_move();
    if (pose_.close() && point_.update()) return true;
    back();
    return false;
  }

  void back() {
    s_.restore(backup_.data());
    point_.update();
  }

  // |r| in the metric of the place where the step began.
  [[nodiscard]] double measure(const MatrixXd& metric) const {
    VectorXd a(a_.size());
    for (int i = 0; i < a.size(); ++i)
      a(i) = s_.acceleration()[space_->velocities()[static_cast<std::size_t>(i)]];
    return (metric * a).norm();
  }

  void limit(VectorXd& step) const {
    const VectorXd dq = moves_ * (unknowns_ * step);
    if (dq.size() == 0) return;
    if (const double size = dq.lpNorm<Eigen::Infinity>(); size > kLongestStep)
      step *= kLongestStep / size;
  }

  [[nodiscard]] double size_of_acceleration() const {
    return a_.size() > 0 ? a_.lpNorm<Eigen::Infinity>() : 0;
  }

  bool solve() {
    double damping = 0;
    for (result_.iterations = 0; result_.iterations < kMostIterations; ++result_.iterations) {
      const double size = size_of_acceleration();
      if (size <= kRounding * first_size_) return true;
      if (reduced_.cols() == 0) return size <= kAtRest * first_size_;
      VectorXd step;
      if (damping == 0) {
        Eigen::CompleteOrthogonalDecomposition<MatrixXd> least(reduced_);
        least.setThreshold(kFlat);
        step = least.solve(-r_);
      } else {
        const MatrixXd normal = reduced_.transpose() * reduced_;
        const double mean = normal.trace() / static_cast<double>(normal.rows());
        step = (normal + damping * mean * MatrixXd::Identity(normal.rows(), normal.cols()))
                   .ldlt()
                   .solve(-(reduced_.transpose() * r_));
      }
      if (!step.allFinite()) return false;
      limit(step);
      const double length = (moves_ * (unknowns_ * step)).lpNorm<Eigen::Infinity>();
      if (try_along(step)) {
        damping *= 0.1;
        if (damping < 1e-8) damping = 0;
        if (!linearize_here()) return false;
        continue;
      }
      // nothing better along the step: at rest as far as numbers go, or stuck
      if (size <= kAtRest * first_size_) return true;
      if (length < 1e-14 || damping > 1e6) break;
      damping = std::max(10 * damping, 1e-6);
    }
    if (size_of_acceleration() <= kAtRest * first_size_) return true;
    return solved_.empty() && pose_.is_free() && follow_path();
  }

  // The first of the halved steps that makes |r| fall.
  bool try_along(const VectorXd& step) {
    const MatrixXd metric = metric_;
    const double before = r_.norm();
    for (double part = 1; part > 1e-4; part /= 2) {
      if (!go(part * step)) continue;
      if (measure(metric) < (1 - 1e-4 * part) * before) return true;
      back();
    }
    return false;
  }

  // (1/d - r_z) dz = r, in coordinates in which the kinetic metric is the unit: longer steps d as
  // the force falls, but never past a saddle.
  bool follow_path() {
    result_.followed_path = true;
    if (space_->positions().size() != space_->velocities().size()) return false;
    if (r_.size() == 0) return true;
    double d = 0.1 / std::max(r_.norm(), 1e-6);
    for (int k = 0; k < kMostPathSteps; ++k, ++result_.iterations) {
      const double size = size_of_acceleration();
      // dz of the unscaled unknowns: x = inverse(metric) w
      const auto n = static_cast<int>(r_.size());
      const MatrixXd inverse = metric_.inverse();
      const MatrixXd slope = jacobian_.leftCols(n) * inverse;
      const MatrixXd symmetric = 0.5 * (slope + slope.transpose());
      const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(symmetric);
      const double stiffest = std::max(1e-30, eigen.eigenvalues().cwiseAbs().maxCoeff());
      const double steepest = eigen.eigenvalues()(n - 1);
      const bool at_rest = size <= kAtRest * first_size_;
      if (at_rest && steepest <= kFlat * stiffest) return solve_from_here();
      VectorXd w;
      if (at_rest) {  // on a saddle or a peak: a push decides the side
        w = 0.05 * eigen.eigenvectors().col(n - 1);
      } else {
        const double rate = std::max(1 / d, 2 * steepest);
        w = (rate * MatrixXd::Identity(n, n) - slope).partialPivLu().solve(r_);
      }
      if (!w.allFinite()) return false;
      VectorXd x = inverse * w;
      VectorXd dq = moves_.leftCols(n) * x;
      double length = dq.lpNorm<Eigen::Infinity>();
      const double longest = at_rest ? 0.05 : 0.3;
      if (length > longest) x *= longest / length;
      const double before = r_.norm();
      // unknowns_ is diagonal here, as nothing is held
      VectorXd step = x;
      for (int i = 0; i < n; ++i) step(i) /= unknowns_(i, i);
      bool went = false;
      for (double part = 1; part > 1e-6 && !went; part /= 4) went = go(part * step);
      if (!went || !linearize_here()) return false;
      const double ratio = before / std::max(r_.norm(), 1e-300);
      d = std::clamp(d * std::clamp(ratio, 0.5, 4.0) * 1.2, 1e-12, 1e12);
    }
    return false;
  }

  // The last digits.
  bool solve_from_here() {
    for (int k = 0; k < 10; ++k) {
      if (size_of_acceleration() <= kRounding * first_size_) return true;
      Eigen::CompleteOrthogonalDecomposition<MatrixXd> least(reduced_);
      least.setThreshold(kFlat);
      VectorXd step = least.solve(-r_);
      limit(step);
      if (!step.allFinite() || !try_along(step)) return true;
      if (!linearize_here()) return false;
    }
    return true;
  }

  void explain_failure(const EquilibriumOptions& options) {
    int worst = 0;
    if (a_.size() > 0) a_.cwiseAbs().maxCoeff(&worst);
    const int coordinate =
        a_.size() > 0 ? space_->velocities()[static_cast<std::size_t>(worst)] : 0;
    std::string message = fmt::format(
        "no equilibrium was found in {} iterations: {} is still "
        "accelerated by {:.4g}",
        result_.iterations, coordinate_name(point_, coordinate), a_.size() > 0 ? a_(worst) : 0);
    std::string hint = "give start positions nearer to it, or other inputs";
    if (!options.solve_for.empty() || !options.hold.empty()) {
      message += fmt::format("; {} equations, {} unknowns ({} solved for, {} free positions)",
                             a_.size(), reduced_.cols(), solved_.size(),
                             reduced_.cols() - static_cast<Eigen::Index>(solved_.size()));
      hint =
          "solve for as many values as positions are held, and for such that act on them; a "
          "start without fixed=\"true\" is free";
    } else if (jacobian_.cols() > 0 && worst < jacobian_.cols() &&
               jacobian_.row(worst).norm() <= kFlat * (1 + jacobian_.norm())) {
      message += " wherever it is";
      hint = "nothing holds it: a body that falls freely, or a force without a spring against it";
    }
    diagnostics_.error("E317", std::nullopt, message, hint);
  }

  std::optional<Equilibrium> finish() {
    result_.largest_acceleration = size_of_acceleration();
    for (const InterfaceVariable* v : solved_)
      result_.solved.push_back({v->name, v->unit, point_.value(*v)});
    VectorXd moved(m_.nv);
    s_.system().displacement(first_.data(), s_.position(), moved.data());
    result_.moved = m_.nv > 0 ? moved.lpNorm<Eigen::Infinity>() : 0;
    std::optional<LinearModel> linear = linearize(point_, {}, diagnostics_);
    if (!linear) return std::nullopt;
    result_.linear = std::move(*linear);
    for (const Pole& p : result_.linear.poles.list) result_.indifferent |= p.value == 0.0;
    VectorXd rates(m_.n_computed);
    if (s_.calc_time_rates(rates.data()))
      for (int i = 0; i < m_.nv; ++i)
        result_.depends_on_time |=
            std::fabs(s_.system().rates().acceleration[i]) > 1e-6 * first_size_;
    return std::move(result_);
  }

  OperatingPoint& point_;
  runtime::Simulation& s_;
  const runtime::Model& m_;
  Diagnostics& diagnostics_;
  std::vector<char> backup_;
  std::vector<const InterfaceVariable*> solved_;
  HeldPose pose_;
  std::vector<double> first_;
  double first_size_ = 1;
  std::optional<TangentSpace> space_;
  MatrixXd metric_;    // L^T
  VectorXd a_, r_;     // of the independent coordinates
  MatrixXd moves_;     // [nv x (x, s)] dq
  MatrixXd jacobian_;  // of r by (x, s)
  MatrixXd unknowns_;  // [(x, s) x unknowns]
  MatrixXd reduced_;   // of r by the unknowns
  Equilibrium result_;
};

}  // namespace

std::optional<Equilibrium> find_equilibrium(OperatingPoint& point,
                                            const EquilibriumOptions& options,
                                            Diagnostics& diagnostics) {
  return Trimmer(point, diagnostics).run(options);
}

}  // namespace mechfmu
