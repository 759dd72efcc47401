#include "formulation/system_kernels.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <variant>

#include "formulation/articulated.hpp"
#include "formulation/events.hpp"
#include "formulation/factorisation.hpp"
#include "solvers/rank_revealing.hpp"

namespace mechfmu {

namespace {

using namespace runtime;

constexpr int kFewCoordinates = 7;  // up to here the entries of M are few

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void append(std::vector<Expr>& to, const std::vector<Expr>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// The factors of M, by its entries or by articulated bodies.
struct MassFactor {
  std::variant<SymbolicFactor, ArticulatedFactor> by;
  [[nodiscard]] const std::vector<int>& order() const {
    return std::visit([](const auto& f) -> const std::vector<int>& { return f.order; }, by);
  }
  [[nodiscard]] Expr inverse_pivot(int k) const {
    return std::visit([&](const auto& f) { return f.inverse_pivot[at(k)]; }, by);
  }
};
void solve_lower(const MassFactor& factor, std::vector<Expr>& x) {
  std::visit([&](const auto& f) { mechfmu::solve_lower(f, x); }, factor.by);
}
void solve_upper(const MassFactor& factor, std::vector<Expr>& x) {
  std::visit([&](const auto& f) { mechfmu::solve_upper(f, x); }, factor.by);
}
MassFactor map_factor(const MassFactor& factor, const std::function<Expr(Expr)>& stored) {
  return std::visit([&](const auto& f) { return MassFactor{mechfmu::map_factor(f, stored)}; },
                    factor.by);
}

class KernelBuilder {
 public:
  KernelBuilder(const Formulated& system, const Mechanism& mechanism, const VariablePlan& plan,
                const SolverPlan& solver)
      : s_(system), mechanism_(mechanism), plan_(plan), solver_(solver), g_(*system.graph) {
    k_.nq = s_.nq;
    k_.nv = s_.nv;
    k_.nc = static_cast<int>(s_.rows.size());
    k_.nu = static_cast<int>(s_.input_symbols.size());
    k_.n_memory = static_cast<int>(s_.memory.size());
    add_blocks();
    k_.rank_revealing = solver.rank_revealing || solver.ranks.empty();
    for (const BlockRow& block : k_.blocks) k_.rank_revealing |= block.rank < block.size;
    if (k_.nc == 0) k_.rank_revealing = false;
  }

  SystemKernels build() {
    if (mechanism_.controller) k_.sample = mechanism_.controller->sample;
    fill_tables();
    results_.resize(kKernelCount);
    add_work();
    add_solvers();
    append(results_[kGuess], s_.guess);
    append(results_[kGuess], s_.memory_guess);
    add_starts();
    append(results_[kMemoryUpdate], s_.memory);
    for (const auto& [owner, value] : s_.checks) results_[kChecks].push_back(value);
    for (std::size_t i = 0; i < plan_.computed.size(); ++i) {
      const std::size_t reference = plan_.reals.size() - plan_.computed.size() + i;
      results_[plan_.reals[reference].needs_acceleration ? kOutputsAcceleration : kOutputs]
          .push_back(plan_.computed[i]);
    }
    results_[kMassTimes] = s_.mass_times_acceleration;
    add_linearisation();
    if (solver_.tangents) add_tangents();
    if (k_.has_energy) results_[kEnergy] = {s_.kinetic_energy + s_.potential_energy};
    add_events();
    forget_unused_memory();
    compile();
    return std::move(k_);
  }

 private:
  // Turn counts of joints that nobody asks for are not kept.
  void forget_unused_memory() {
    if (k_.n_memory == 0) return;
    std::vector<Expr> read;
    for (int kernel = 0; kernel < kKernelCount; ++kernel)
      if (kernel != kGuess && kernel != kMemoryUpdate) append(read, results_[at(kernel)]);
    append(read, s_.guess);
    if (depends_on(g_, read, kMemory)) return;
    k_.n_memory = 0;
    results_[kGuess] = s_.guess;
    results_[kMemoryUpdate].clear();
  }

  void add_blocks() {
    const std::vector<int>& component = s_.row_component;
    for (int r = 0; r < k_.nc; ++r) {
      if (r == 0 || component[at(r)] != component[at(r - 1)]) k_.blocks.push_back({r, 0, 0, {}});
      ++k_.blocks.back().size;
    }
    for (std::size_t b = 0; b < k_.blocks.size(); ++b) {
      BlockRow& block = k_.blocks[b];
      block.rank = solver_.ranks.empty() ? block.size : solver_.ranks[b];
      block.name = owner_label(mechanism_, s_.rows[at(block.first)].owner);
    }
  }

  void fill_tables() {
    k_.reals = plan_.reals;
    k_.integers = plan_.integers;
    k_.n_parameters = plan_.n_parameters;
    k_.n_starts = plan_.n_starts;
    k_.n_settings = plan_.n_settings;
    k_.n_computed = static_cast<int>(plan_.computed.size());
    k_.schemes = plan_.schemes;
    k_.integrators = plan_.integrators;
    k_.scheme_choice = plan_.scheme_choice;
    k_.integrator_choice = plan_.integrator_choice;
    k_.step_setting = plan_.step_setting;
    k_.tolerance_setting = plan_.tolerance_setting;
    k_.corrections_setting = plan_.corrections_setting;
    k_.followed = plan_.followed;
    k_.first_state = plan_.first_state;
    k_.first_derivative = plan_.first_derivative;
    k_.has_energy = s_.potential_energy.graph() != nullptr;
    k_.position_of_velocity = s_.position_of_velocity;
    k_.quaternions = s_.quaternions;
    k_.start_as_given = mechanism_.solve.start_as_given;
    k_.row_scale = solver_.row_scales;
    k_.row_scale.resize(s_.rows.size(), 1);
    for (const ConstraintRow& row : s_.rows) {
      k_.constraint_names.push_back(owner_label(mechanism_, row.owner));
      k_.row_level.push_back(row.level);
      const auto own = plan_.compliance.find(owner_name(mechanism_, row.owner));
      k_.row_stiffness.push_back(own == plan_.compliance.end() ? -1 : own->second.first);
      k_.row_damping.push_back(own == plan_.compliance.end() ? -1 : own->second.second);
    }
    for (const auto& [owner, value] : s_.checks)
      k_.check_names.push_back(owner_label(mechanism_, owner));
    k_.filter_setting = plan_.filter_setting;
    k_.tables = g_.tables();
    for (const SparseEntry& e : s_.jacobian)
      k_.nonlinear_rows |= depends_on(g_, e.value, kVelocity);
  }

  // What is left of the residuals of velocities at v = 0; where J depends on v, less J v.
  std::vector<Expr> calc_rates_at_rest() {
    std::vector<Expr> rates;
    Substitution at_rest(g_);
    for (int i = 0; i < k_.nv; ++i) at_rest.replace(g_.symbol(kVelocity, i), g_.number(0));
    std::vector<Expr> products(at(k_.nc), g_.number(0));
    std::vector<bool> nonlinear(at(k_.nc), false);
    for (const SparseEntry& e : s_.jacobian) {
      products[at(e.row)] = products[at(e.row)] + e.value * g_.symbol(kVelocity, e.column);
      if (depends_on(g_, e.value, kVelocity)) nonlinear[at(e.row)] = true;
    }
    for (int r = 0; r < k_.nc; ++r) {
      const Expr rate = s_.rows[at(r)].rate;
      rates.push_back(nonlinear[at(r)] ? rate - products[at(r)] : at_rest.apply(rate));
    }
    return rates;
  }

  // phi, phi_t, J, M, S, weakness, factors; then force and gamma.
  void add_work() {
    std::vector<Expr>& out = results_[kKinematics];
    const auto place = [&](int& offset) { offset = static_cast<int>(out.size()); };
    place(k_.work.phi);
    for (const ConstraintRow& row : s_.rows) out.push_back(row.value);
    place(k_.work.phi_time);
    append(out, calc_rates_at_rest());
    place(k_.work.jacobian);
    add_pattern(k_.jacobian, s_.jacobian, out);
    place(k_.work.mass);
    add_pattern(k_.mass, s_.mass, out);
    if (solver_.elimination && s_.has_mass_entries) {
      k_.elimination = make_elimination(
          {k_.nv, k_.nc, k_.mass, k_.jacobian, k_.work.mass, k_.work.jacobian, find_bodies()},
          *solver_.elimination);
      place(k_.work.schur);
      place(k_.work.weakness);
      place(k_.work.factor);
    } else {
      add_factors(out);
    }
    place(k_.work.kinematics_size);

    std::vector<Expr>& all = results_[kDynamics];
    all = out;
    k_.work.force = static_cast<int>(all.size());
    append(all, s_.force);
    k_.work.gamma = static_cast<int>(all.size());
    append(all, s_.gamma);
    k_.work.motion = -1;
    constexpr int kSmall = 64;  // unknowns: the kernel is there twice, here and by itself
    if (!k_.elimination && !k_.rank_revealing && k_.nv + k_.nc <= kSmall) {
      k_.work.motion = static_cast<int>(all.size());
      std::vector<Expr> f, b;
      for (int k = 0; k < k_.nv; ++k) f.push_back(s_.force[at(mass_.order()[at(k)])]);
      for (const Expr& gamma : s_.gamma) b.push_back(-gamma);
      append(all, solve({mass_, schur_, y_}, reduce({mass_, schur_, y_}, f, b)));
    }
    k_.work.size = static_cast<int>(all.size());
  }

  // Velocities that M couples belong to one body, and in absolute coordinates all those of a body.
  std::vector<int> find_bodies() {
    std::vector<int> leader(at(k_.nv));
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int i) {
      while (leader[at(i)] != i) i = leader[at(i)] = leader[at(leader[at(i)])];
      return i;
    };
    const auto join = [&](int i, int j) { leader[at(find(i))] = find(j); };
    for (const SparseEntry& e : s_.mass) join(e.row, e.column);
    if (s_.tree && s_.kind != FormulationKind::joint)
      for (const TreeNode& node : s_.tree->nodes()) {
        const int count = static_cast<int>(node.state.v.size());
        for (int i = 1; i < count; ++i) join(node.first_velocity, node.first_velocity + i);
        if (count > 0 && node.parent >= 0)
          join(node.first_velocity, s_.tree->nodes()[at(node.parent)].first_velocity);
      }
    std::vector<int> number(at(k_.nv), -1), body;
    int next = 0;
    for (int i = 0; i < k_.nv; ++i) {
      int& n = number[at(find(i))];
      if (n < 0) n = next++;
      body.push_back(n);
    }
    return body;
  }

  // Whichever takes fewer operations for a factor and a solution.
  MassFactor factor_mass() {
    if (!s_.has_mass_entries) return {factor_articulated(*s_.tree, s_.node_mass, k_.nv)};
    MassFactor entries{factor_symbolically(g_, k_.nv, s_.mass)};
    if (!s_.tree || k_.nv < kFewCoordinates || s_.kind != FormulationKind::joint) return entries;
    MassFactor articulated{factor_articulated(*s_.tree, s_.node_mass, k_.nv)};
    return count_operations(articulated) < count_operations(entries) ? articulated : entries;
  }

  int count_operations(const MassFactor& factor) {
    std::vector<Expr> x;
    for (int k = 0; k < k_.nv; ++k) x.push_back(g_.symbol(kForceSide, k));
    solve_lower(factor, x);
    for (int k = 0; k < k_.nv; ++k) x[at(k)] = factor.inverse_pivot(k) * x[at(k)];
    solve_upper(factor, x);
    return make_program(g_, x).operation_count();
  }

  // S and the factors of M and S as straight-line code.
  void add_factors(std::vector<Expr>& out) {
    const auto place = [&](int& offset) { offset = static_cast<int>(out.size()); };
    mass_ = factor_mass();
    std::vector<int> elimination(at(k_.nv));
    for (int i = 0; i < k_.nv; ++i) elimination[at(mass_.order()[at(i)])] = i;
    y_.assign(at(k_.nc), std::vector<Expr>(at(k_.nv), g_.number(0)));
    for (const SparseEntry& e : s_.jacobian) y_[at(e.row)][at(elimination[at(e.column)])] = e.value;
    for (std::vector<Expr>& row : y_) solve_lower(mass_, row);

    std::vector<SparseEntry> schur;
    for (int r = 0; r < k_.nc; ++r)
      for (int c = 0; c <= r; ++c) {
        if (s_.row_component[at(r)] != s_.row_component[at(c)]) continue;
        Expr sum = g_.number(0);
        for (int i = 0; i < k_.nv; ++i)
          if (!y_[at(r)][at(i)].is_zero() && !y_[at(c)][at(i)].is_zero())
            sum = sum + y_[at(r)][at(i)] * mass_.inverse_pivot(i) * y_[at(c)][at(i)];
        if (!sum.is_zero()) schur.push_back({r, c, sum});
      }
    place(k_.work.schur);
    add_pattern(k_.schur, schur, out);

    Expr weakness = g_.number(k_.nc == 0 ? 1 : 0);
    if (k_.nc > 0 && !k_.rank_revealing) {
      schur_ = factor_symbolically(g_, k_.nc, schur);
      std::vector<Expr> diagonal(at(k_.nc), g_.number(0));
      for (const SparseEntry& e : schur)
        if (e.row == e.column) diagonal[at(e.row)] = e.value;
      std::vector<Expr> margins;
      for (int k = 0; k < k_.nc; ++k)
        margins.push_back(schur_.pivot[at(k)] - kRankCutoff * diagonal[at(schur_.order[at(k)])]);
      weakness = smallest(std::move(margins));
    }
    place(k_.work.weakness);
    out.push_back(weakness);
    place(k_.work.factor);
    store_factors(out);
  }

  // In pairs, and these in pairs again: what has to wait for each other grows like log n only.
  Expr smallest(std::vector<Expr> list) {
    while (list.size() > 1) {
      std::vector<Expr> half;
      for (std::size_t i = 0; i + 1 < list.size(); i += 2)
        half.push_back(g_.make(Op::min, list[i], list[i + 1]));
      if (list.size() % 2 != 0) half.push_back(list.back());
      list = std::move(half);
    }
    return list.front();
  }

  static void add_pattern(Pattern& pattern, const std::vector<SparseEntry>& entries,
                          std::vector<Expr>& out) {
    for (const SparseEntry& e : entries) {
      pattern.row.push_back(e.row);
      pattern.column.push_back(e.column);
      out.push_back(e.value);
    }
  }

  // Constants and what depends on parameters alone need no room in the workspace.
  void store_factors(std::vector<Expr>& out) {
    std::unordered_map<NodeId, Expr> known;
    const auto stored = [&](Expr e) {
      if (e.is_constant()) return e;
      const bool negative = e.node().op == Op::negate;
      if (negative) e = Expr(&g_, e.node().a);
      const auto [slot, fresh] = known.try_emplace(e.id(), e);
      if (fresh && !depends_on_parameters_only(e)) {
        slot->second = g_.symbol(kWork, static_cast<int>(out.size()));
        out.push_back(e);
      }
      return negative ? -slot->second : slot->second;
    };
    stored_mass_ = map_factor(mass_, stored);
    stored_schur_ = map_factor(schur_, stored);
    stored_y_ = y_;
    for (std::vector<Expr>& row : stored_y_)
      for (Expr& e : row) e = stored(e);
  }

  // Operands come before their nodes, so one pass over the new part of the graph suffices.
  bool depends_on_parameters_only(Expr e) {
    for (NodeId id = static_cast<NodeId>(moves_.size()); id < g_.size(); ++id) {
      const Node& n = g_.node(id);
      const int count = operand_count(n.op);
      bool moves = n.op == Op::symbol && n.a != kParameter && n.a != kConstant;
      if (count > 0) moves |= moves_[n.a];
      if (count > 1) moves |= moves_[n.b];
      if (count > 2) moves |= moves_[n.c];
      moves_.push_back(moves);
    }
    return !moves_[e.id()];
  }

  // Factors of M = L D L^T in its order and of S, and Y = L^-1 J^T.
  struct Factors {
    const MassFactor& mass;
    const SymbolicFactor& schur;
    const std::vector<std::vector<Expr>>& y;
  };
  struct Reduced {
    std::vector<Expr> y, g;
  };

  // y = L^-1 f with f in the order of elimination, g = Y^T D^-1 y - b
  Reduced reduce(const Factors& factors, const std::vector<Expr>& f, const std::vector<Expr>& b) {
    Reduced side{f, {}};
    solve_lower(factors.mass, side.y);
    for (int r = 0; r < k_.nc; ++r) {
      Expr sum = -b[at(r)];
      const std::vector<Expr>& row = factors.y[at(r)];
      for (int k = 0; k < k_.nv; ++k)
        if (!row[at(k)].is_zero())
          sum = sum + row[at(k)] * (factors.mass.inverse_pivot(k) * side.y[at(k)]);
      side.g.push_back(sum);
    }
    return side;
  }

  // S lambda = g; then a and lambda
  std::vector<Expr> solve(const Factors& factors, const Reduced& side) {
    std::vector<Expr> lambda(at(k_.nc), g_.number(0));
    if (k_.nc > 0 && !k_.rank_revealing) {
      const SymbolicFactor& schur = factors.schur;
      std::vector<Expr> x;
      for (int k = 0; k < k_.nc; ++k) x.push_back(side.g[at(schur.order[at(k)])]);
      solve_lower(schur, x);
      for (int k = 0; k < k_.nc; ++k) x[at(k)] = schur.inverse_pivot[at(k)] * x[at(k)];
      solve_upper(schur, x);
      for (int k = 0; k < k_.nc; ++k) lambda[at(schur.order[at(k)])] = x[at(k)];
    }
    std::vector<Expr> solution = back_substitute(factors, side.y, lambda);
    append(solution, lambda);
    return solution;
  }

  // a = L^-T D^-1 (y - Y lambda)
  std::vector<Expr> back_substitute(const Factors& factors, const std::vector<Expr>& y,
                                    const std::vector<Expr>& lambda) {
    std::vector<Expr> x = y;
    for (int r = 0; r < k_.nc; ++r)
      for (int k = 0; k < k_.nv; ++k)
        if (!factors.y[at(r)][at(k)].is_zero())
          x[at(k)] = x[at(k)] - factors.y[at(r)][at(k)] * lambda[at(r)];
    for (int k = 0; k < k_.nv; ++k) x[at(k)] = factors.mass.inverse_pivot(k) * x[at(k)];
    solve_upper(factors.mass, x);
    std::vector<Expr> a(at(k_.nv), g_.number(0));
    for (int k = 0; k < k_.nv; ++k) a[at(factors.mass.order()[at(k)])] = x[at(k)];
    return a;
  }

  void add_solvers() {
    if (k_.elimination) return;
    const Factors stored{stored_mass_, stored_schur_, stored_y_};
    std::vector<Expr> f, b;
    for (int k = 0; k < k_.nv; ++k) f.push_back(g_.symbol(kForceSide, stored_mass_.order()[at(k)]));
    for (int r = 0; r < k_.nc; ++r) b.push_back(g_.symbol(kConstraintSide, r));
    const Reduced side = reduce(stored, f, b);
    append(results_[kReduce], side.y);
    append(results_[kReduce], side.g);
    results_[kSolve] = solve(stored, side);

    std::vector<Expr> given_y, given_lambda;
    for (int k = 0; k < k_.nv; ++k) given_y.push_back(g_.symbol(kForceSide, k));
    for (int r = 0; r < k_.nc; ++r) given_lambda.push_back(g_.symbol(kConstraintSide, r));
    results_[kExpand] = back_substitute(stored, given_y, given_lambda);
  }

  // Only for integrators that ask for it: it may be as large as the dynamics themselves.
  void add_linearisation() {
    const bool wanted = std::any_of(
        plan_.integrators.begin(), plan_.integrators.end(),
        [](const std::string& id) { return find_integrator_type(id)->needs_derivatives(); });
    if (!wanted) return;
    std::vector<Expr> columns;
    for (int i = 0; i < k_.nq; ++i) columns.push_back(g_.symbol(kPosition, i));
    for (int i = 0; i < k_.nv; ++i) columns.push_back(g_.symbol(kVelocity, i));
    columns.push_back(time_symbol(g_));
    add_pattern(k_.linear, jacobian(g_, residual_rows(), columns), results_[kLinearise]);
  }

  // f - M a - J^T lambda and -(gamma + J a).
  std::vector<Expr> residual_rows() {
    std::vector<Expr> rows = s_.force;
    const auto a = [&](int i) { return g_.symbol(kAcceleration, i); };
    for (std::size_t i = 0; i < s_.mass_times_acceleration.size(); ++i)
      rows[i] = rows[i] - s_.mass_times_acceleration[i];
    for (const SparseEntry& e : s_.mass) {
      rows[at(e.row)] = rows[at(e.row)] - e.value * a(e.column);
      if (e.row != e.column) rows[at(e.column)] = rows[at(e.column)] - e.value * a(e.row);
    }
    for (const Expr& gamma : s_.gamma) rows.push_back(-gamma);
    for (const SparseEntry& e : s_.jacobian) {
      rows[at(e.column)] = rows[at(e.column)] - e.value * g_.symbol(kMultiplier, e.row);
      rows[at(k_.nv + e.row)] = rows[at(k_.nv + e.row)] - e.value * a(e.column);
    }
    return rows;
  }

  // Everything that can move, along the symbols of the rates; a and lambda only if `solved`.
  Direction make_direction(bool solved) {
    Direction direction(g_, AtKinks::zero);
    const auto seed = [&](int array, int rate, int count) {
      for (int i = 0; i < count; ++i) direction.seed(g_.symbol(array, i), g_.symbol(rate, i));
    };
    seed(kTime, kTimeRate, 1);
    seed(kPosition, kPositionRate, k_.nq);
    seed(kVelocity, kVelocityRate, k_.nv);
    seed(kInput, kInputRate, k_.nu);
    seed(kReference, kReferenceRate, 3 * k_.nu);
    seed(kReferenceThird, kReferenceThirdRate, k_.nu);
    seed(kParameter, kParameterRate, k_.n_parameters);
    seed(kStart, kStartRate, k_.n_starts);
    if (solved) {
      seed(kAcceleration, kAccelerationRate, k_.nv);
      seed(kMultiplier, kMultiplierRate, k_.nc);
    }
    return direction;
  }

  void add_tangents() {
    Direction fixed = make_direction(false);
    for (const Expr& row : residual_rows()) results_[kTangentRows].push_back(fixed.derivative(row));
    std::vector<Expr>& conditions = results_[kTangentConditions];
    for (const ConstraintRow& row : s_.rows) conditions.push_back(fixed.derivative(row.value));
    for (const ConstraintRow& row : s_.rows) conditions.push_back(fixed.derivative(row.rate));
    for (const StartRow& row : s_.start_rows) conditions.push_back(fixed.derivative(row.error));
    Direction solved = make_direction(true);
    for (const Expr& value : plan_.computed)
      results_[kTangentOutputs].push_back(solved.derivative(value));
  }

  // Conditions of the motion are held while a step is made; see formulation/events.hpp.
  void add_events() {
    std::vector<Expr> motion = s_.force;
    append(motion, s_.gamma);
    for (const SparseEntry& e : s_.mass) motion.push_back(e.value);
    append(motion, s_.mass_times_acceleration);
    for (const SparseEntry& e : s_.jacobian) motion.push_back(e.value);
    for (const ConstraintRow& row : s_.rows) append(motion, {row.value, row.rate});
    const EventPlan events = find_events(g_, motion);
    k_.n_indicators = static_cast<int>(events.indicators.size());
    results_[kIndicators] = events.indicators;
    append(results_[kIndicators], events.conditions);
    for (std::size_t i = events.conditions.size(); i < events.indicators.size(); ++i)
      results_[kIndicators].push_back(less(events.indicators[i], g_.number(0)));
    k_.n_modes = static_cast<int>(events.conditions.size());
    if (events.conditions.empty()) return;
    Substitution hold(g_);
    for (std::size_t i = 0; i < events.conditions.size(); ++i)
      hold.replace(events.conditions[i], g_.symbol(kMode, static_cast<int>(i)));
    for (const KernelId kernel :
         {kKinematics, kDynamics, kLinearise, kTangentRows, kTangentConditions})
      for (Expr& result : results_[kernel]) result = hold.apply(result);
  }

  void add_starts() {
    std::vector<Expr> errors, rates, v;
    for (const StartRow& row : s_.start_rows) {
      errors.push_back(row.error);
      rates.push_back(row.rate);
      k_.conditions.push_back({row.name, row.velocity, row.fixed});
    }
    for (int i = 0; i < k_.nv; ++i) v.push_back(g_.symbol(kVelocity, i));
    append(results_[kStarts], errors);
    add_pattern(k_.condition_jacobian, jacobian(g_, rates, v), results_[kStarts]);
    group_for_assembly();
  }

  // Coordinates that constraint rows and start conditions tie together; a row that reads none is a
  // group of its own.
  void group_for_assembly() {
    const int rows = k_.nc + static_cast<int>(k_.conditions.size());
    std::vector<int> leader(at(k_.nv + rows));
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int i) {
      while (leader[at(i)] != i) i = leader[at(i)] = leader[at(leader[at(i)])];
      return i;
    };
    const auto join = [&](const Pattern& pattern, int first_row) {
      for (std::size_t k = 0; k < pattern.row.size(); ++k)
        leader[at(find(k_.nv + first_row + pattern.row[k]))] = find(pattern.column[k]);
    };
    join(k_.jacobian, 0);
    join(k_.condition_jacobian, k_.nc);

    std::vector<int> group_of(leader.size(), -1);
    const auto number = [&](int i) {
      int& g = group_of[at(find(i))];
      if (g < 0) {
        g = static_cast<int>(k_.groups.size());
        k_.groups.push_back({0, 0, 0, 0, 0});
      }
      return g;
    };
    for (int j = 0; j < k_.nv; ++j) k_.column_place.push_back(k_.groups[at(number(j))].columns++);
    for (int r = 0; r < rows; ++r) {
      k_.row_group.push_back(number(k_.nv + r));
      ++k_.groups[at(k_.row_group.back())].rows;
    }
    int column = 0, row = 0, matrix = 0;
    for (runtime::AssemblyGroup& g : k_.groups) {
      g.first_column = column;
      g.first_row = row;
      g.matrix = matrix;
      column += g.columns;
      row += g.rows;
      matrix += g.rows * g.columns;
    }
    k_.assembly_columns.assign(at(k_.nv), 0);
    for (int j = 0; j < k_.nv; ++j)
      k_.assembly_columns[at(k_.groups[at(group_of[at(find(j))])].first_column +
                             k_.column_place[at(j)])] = j;
  }

  // Everything that depends on parameters alone is computed once, by `prepare`.
  void compile() {
    std::vector<Expr> all;
    for (const std::vector<Expr>& results : results_) append(all, results);
    const std::vector<Expr> constants = hoist(g_, all, kParameter, kConstant);
    results_[kPrepare] = constants;
    k_.n_constants = static_cast<int>(constants.size());
    auto next = all.begin();
    for (int id = 0; id < kKernelCount; ++id) {
      if (id != kPrepare)
        for (Expr& result : results_[at(id)]) result = *next++;
      k_.programs.push_back(make_program(g_, results_[at(id)]));
    }
  }

  const Formulated& s_;
  const Mechanism& mechanism_;
  const VariablePlan& plan_;
  const SolverPlan& solver_;
  Graph& g_;
  SystemKernels k_;
  std::vector<std::vector<Expr>> results_;
  MassFactor mass_, stored_mass_;
  SymbolicFactor schur_, stored_schur_;
  std::vector<std::vector<Expr>> y_, stored_y_;
  std::vector<bool> moves_;  // by node: depends on more than parameters
};

}  // namespace

std::string_view kernel_name(int kernel) {
  static constexpr std::array<std::string_view, kKernelCount> kNames = {
      "prepare",         "guess",        "kinematics",
      "dynamics",        "solve",        "reduce",
      "expand",          "starts",       "memory",
      "checks",          "outputs",      "outputs_acceleration",
      "linearise",       "tangent_rows", "tangent_conditions",
      "tangent_outputs", "energy",       "indicators",
      "mass_times"};
  return kNames[at(kernel)];
}

SystemKernels make_kernels(const Formulated& system, const Mechanism& mechanism,
                           const VariablePlan& plan, const SolverPlan& solver) {
  return KernelBuilder(system, mechanism, plan, solver).build();
}

}  // namespace mechfmu
