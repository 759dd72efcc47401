// Consistent positions and velocities at the start: the constraints and the fixed start values
// hold, guesses are moved as little as possible, what nobody asked for moves last.
//
// Each iteration solves three problems, one inside the freedom that the one before leaves:
//
//     hard     J dq = -phi,  C dq = -(fixed conditions)             least change of coordinates
//     soft     min |G dq + (guesses)|                               least squares, lightly
//     regularised rest     dq = 0
//
// Velocities are the same with phi_dot = J v + phi_t, the nonholonomic rows and the conditions on
// rates; being linear they need no repetition unless a nonholonomic row is nonlinear in them.
#pragma once
#include "schemes/scheme.hpp"

namespace mechfmu::runtime {

struct AssemblyReport {
  double position_residual = 0;
  double velocity_residual = 0;
  int iterations = 0;
};

class Assembly {
 public:
  Assembly(const Model& model, Arena& arena);

  // q, v and memory are filled (memory is what the system reads as kMemory). False: failure says
  // which joint or start value cannot be satisfied and by how much.
  bool run(System& system, double t, double* q, double* v, double* memory, AssemblyReport& report,
           Failure& failure);

  // How the consistent q and v move with what the arrays ...Rate of the system say of time,
  // parameters, starts and inputs (implicit function theorem): dq in velocity space. Guesses are
  // followed in the least-squares sense, as the assembly itself does.
  bool calc_tangent(System& system, double t, const double* q, const double* v, double* dq,
                    double* dv);

 private:
  // Rows of all groups, those of one side by side; see AssemblyGroup.
  struct Rows {
    double* matrix;
    double* residual;
    int* source;  // constraint row, or nc + condition
    int* count;   // [n_groups]
  };

  void evaluate(System& system, double t, const double* q, const double* v, bool velocity_level);
  // The new row of `columns` zeros.
  double* add_row(Rows& rows, int source, double residual) const;
  bool calc_step(bool with_guesses);  // fills step_; false if not finite
  void calc_step_of(const AssemblyGroup& group, bool with_guesses);
  [[nodiscard]] double largest_residual() const;  // of the hard rows; nan if any is
  // act(row of the set, its source, its numbers, their count) for every row there is
  template <class Act>
  void for_each_row(const Rows& rows, Act act) const;
  bool calc_tangent_level(System& system, double t, const double* q, const double* v,
                          bool velocity_level, double* change);
  // From q to a pose where the hard rows hold; the residual that is left.
  double find_pose(System& system, double t, double* q, const double* v, double* memory,
                   int& iterations);
  bool solve_positions(System& system, double t, double* q, double* v, double* memory,
                       AssemblyReport& report);
  bool take_start_velocities(System& system, double t, const double* q, double* v);
  bool solve_velocities(System& system, double t, const double* q, double* v,
                        AssemblyReport& report);
  bool fail(const char* level, Failure& failure) const;
  // Whether it is the loops or the fixed starts that cannot be had.
  bool fail_positions(System& system, double t, double* q, double* v, double* memory,
                      Failure& failure);
  bool fail_start(const char* level, int condition, double error, Failure& failure) const;
  void update_memory(System& system, const double* q, double* memory);

  const Model& model_;
  bool fixed_are_guesses_ = false;
  Rows hard_, soft_;
  double* rates_;             // [nc]
  double* condition_values_;  // errors, then Jacobian entries
  double* new_memory_;
  double* first_q_;
  double* best_q_;
  double* step_;
  double* local_;      // [columns of a group] of step_
  double* gram_;       // [rows * rows] of a group
  double* soft_gram_;  // [rows * rows]
  double* checks_;     // [n_checks]
  double* tangent_;    // [2 nc + n_conditions]
  double* vectors_;    // [8 * rows] of a group, scratch of the two factorisations
};

inline constexpr double kAssemblyTolerance = 1e-12;

}  // namespace mechfmu::runtime
