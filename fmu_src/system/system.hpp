// The system concept: what every scheme, integrator and solver is written against.
//
//     q_dot = N(q) v        M(q) a + J(q)^T lambda = f(t, q, v)        phi(t, q) = 0
//     d phi/dt = J v + phi_t                                           d2 phi/dt2 = J a + gamma
//
// Nonholonomic rows psi(t, q, v) = 0 have no phi and enter one level higher: psi = J v + phi_t,
// d psi/dt = J a + gamma. Rows that are nonlinear in v have J and phi_t that depend on v.
//
// A System evaluates these at a state and solves the saddle-point equations there. How that is done
// (straight-line code, an interpreter, a direct or a rank-revealing factor) cannot be seen from
// outside.
#pragma once
#include <cstddef>

#include "solvers/elimination.hpp"
#include "system/arena.hpp"
#include "system/input_signals.hpp"
#include "system/model.hpp"

namespace mechfmu::runtime {

double largest(const double* x, int n);  // max |x_i|; nan if any is
bool all_finite(const double* x, int n);

class System {
 public:
  System(const Model& model, Arena& arena);
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  const Model& model;
  const int nq, nv, nc;

  // Values that the kernels read besides the state; set by the owner.
  void bind(const double* parameters, const double* starts, const InputSignals* inputs,
            const double* memory, double* statistics, double* modes);
  void evaluate_inputs(double t);  // what the kernels read as kInput and kReference
  void hold_inputs(bool hold) { inputs_held_ = hold; }  // they are the same at all times
  void rebind_time() { in_[kTime] = &time_; }           // after an owner pointed kTime elsewhere
  void prepare();  // constants from parameters: after every change of a parameter

  // phi, phi_t, J, M and its factor; v matters only where rows are nonlinear in it
  void evaluate_kinematics(double t, const double* q, const double* v);
  void evaluate_dynamics(double t, const double* q, const double* v);  // and f, gamma

  // Event indicators and conditions [2 n_indicators] at a state; see Model::indicators.
  const double* evaluate_indicators(double t, const double* q, const double* v);
  // Conditions of the motion follow every evaluation, unless they are held as they are.
  void hold_conditions(bool hold) { held_ = hold; }
  [[nodiscard]] bool holds_conditions() const { return held_; }

  [[nodiscard]] const double* phi() const { return work_ + model.work.phi; }
  [[nodiscard]] const double* phi_time() const { return work_ + model.work.phi_time; }
  [[nodiscard]] const double* gamma() const { return work_ + model.work.gamma; }
  [[nodiscard]] const double* force() const { return work_ + model.work.force; }
  [[nodiscard]] const double* jacobian() const { return work_ + model.work.jacobian; }
  [[nodiscard]] const double* mass() const { return work_ + model.work.mass; }
  [[nodiscard]] const double* schur() const { return work_ + model.work.schur; }

  void jacobian_times(const double* v, double* result) const;                // J v [nc]
  void add_jacobian_transposed(const double* lambda, double* result) const;  // += J^T lambda [nv]
  void residual_rate(const double* v,
                     double* result) const;  // J v + phi_t [nc], 0 in acceleration rows

  // [M J^T; J 0] [a; lambda] = [force; constraint] at the last evaluation. Redundant rows: the
  // independent ones are satisfied, with the lambda of minimum norm. False: not finite.
  bool solve(const double* force_side, const double* constraint_side, double* a, double* lambda);
  // The motion at the last evaluate_dynamics(): force() and -gamma() on the right-hand side.
  bool accelerate(double* a, double* lambda);
  // [M J^T; J 0] with the position rows alone, for displacements.
  bool solve_positions(const double* constraint_side, double* x, double* lambda);

  // [M J^T; J -C] [a; lambda] = [force; constraint]: rows that give way in proportion to their
  // multiplier, C = diag(compliance) [nc] > 0. The matrix is regular whatever the rank of J.
  bool solve_compliant(const double* force_side, const double* constraint_side,
                       const double* compliance, double* a, double* lambda);
  bool solve_mass(const double* force_side, double* a);  // M a = force
  void mass_times(const double* v, double* result);      // M v [nv]

  // The change of coordinates of least Euclidean norm with J x = side; used by projections in that
  // norm.
  bool solve_euclidean(const double* side, double* x, bool position_rows_only);

  void position_rate(const double* q, const double* v, double* q_dot) const;  // N(q) v
  void move(double* q,
            const double* step) const;  // q along the finite step `step` [nv] in velocity space
  void normalise(double* q) const;      // unit quaternions
  // The small step [nv] that moves `from` to `to`, for first-order use.
  void displacement(const double* from, const double* to, double* step) const;

  // Value array access for kernels of the owner (outputs, starts, memory, guess).
  [[nodiscard]] const double** arrays() { return in_; }
  [[nodiscard]] double* statistics() { return statistics_; }

  // The constraint whose equations at the last evaluation are not finite, or which vanishes where
  // it should not; null if none.
  [[nodiscard]] const char* find_culprit() const;
  // Where a loop lost rank first: its name, null if none did, and the time.
  [[nodiscard]] const char* lost_rank() const { return lost_rank_; }
  [[nodiscard]] double lost_rank_time() const { return lost_rank_time_; }
  void forget_lost_rank() { lost_rank_ = nullptr; }

  // The direction of the tangent kernels: all rates zero, then some set by the owner.
  struct Rates {
    double* time;             // [1]
    double* position;         // [nq]
    double* velocity;         // [nv]
    double* input;            // [nu]
    double* reference;        // [3 nu]
    double* reference_third;  // [nu]
    double* parameter;        // [n_parameters]
    double* start;            // [n_starts]
    double* acceleration;     // [nv]
    double* multiplier;       // [nc]
  };
  [[nodiscard]] const Rates& rates() const { return rates_; }
  void clear_rates();
  void set_position_rate(const double* q, const double* dq);  // N(q) dq; null: none
  // da and dlambda of M a + J^T lambda = f, J a = -gamma at (a, lambda), in the direction of the
  // rates; the system is evaluated there. First the right-hand sides, of which those of the
  // constraints may be changed, then the solution into rates().acceleration and .multiplier.
  void calc_tangent_rows(const double* a, const double* lambda);
  [[nodiscard]] double* tangent_side() { return tangent_ + nv; }  // [nc]
  bool solve_tangent(const double* lambda);

  void get_schur_diagonal(double* diagonal);  // S = J M^-1 J^T [nc] at the last evaluation

  // How far the last solution was from losing rank: the least pivot of S, each in units of its row
  // at regular poses, about the square of the distance to a singular one. Large ones are not
  // computed exactly.
  double calc_weakness();

  // Redundant rows that contradict each other: in the least-squares sense, or the pivot rows alone.
  void meet_all_rows(bool all) { meets_all_rows_ = all; }

  // Of redundant rows the next solution chooses which are met, and the following ones keep the
  // choice until they are released: between the stages of a step it must not change.
  void hold_pivots(bool hold) {
    holds_pivots_ = hold;
    has_pivots_ = false;
  }

  // Which constraint is violated most, for messages.
  [[nodiscard]] const char* worst_constraint(const double* residual) const;

 private:
  void set_place(double t, const double* q, const double* v);
  // y and g of S lambda = g into reduced_, a from y and lambda: by kernels or by tables.
  void reduce(const double* force_side, const double* constraint_side);
  void expand(const double* lambda, double* a);
  void factor_mass();  // by tables, once per evaluation
  bool factor_multipliers(const double* compliance);
  [[nodiscard]] double bound_weakness() const;
  bool solve_multipliers(double* lambda);  // with the factor that is there

  void add_null_tangent(const double* lambda);
  bool solve_rank_revealing(const double* force_side, const double* constraint_side, double* a,
                            double* lambda, bool position_rows_only);
  int fill_block(const SchurBlock& block, int next, bool position_rows_only);
  [[nodiscard]] bool takes(int row, bool position_rows_only) const {
    return !position_rows_only || model.row_level[row] == RowLevel::position;
  }

  enum class Factored { nothing, mass, rigid, compliant };

  double time_ = 0;
  Factored factored_ = Factored::nothing;
  EliminationFactor factor_;
  const double* in_[kInputArrayCount];
  double* constants_;
  double* work_;
  double* solution_;  // [nv + nc]
  double* dense_;     // largest block squared
  double* reduced_;   // [nv + nc]
  double* scratch_;   // [4 * largest block + largest block squared]
  double* statistics_ = nullptr;
  const InputSignals* inputs_ = nullptr;
  double* input_;            // [nu]
  double* reference_;        // [3 nu]
  double* zeros_;            // [nv]
  double* modes_ = nullptr;  // [n_indicators]
  double* indicators_;       // [2 n_indicators]
  bool held_ = false;
  bool inputs_held_ = false;
  Rates rates_;
  int rates_size_;
  double* tangent_;          // [nv + nc]
  double* reference_third_;  // [nu]
  double* compliance_;       // [nc] of the factor
  double* no_multiplier_;    // [nc]
  int largest_block_ = 0;
  bool meets_all_rows_ = false;
  double largest_scale_ = 0;
  bool moves_as_it_is_;  // q_dot = v
  double* side_;         // [nc]
  double* pivots_;       // [nc] of the step, block by block
  bool holds_pivots_ = false;
  bool has_pivots_ = false;
  const char* lost_rank_ = nullptr;
  double lost_rank_time_ = 0;
};

}  // namespace mechfmu::runtime
