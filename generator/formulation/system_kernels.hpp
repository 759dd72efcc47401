// Kernels as programs and tables as vectors: everything that becomes a runtime::Model, compiled or
// interpreted.
#pragma once
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formulation/elimination.hpp"
#include "formulation/formulated.hpp"
#include "graph/program.hpp"
#include "interface/variables.hpp"
#include "system/model.hpp"

namespace mechfmu {

struct RealRow {
  std::string name;
  double start = 0;
  double min = -std::numeric_limits<double>::max();
  double max = std::numeric_limits<double>::max();
  runtime::VariableKind kind = runtime::VariableKind::computed;
  bool needs_acceleration = false;
  bool tunable = false;
};

struct IntegerRow {
  std::string name;
  int setting = 0;
  int min = 0, max = 0;
};

struct BlockRow {
  int first = 0, size = 0, rank = 0;
  std::string name;
};

struct SchemeRow {
  std::string id;
  std::vector<int> parameters;  // value references, in the order of schemes.def
};

struct ConditionRow {
  std::string name;
  bool velocity = false, fixed = false;
};

// Kernels in the order of runtime::Model.
enum KernelId : int {
  kPrepare,
  kGuess,
  kKinematics,
  kDynamics,
  kSolve,
  kReduce,
  kExpand,
  kStarts,
  kMemoryUpdate,
  kChecks,
  kOutputs,
  kOutputsAcceleration,
  kLinearise,
  kTangentRows,
  kTangentConditions,
  kTangentOutputs,
  kEnergy,
  kIndicators,
  kMassTimes,
  kKernelCount
};
std::string_view kernel_name(int kernel);

struct SystemKernels {
  std::vector<Program> programs;  // by KernelId

  int nq = 0, nv = 0, nc = 0, nu = 0, n_constants = 0, n_memory = 0;
  int n_parameters = 0, n_starts = 0, n_settings = 0, n_computed = 0;
  std::vector<RealRow> reals;
  std::vector<IntegerRow> integers;
  runtime::WorkLayout work{};
  Pattern jacobian, mass, schur, linear, condition_jacobian;
  std::vector<int> position_of_velocity;
  std::vector<std::pair<int, int>> quaternions;
  std::vector<BlockRow> blocks;
  std::vector<std::string> constraint_names, check_names;
  std::vector<runtime::RowLevel> row_level;
  std::vector<double> row_scale;
  bool nonlinear_rows = false;
  std::vector<int> filter_setting;    // per input
  std::vector<TableFunction> tables;  // of the graph
  [[nodiscard]] bool position_rows_only() const {
    return std::all_of(row_level.begin(), row_level.end(), [](runtime::RowLevel level) {
      return level == runtime::RowLevel::position;
    });
  }
  std::vector<ConditionRow> conditions;
  std::vector<runtime::AssemblyGroup> groups;
  std::vector<int> assembly_columns, column_place, row_group;
  bool start_as_given = false;
  bool rank_revealing = false;
  std::optional<EliminationPlan> elimination;  // instead of kernels
  std::vector<int> row_stiffness, row_damping;
  std::vector<SchemeRow> schemes;
  std::vector<std::string> integrators;
  int scheme_choice = -1, integrator_choice = -1;
  int step_setting = 0, tolerance_setting = -1, corrections_setting = -1;
  bool has_energy = false;
  double sample = 0;  // [s] of a controller
  int n_indicators = 0, n_modes = 0;
  std::vector<int> followed;  // inputs
  int first_state = 0, first_derivative = 0;
};

// The FMU's variables with what they compute.
struct VariablePlan {
  Interface interface;
  std::vector<RealRow> reals;  // by value reference
  std::vector<IntegerRow> integers;
  std::vector<Expr> computed;  // in value reference order
  int n_parameters = 0, n_starts = 0, n_settings = 0;
  std::vector<SchemeRow> schemes;
  std::vector<std::string> integrators;
  int scheme_choice = -1, integrator_choice = -1;
  int step_setting = 0, tolerance_setting = -1, corrections_setting = -1;
  std::vector<int> filter_setting;
  std::map<std::string, std::pair<int, int>> compliance;  // by constraint: stiffness, damping
  std::vector<int> followed;
  int first_state = 0, first_derivative = 0;
};

// How the equations are solved.
struct SolverPlan {
  std::vector<int> ranks = {};  // per block; empty: not known yet, blocks have full rank then
  std::vector<double> row_scales = {};                // empty: not known yet
  bool rank_revealing = true;                         // even if no row is redundant
  std::optional<EliminationMethod> elimination = {};  // by tables instead of straight-line code
  bool tangents = false;                              // with the kernels of derivatives
};

SystemKernels make_kernels(const Formulated& system, const Mechanism& mechanism,
                           const VariablePlan& plan, const SolverPlan& solver);

}  // namespace mechfmu
