// What the generator hands to the runtime: sizes, kernels, tables. One constant Model per FMU; no
// code here.
//
// A kernel is straight-line code made from the expression graph. All kernels have one shape, so
// that the same Model can be compiled (an FMU) or interpreted (mechfmu check, tests): in[] holds
// one array per InputArray, out is filled.
#pragma once
#include <cstddef>
#include <cstdint>

namespace mechfmu::runtime {

enum InputArray : int {
  kTime,              // [1]
  kPosition,          // q [nq]
  kVelocity,          // v [nv]
  kInput,             // u [nu]
  kReference,         // inputs as constraints see them [3 nu]: value, first, second derivative
  kConstant,          // what `prepare` computed from the parameters [n_constants]
  kMemory,            // continuous joint angles of the last completed step [n_memory]
  kAcceleration,      // a = dv/dt [nv]
  kMultiplier,        // lambda [nc]
  kParameter,         // p [np]
  kStart,             // start values [n_starts]
  kWork,              // workspace filled by `kinematics` or `dynamics`
  kForceSide,         // right-hand side of the force rows [nv]
  kConstraintSide,    // right-hand side of the constraint rows [nc]
  kStatistics,        // see enum Statistic
  kSchemeMultiplier,  // the scheme's own multipliers [nc], then their time
  kReferenceThird,    // third derivatives of the inputs as constraints see them [nu]
  kMode,              // conditions as they are held [n_indicators], see Model::indicators
  kScratch,           // no input: memory of rolled kernels [n_scratch]

  // How the arrays above move, for the tangent kernels: their derivatives in one direction.
  kTimeRate,
  kPositionRate,
  kVelocityRate,
  kInputRate,
  kReferenceRate,
  kReferenceThirdRate,
  kParameterRate,
  kStartRate,
  kAccelerationRate,
  kMultiplierRate,
  kInputArrayCount
};

// Counters since initialization, readable as sensors solver.*
enum Statistic : int { kSteps, kEvaluations, kProjections, kRankLosses, kStatisticCount };

// [1/s] How fast constraint errors decay in model exchange, lengths of quaternions included.
inline constexpr double kExchangeGain = 10;

struct Kernel {
  void (*run)(const void* context, const double* const* in, double* out);
  const void* context;
};

// Entries of a sparse matrix in the order in which the kernels store them.
struct SparsePattern {
  int count;
  const int* row;
  const int* column;
};

// A unit quaternion (scalar first) inside q, driven by three angular velocity components in child
// axes inside v.
struct QuaternionSlot {
  int q;
  int v;
};

// Rows of the Schur complement S = J M^-1 J^T fall into blocks that do not couple (one per group of
// loops).
struct SchurBlock {
  int first;  // rows are numbered so that a block is contiguous
  int size;
  int rank;          // the rank found by the analysis at regular poses; more is never used
  const char* name;  // "loop A-B-C-D", for messages
};

// Elimination by tables instead of straight-line code, for solvers `sparse` and
// `divide_and_conquer`. The unknowns (a, lambda) of [M J^T; J -c] are eliminated in the order
// `place`, accelerations first, so that what is left of the multipliers is -(S + c).
//
// L of the factor L D L^T has a pattern that is known when the FMU is built: by columns, and the
// same entries by rows.
struct EliminationTables {
  const int* place;         // [nv + nc] of an unknown
  const int* column_start;  // [nv + nc + 1]
  const int* column_row;    // places of the rows, ascending
  const int* row_start;     // [nv + nc + 1]
  const int* row_column;    // places of the columns, ascending
  const int* row_slot;      // where the entry is among those by columns
  const int* entry_start;   // [nv + nc + 1] entries of M and J by rows: their columns (places) and
  const int* entry_column;  // where they are in the workspace
  const int* entry_source;

  // divide_and_conquer: a binary tree of bodies, children before their parents. There L has no
  // columns of multipliers; they are in the fronts.
  int n_fronts;
  const struct Front* fronts;
  const int* front_rows;  // places of rows less nv
  const int* front_map;
  int front_memory;  // numbers that all fronts take
};

// One node of the tree: the rows that touch its bodies. Those that touch no others are eliminated
// here, the rest is handed to the parent.
struct Front {
  int left, right;             // children, -1 for the leaves
  int first_column, columns;   // a leaf: accelerations of its body
  int rows, size, eliminated;  // into front_rows; the eliminated ones come first
  int map;     // into front_map: local numbers of the rows of each column, or of what the children
               // hand over
  int matrix;  // [size * size] into the memory of the fronts
};

// A start condition: joint coordinate k shall have the value of start parameter `value` (see
// kStart).
struct StartCondition {
  bool velocity;     // a condition on the rate
  bool fixed;        // must hold; otherwise a guess that is moved as little as possible
  const char* name;  // "A.position"
};

// Coordinates that constraints and start conditions tie together. Groups are assembled one by one:
// a chain of n free joints is n problems with one unknown.
struct AssemblyGroup {
  int first_column, columns;  // into Model::assembly_columns
  int first_row, rows;        // at most so many constraint rows and conditions
  int matrix;                 // where its rows * columns numbers begin
};

// Offsets into the workspace that `kinematics` and `dynamics` fill (first `kinematics_size`, then
// the rest).
struct WorkLayout {
  int phi;       // [nc] residual of position rows, 0 for the others
  int phi_time;  // [nc] J v + phi_time is the residual of velocities
  int jacobian;  // [jacobian.count]
  int mass;      // [mass.count], lower triangle
  int schur;     // [schur.count], lower triangle of J M^-1 J^T; none with EliminationTables
  int weakness;  // > 0: every pivot of the Schur factor is safely above its rounding level
  int factor;    // what `solve` needs
  int kinematics_size;
  int force;   // [nv] generalised force with the velocity terms: M a + J^T lambda = force
  int gamma;   // [nc] J a + gamma = residual of accelerations
  int motion;  // [nv + nc] a and lambda with J a = -gamma; -1: not part of the kernel
  int size;
};

// At which level a constraint row begins. A position row (holonomic) has a residual phi and its
// derivatives; a velocity row (nonholonomic) has psi(t, q, v) = 0 and its derivative; an
// acceleration row prescribes an acceleration and nothing before.
enum class RowLevel : std::uint8_t { position, velocity, acceleration };

enum class VariableKind : std::uint8_t { parameter, start, setting, input, computed };

struct RealVariable {  // index = value reference = position in the instance's value array
  const char* name;
  double start;     // XML start value; of a state its nominal value; unused for the others computed
  double min, max;  // checked when set
  VariableKind kind;
  bool needs_acceleration;  // computed ones: reads a or lambda
  bool tunable;             // may be set between steps
};

struct IntegerVariable {  // an integer or enumeration parameter, stored among the real settings
  const char* name;
  int setting;  // value reference of the real setting that holds it
  int min, max;
};

struct Scheme;      // schemes/scheme.hpp
struct Integrator;  // integrators/integrator.hpp

inline constexpr int kSchemeParameters = 12;

// A scheme that the FMU offers, and where its parameters are.
struct SchemeEntry {
  const Scheme* scheme;
  int parameter[kSchemeParameters];  // value references, in the order of schemes.def
};

struct Model {
  const char* name;
  const char* guid;

  int nq, nv, nc, nu;
  int n_constants, n_memory;

  // value array: parameters, starts, settings, inputs, computed, in this order; value reference =
  // index
  int n_parameters, n_starts, n_settings, n_computed;
  const RealVariable* reals;
  int n_integers;
  const IntegerVariable* integers;

  Kernel prepare;  // kParameter -> constants
  Kernel guess;    // kConstant, kStart -> q0 [nq] and memory [n_memory]: where the assembly begins
  Kernel kinematics;  // kTime kPosition kReference kConstant kMemory, and kVelocity if there are
                      // rows nonlinear in it -> work[0 .. kinematics_size)
  Kernel dynamics;    // the same, kVelocity and kInput -> work[0 .. size)
  Kernel
      solve;  // kWork kForceSide kConstraintSide -> (a, lambda): [M J^T; J 0] [a; lambda] = [f; b]
  Kernel reduce;   // kWork kForceSide kConstraintSide -> (y [nv], g [nc]) with S lambda = g
  Kernel expand;   // kWork kForceSide (= y) kConstraintSide (= lambda) -> a
  Kernel starts;   // kTime kPosition kVelocity kConstant kMemory kStart -> conditions' errors, then
                   // Jacobian entries
  Kernel memory;   // kPosition kConstant kMemory -> new memory; of sampled controllers: kTime,
                   // kInput, kConstant, kMemory -> discrete states and outputs of a sample
  Kernel checks;   // kConstant -> closure errors that no motion can mend [n_checks]
  Kernel outputs;  // kTime .. kMemory, kStatistics -> computed values that need no acceleration, in
                   // table order
  Kernel outputs_acceleration;  // these and kAcceleration, kMultiplier -> those with
                                // needs_acceleration

  Kernel
      linearise;  // the same, kAcceleration, kMultiplier -> entries of `linear`, if there are any

  // Derivatives in the direction of the ...Rate arrays.
  Kernel tangent_rows;  // of f - M a - J^T lambda and -(gamma + J a) at fixed a, lambda [nv + nc]
  Kernel tangent_conditions;  // of phi [nc], phi_dot [nc] and the start conditions' errors
  Kernel tangent_outputs;     // of all computed values, in table order

  Kernel energy;  // kTime kPosition kVelocity kConstant kMemory -> total energy [1], see has_energy

  // Where the equations of motion branch: a - b of the conditions a < b and of the bends of min,
  // max and abs [n_indicators], then whether each is so [n_indicators]. The kernels of the motion
  // read the conditions, which come first [n_modes], from kMode.
  Kernel indicators;  // kTime .. kMemory

  // kTime kPosition kConstant kAcceleration -> M a [nv], where M has no entries; see mass
  Kernel mass_times;

  int n_indicators, n_modes;
  int n_scratch;  // numbers that kernels with loops keep in kScratch

  WorkLayout work;
  SparsePattern jacobian;  // nc x nv
  SparsePattern mass;      // nv x nv, lower triangle; none for long chains, see mass_times
  SparsePattern schur;     // nc x nc, lower triangle
  SparsePattern linear;    // (nv + nc) x (nq + nv + 1): derivatives of f - M a - J^T lambda
                           // and of -(gamma + J a) by q, v and time at fixed a, lambda
  const int* position_of_velocity;  // [nv] index into q whose rate is this velocity, -1 inside a
                                    // quaternion
  int n_quaternions;
  const QuaternionSlot* quaternions;
  int n_blocks;
  const SchurBlock* blocks;
  const RowLevel* row_level;            // [nc]
  const double* row_scale;              // [nc] what S has on its diagonal at regular poses, about
  bool position_rows_only;              // all of them are position rows
  bool nonlinear_rows;                  // J depends on v
  const int* row_stiffness;             // [nc] value references of the stiffness and the damping
  const int* row_damping;               // of a row's own for compliant, -1: those of all rows
  const int* filter_setting;            // [nu] value reference of the time constant, -1: no filter
  const char* const* constraint_names;  // [nc] "joint 'D'", whose row it is
  int n_checks;
  const char* const* check_names;
  int n_conditions;
  const StartCondition* conditions;
  SparsePattern condition_jacobian;  // n_conditions x nv
  int n_groups;
  const AssemblyGroup* groups;
  const int* assembly_columns;  // [nv] velocities by group
  const int* column_place;      // [nv] its column in its group
  const int* row_group;         // [nc + n_conditions]
  bool start_as_given;
  bool rank_revealing;  // redundant rows, or asked for: pivots are chosen at run time
  const EliminationTables* elimination;  // null: `solve`, `reduce` and `expand` are kernels

  int n_schemes, n_integrators;
  const SchemeEntry* schemes;
  const Integrator* const* integrators;
  int scheme_choice, integrator_choice;  // value references of the choices, -1: there is but one
  int step_setting;                      // value reference of solver.step
  int tolerance_setting;                 // of solver.tolerance, -1: no adaptive integrator
  int corrections_setting;               // of solver.corrections, -1: no P(EC)^m

  bool has_energy;

  // [s] between samples of a controller, 0: this is none. A controller has no continuous states;
  // its discrete states and what it holds between samples are its memory.
  double sample;

  // Continuous states: q, v, then reference, rate and second rate of the filter of each followed
  // input. Their values are computed variables from first_state on, their derivatives from
  // first_derivative on, in the same order.
  int n_followed;
  const int* followed;                // inputs
  int first_state, first_derivative;  // value references
  [[nodiscard]] constexpr int n_states() const { return nq + nv + 3 * n_followed; }
};

}  // namespace mechfmu::runtime
