#include "formulation/analyse.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "formulation/interpreted_model.hpp"
#include "graph/program.hpp"
#include "system/simulation.hpp"

namespace mechfmu {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRankTolerance = 1e-7;  // singular values of J with rows of unit length
constexpr double kZeroRow = 1e-13;       // length of a row, relative to the longest: rounding only
constexpr int kLargeMatrix = 200;        // coordinates
constexpr int kPoses = 4;                // perturbed ones

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class Analyser {
 public:
  Analyser(const Formulated& system, const Mechanism& mechanism, const SpanningTree& tree,
           const std::shared_ptr<const SystemKernels>& kernels, Diagnostics& diagnostics)
      : s_(system),
        mechanism_(mechanism),
        tree_(tree),
        kernels_(kernels),
        interpreted_(kernels),
        memory_((runtime::Simulation::bytes(interpreted_.model()) + 15) / sizeof(double) + 1),
        simulation_(interpreted_.model(), memory_.data()),
        diagnostics_(diagnostics) {}

  std::optional<NumericAnalysis> run() {
    if (!check_movable()) return std::nullopt;
    find_prescribed_rows();
    if (!simulation_.initialize(mechanism_.experiment.start)) {
      report_failure(simulation_.failure());
      return std::nullopt;
    }
    result_.start.assign(simulation_.position(), simulation_.position() + s_.nq);
    if (!check_mass_matrix()) return std::nullopt;
    find_ranks();
    // rounded, so that they are the same on every machine
    for (const double scale : row_scales_)
      result_.row_scales.push_back(scale > 0 ? std::exp2(std::round(std::log2(scale))) : 1);
    find_energy_flow();
    describe();
    return std::move(result_);
  }

 private:
  [[nodiscard]] Span span_of(const RowOwner& owner) const {
    switch (owner.kind) {
      case RowOwner::Kind::joint:
        return mechanism_.joints[at(owner.index)].span;
      case RowOwner::Kind::drive:
        return mechanism_.drives[at(owner.index)].span;
      case RowOwner::Kind::constraint:
        break;
    }
    return mechanism_.constraints[at(owner.index)].span;
  }

  bool check_movable() {
    for (const RowOwner& owner : s_.immovable)
      diagnostics_.error(
          "E304", span_of(owner),
          fmt::format("{}: nothing can move what it prescribes", owner_label(mechanism_, owner)),
          "no coordinate of the mechanism changes it");
    return s_.immovable.empty();
  }

  // Rows that are functions of time or inputs.
  void find_prescribed_rows() {
    for (const ConstraintRow& row : s_.rows) {
      bool prescribed = row.owner.kind == RowOwner::Kind::drive;
      for (const Expr& e : {row.value, row.rate, row.acceleration})
        for (const int array : {int{runtime::kTime}, int{runtime::kReference}})
          prescribed = prescribed || depends_on(*s_.graph, e, array);
      prescribed_.push_back(prescribed);
    }
  }

  // The failure names a joint in quotes: the error stands at that joint.
  void report_failure(const std::string& text) {
    std::optional<Span> span;
    const std::size_t open = text.find('\'');
    const std::size_t close = open == std::string::npos ? open : text.find_first_of("'.", open + 1);
    if (close != std::string::npos) {
      const std::string name = text.substr(open + 1, close - open - 1);
      for (const Joint& joint : mechanism_.joints)
        if (joint.name.text == name) span = joint.span;
      for (const Drive& drive : mechanism_.drives)
        if (drive.name.text == name) span = drive.span;
      for (const ExpressionConstraint& c : mechanism_.constraints)
        if (c.name.text == name) span = c.span;
      if (mechanism_.equations)
        for (const EquationCoordinate& c : mechanism_.equations->coordinates)
          if (c.name.text == name || name == "der(" + c.name.text + ")") span = c.span;
    }
    const bool start = text.find("the start") == 0;
    diagnostics_.error(start ? "E302" : "E301", span, "mechanism cannot be assembled: " + text,
                       start ? "give fewer starts fixed=\"true\"; the others become guesses"
                             : "check lengths and frames of this loop, or give start positions "
                               "near the wanted pose");
  }

  // M must be positive definite: a coordinate without inertia has no acceleration.
  bool check_mass_matrix() {
    runtime::System& system = simulation_.system();
    system.evaluate_kinematics(simulation_.time(), simulation_.position(), simulation_.velocity());
    const int nv = system.nv;
    const MatrixXd M = s_.has_mass_entries ? collect_mass_matrix() : multiply_mass_matrix();
    // judged relative to each coordinate's own inertia
    for (int i = 0; i < nv; ++i)
      if (!(M(i, i) > 0)) return refuse_massless(i);
    const VectorXd scale = M.diagonal().cwiseSqrt().cwiseInverse();
    if (nv == 0) return true;
    if (nv > kLargeMatrix)
      return check_large_mass_matrix(scale.asDiagonal() * M * scale.asDiagonal());
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scale.asDiagonal() * M *
                                                        scale.asDiagonal());
    if (eigen.eigenvalues()(0) > 1e-13) return true;
    int worst = 0;
    eigen.eigenvectors().col(0).cwiseAbs().maxCoeff(&worst);
    return refuse_massless(worst);
  }

  MatrixXd collect_mass_matrix() {
    MatrixXd M = MatrixXd::Zero(s_.nv, s_.nv);
    for (std::size_t k = 0; k < kernels_->mass.row.size(); ++k) {
      const int i = kernels_->mass.row[k], j = kernels_->mass.column[k];
      M(i, j) = M(j, i) = simulation_.system().mass()[k];
    }
    return M;
  }

  // Column by column, where M has no entries.
  MatrixXd multiply_mass_matrix() {
    MatrixXd M(s_.nv, s_.nv);
    VectorXd unit = VectorXd::Zero(s_.nv);
    for (int j = 0; j < s_.nv; ++j) {
      unit(j) = 1;
      simulation_.system().mass_times(unit.data(), M.col(j).data());
      unit(j) = 0;
    }
    return M;
  }

  // By its pivots: eigenvalues of a thousand coordinates take minutes.
  bool check_large_mass_matrix(const MatrixXd& scaled) {
    const Eigen::LDLT<MatrixXd> factor(scaled);
    const VectorXd pivots = factor.vectorD();
    Eigen::Index worst = 0;
    if (pivots.minCoeff(&worst) > 1e-13) return true;
    VectorXd unit = VectorXd::Unit(s_.nv, worst);  // undo the row exchanges
    unit = factor.transpositionsP().transpose() * unit;
    unit.cwiseAbs().maxCoeff(&worst);
    return refuse_massless(static_cast<int>(worst));
  }

  bool refuse_massless(int coordinate) {
    const std::string& name = s_.coordinate_names[at(coordinate)];
    const bool absolute =
        s_.kind == FormulationKind::absolute_planar || s_.kind == FormulationKind::absolute_spatial;
    if (mechanism_.equations) {
      diagnostics_.error(
          "E303", mechanism_.equations->coordinates[at(coordinate)].span,
          fmt::format("coordinate '{}': the mass matrix is singular at the start", name),
          "every coordinate needs an inertia, and the matrix must be positive definite");
      return false;
    }
    std::optional<Span> span;
    const std::string owner = name.substr(0, name.find('.'));
    for (const Joint& joint : mechanism_.joints)
      if (joint.name.text == owner) span = joint.span;
    for (const Body& body : mechanism_.bodies)
      if (body.name.text == owner) span = body.span;
    diagnostics_.error(
        "E303", span,
        fmt::format("{} '{}': the mass matrix is singular, nothing with inertia moves along it",
                    absolute ? "body" : "coordinate", name),
        absolute ? "give the body mass and inertia, or use coordinates=\"joint\""
                 : "give the bodies beyond it mass and inertia, or fix the joint");
    return false;
  }

  MatrixXd scaled_jacobian(int first, int size) {
    MatrixXd J = MatrixXd::Zero(size, s_.nv);
    for (std::size_t k = 0; k < kernels_->jacobian.row.size(); ++k) {
      const int row = kernels_->jacobian.row[k] - first;
      if (row >= 0 && row < size)
        J(row, kernels_->jacobian.column[k]) = simulation_.system().jacobian()[k];
    }
    // rows that rounding left of zeros (a planar loop in a skew plane) are zeros
    const double longest = size > 0 && s_.nv > 0 ? J.rowwise().norm().maxCoeff() : 0;
    for (int i = 0; i < size; ++i) {
      const double norm = J.row(i).norm();
      J.row(i) *= norm > kZeroRow * longest ? 1 / norm : 0;
    }
    return J;
  }

  static int rank_of(const MatrixXd& J) {
    if (J.rows() == 0) return 0;
    const Eigen::JacobiSVD<MatrixXd> svd(J);
    const VectorXd& sigma = svd.singularValues();
    return static_cast<int>((sigma.array() > kRankTolerance * std::max(1.0, sigma(0))).count());
  }

  std::vector<int> ranks_at(const std::vector<double>& q) {
    simulation_.system().evaluate_kinematics(simulation_.time(), q.data(), simulation_.velocity());
    note_row_scales();
    std::vector<int> ranks;
    for (const BlockRow& block : kernels_->blocks)
      ranks.push_back(rank_of(scaled_jacobian(block.first, block.size)));
    return ranks;
  }

  // The largest seen: a row may vanish at a singular pose.
  void note_row_scales() {
    std::vector<double> diagonal(s_.rows.size());
    simulation_.system().get_schur_diagonal(diagonal.data());
    row_scales_.resize(diagonal.size(), 0);
    for (std::size_t i = 0; i < diagonal.size(); ++i)
      row_scales_[i] = std::max(row_scales_[i], diagonal[i]);
  }

  // Newton's method with the largest `rank` singular values only; true if q ends on the
  // constraints.
  bool close(std::vector<double>& q, int rank) {
    runtime::System& system = simulation_.system();
    const int nc = system.nc;
    for (int iteration = 0; iteration < 50; ++iteration) {
      system.evaluate_kinematics(simulation_.time(), q.data(), simulation_.velocity());
      // what is prescribed may take any value here: poses of other times are as good
      VectorXd phi = Eigen::Map<const VectorXd>(system.phi(), nc);
      for (int i = 0; i < nc; ++i)
        if (prescribed_[at(i)]) phi(i) = 0;
      if (!phi.allFinite()) return false;
      if (phi.lpNorm<Eigen::Infinity>() < 1e-11) return true;
      MatrixXd J = MatrixXd::Zero(nc, s_.nv);
      for (std::size_t k = 0; k < kernels_->jacobian.row.size(); ++k)
        if (const int row = kernels_->jacobian.row[k];
            !prescribed_[at(row)] && kernels_->row_level[at(row)] == runtime::RowLevel::position)
          J(row, kernels_->jacobian.column[k]) = system.jacobian()[k];
      const Eigen::JacobiSVD<MatrixXd> svd(J, Eigen::ComputeThinU | Eigen::ComputeThinV);
      VectorXd step = VectorXd::Zero(s_.nv);
      for (int k = 0; k < std::min<int>(rank, static_cast<int>(svd.singularValues().size())); ++k)
        if (svd.singularValues()(k) > 1e-9)
          step -= svd.matrixV().col(k) * (svd.matrixU().col(k).dot(phi) / svd.singularValues()(k));
      if (const double size = step.lpNorm<Eigen::Infinity>(); size > 0.5) step *= 0.5 / size;
      system.move(q.data(), step.data());
    }
    return false;
  }

  // A singular start must not be taken for the rule: look at poses that the mechanism can reach
  // from it.
  void find_ranks() {
    const std::vector<double> start(simulation_.position(), simulation_.position() + s_.nq);
    start_ranks_ = ranks_at(start);
    result_.block_ranks = start_ranks_;
    const int nc = static_cast<int>(s_.rows.size());
    regular_jacobian_.resize(0, s_.nv);
    if (nc == 0) return;
    const MatrixXd J = scaled_jacobian(0, nc);
    regular_jacobian_ = J;
    MatrixXd free = J;  // without what is prescribed
    for (int i = 0; i < nc; ++i)
      if (prescribed_[at(i)]) free.row(i).setZero();
    const MatrixXd null = Eigen::FullPivLU<MatrixXd>(free).setThreshold(kRankTolerance).kernel();
    if (null.isZero()) return;
    int start_rank = rank_of(free);

    std::mt19937 random(20240517);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int pose = 0; pose < kPoses; ++pose) {
      VectorXd weights(null.cols());
      for (double& w : weights) w = uniform(random);
      VectorXd direction = null * weights;
      direction *=
          (pose % 2 == 0 ? 0.05 : 0.3) / std::max(1e-12, direction.lpNorm<Eigen::Infinity>());
      for (const int rank : {start_rank, nc}) {
        std::vector<double> q = start;
        simulation_.system().move(q.data(), direction.data());
        if (!close(q, rank)) continue;
        const std::vector<int> ranks = ranks_at(q);
        for (std::size_t b = 0; b < ranks.size(); ++b) {
          if (ranks[b] > result_.block_ranks[b]) regular_jacobian_ = scaled_jacobian(0, nc);
          result_.block_ranks[b] = std::max(result_.block_ranks[b], ranks[b]);
        }
        break;
      }
    }
  }

  // dE/dt by differences at the start pose with velocities that the constraints allow.
  void find_energy_flow() {
    const runtime::Model& model = interpreted_.model();
    if (!model.has_energy || s_.nv == 0) return;
    runtime::System& system = simulation_.system();
    const std::vector<double> q(simulation_.position(), simulation_.position() + s_.nq);
    const std::size_t nv = at(s_.nv), nc = s_.rows.size();
    std::vector<double> v(nv), a(nv), side(nc), lambda(nc), zero(nv, 0.0), change(nv);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto energy = [&](double h) {
      std::vector<double> there = q, step(nv), speed(nv);
      for (std::size_t i = 0; i < nv; ++i) {
        step[i] = h * v[i] + h * h / 2 * a[i];
        speed[i] = v[i] + h * a[i];
      }
      system.move(there.data(), step.data());
      system.arrays()[runtime::kPosition] = there.data();
      system.arrays()[runtime::kVelocity] = speed.data();
      double value = 0;
      model.energy.run(model.energy.context, system.arrays(), &value);
      return value;
    };
    for (int pose = 0; pose < 3; ++pose) {
      for (double& x : v) x = uniform(random);
      system.evaluate_dynamics(simulation_.time(), q.data(), v.data());
      system.residual_rate(v.data(), side.data());
      for (double& x : side) x = -x;
      if (!system.solve(zero.data(), side.data(), change.data(), lambda.data())) return;
      for (std::size_t i = 0; i < nv; ++i) v[i] += change[i];
      system.evaluate_dynamics(simulation_.time(), q.data(), v.data());
      for (std::size_t i = 0; i < nc; ++i) side[i] = -system.gamma()[i];
      if (!system.solve(system.force(), side.data(), a.data(), lambda.data())) return;
      constexpr double kStep = 1e-5;
      const double flow = (energy(kStep) - energy(-kStep)) / (2 * kStep);
      double exchanged = 0;  // power that goes to and fro
      for (std::size_t i = 0; i < nv; ++i) exchanged += std::fabs(system.force()[i] * v[i]);
      if (std::fabs(flow) > 1e-5 * (1e-3 + exchanged))
        result_.energy_flow = std::max(result_.energy_flow, std::fabs(flow));
    }
  }

  void describe() {
    Analysis& a = result_.report;
    a.bodies = static_cast<int>(mechanism_.bodies.size());
    a.joints = static_cast<int>(mechanism_.joints.size());
    a.coordinates = s_.nv;
    a.equations = static_cast<int>(s_.rows.size());
    for (const int r : result_.block_ranks) a.rank += r;
    int start_rank = 0;
    for (const int r : start_ranks_) start_rank += r;
    a.mobility = s_.nv - a.rank;
    a.mobility_at_start = s_.nv - start_rank;
    a.start_as_given = mechanism_.solve.start_as_given;
    a.position_residual = simulation_.assembly_report().position_residual;
    a.velocity_residual = simulation_.assembly_report().velocity_residual;
    a.assembly_iterations = simulation_.assembly_report().iterations;
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j)
      (tree_.carries(static_cast<int>(j)) ? a.tree_joints : a.cut_joints)
          .push_back(mechanism_.joints[j].name.text);
    for (const Joint& joint : mechanism_.joints)
      if (!joint.connects_frames()) a.couplings.push_back(joint.name.text);
    std::erase_if(a.cut_joints, [&](const std::string& name) {
      return std::find(a.couplings.begin(), a.couplings.end(), name) != a.couplings.end();
    });
    for (const ExpressionConstraint& c : mechanism_.constraints) a.couplings.push_back(c.name.text);
    for (const Drive& drive : mechanism_.drives) a.drives.push_back(drive.name.text);
    for (const runtime::RowLevel level : kernels_->row_level)
      a.nonholonomic += level == runtime::RowLevel::velocity ? 1 : 0;
    for (const bool prescribed : prescribed_) a.moves_by_itself |= prescribed;
    std::set<int> indeterminate;
    for (const Loop& loop : tree_.loops) a.loops.push_back(describe_loop(loop, indeterminate));
    for (const int j : indeterminate)
      a.indeterminate_joints.push_back(mechanism_.joints[at(j)].name.text);
  }

  // Equations of the loop as its joints count them: those of the closing joint, or of all its
  // joints where every joint is a constraint. Some vanish identically and never became rows; of the
  // rows some may follow from the others.
  LoopReport describe_loop(const Loop& loop, std::set<int>& indeterminate) {
    LoopReport report;
    report.name = loop.name(mechanism_);
    for (const int j : loop.joints) report.joints.push_back(mechanism_.joints[at(j)].name.text);
    report.span = mechanism_.joints[at(loop.closing_joint)].span;
    std::vector<int> rows;
    for (const int j : loop.joints) {
      if (s_.kind == FormulationKind::joint && j != loop.closing_joint) continue;
      const FormulatedJoint& joint = s_.joints[at(j)];
      report.equations += joint.equations;
      rows.insert(rows.end(), joint.rows.begin(), joint.rows.end());
    }
    const int structural = report.equations - static_cast<int>(rows.size());
    const int deficiency = add_to_told(rows);
    report.redundant = structural + deficiency;
    if (structural > 0)
      report.explanation = fmt::format(
          "{} of {} equations hold by themselves because the axes of the loop are aligned (it "
          "moves in a plane or along "
          "a common direction)",
          structural, report.equations);
    if (deficiency > 0)
      report.explanation += fmt::format(
          "{}{} {} from the others at every pose (overconstrained, but mobile by its geometry)",
          report.explanation.empty() ? "" : "; ", deficiency,
          deficiency == 1 ? "equation follows" : "equations follow");
    if (report.redundant > 0) indeterminate.insert(loop.joints.begin(), loop.joints.end());
    return report;
  }

  // How many of these rows follow from each other and from those of the loops before; a row that
  // loops share is told once. So the equations that are kept add up to the rank.
  int add_to_told(const std::vector<int>& rows) {
    const int rank_before = told_rank_;
    const std::size_t rows_before = told_rows_.size();
    told_rows_.insert(rows.begin(), rows.end());
    MatrixXd J(static_cast<int>(told_rows_.size()), s_.nv);
    int i = 0;
    for (const int row : told_rows_) J.row(i++) = regular_jacobian_.row(row);
    told_rank_ = rank_of(J);
    return static_cast<int>(told_rows_.size() - rows_before) - (told_rank_ - rank_before);
  }

  const Formulated& s_;
  const Mechanism& mechanism_;
  const SpanningTree& tree_;
  std::shared_ptr<const SystemKernels> kernels_;
  InterpretedModel interpreted_;
  std::vector<double> memory_;
  runtime::Simulation simulation_;
  Diagnostics& diagnostics_;
  std::vector<int> start_ranks_;
  std::vector<double> row_scales_;
  std::vector<bool> prescribed_;  // by row
  MatrixXd regular_jacobian_;     // scaled rows at a pose of full rank
  std::set<int> told_rows_;       // of the loops described so far
  int told_rank_ = 0;
  NumericAnalysis result_;
};

}  // namespace

std::optional<NumericAnalysis> analyse(const Formulated& system, const Mechanism& mechanism,
                                       const SpanningTree& tree,
                                       const std::shared_ptr<const SystemKernels>& kernels,
                                       Diagnostics& diagnostics) {
  return Analyser(system, mechanism, tree, kernels, diagnostics).run();
}

}  // namespace mechfmu
