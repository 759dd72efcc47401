#include "test_model.hpp"

#include "fmi/model_symbol.hpp"
#include "integrators/integrator.hpp"
#include "platform/portable_math.hpp"
#include "schemes/scheme.hpp"

namespace mechfmu::test {
namespace {

using namespace mechfmu::runtime;

// offsets into the workspace
enum Work : int { wPhi, wPhiTime, wJx, wJy, wM1, wM2, wSchur, wWeakness, wFx, wFy, wGamma, wSize };

void prepare(const void*, const double* const* in, double* out) {
  for (int i = 0; i < 3; ++i) out[i] = in[kParameter][i];
}

void guess(const void*, const double* const* in, double* out) {
  const double length = in[kConstant][0];
  const double x = in[kStart][0];
  out[0] = x;
  out[1] = -sqrt(fmax(length * length - x * x, 0.01));
}

void kinematics(const void*, const double* const* in, double* out) {
  const double* c = in[kConstant];
  const double x = in[kPosition][0];
  const double y = in[kPosition][1];
  out[wPhi] = 0.5 * (x * x + y * y - c[0] * c[0]);
  out[wPhiTime] = 0;
  out[wJx] = x;
  out[wJy] = y;
  out[wM1] = out[wM2] = c[1];
  out[wSchur] = (x * x + y * y) / c[1];
  out[wWeakness] = 1;
}

void dynamics(const void* context, const double* const* in, double* out) {
  kinematics(context, in, out);
  const double* c = in[kConstant];
  const double* v = in[kVelocity];
  out[wFx] = in[kInput][0] + kWind * in[kMode][0];
  out[wFy] = -c[1] * c[2];
  out[wGamma] = v[0] * v[0] + v[1] * v[1];
}

// x < -0.9
void indicators(const void*, const double* const* in, double* out) {
  out[0] = in[kPosition][0] + 0.9;
  out[1] = out[0] < 0 ? 1 : 0;
}

void reduce(const void*, const double* const* in, double* out) {
  const double* w = in[kWork];
  out[0] = in[kForceSide][0] / w[wM1];
  out[1] = in[kForceSide][1] / w[wM2];
  out[2] = w[wJx] * out[0] + w[wJy] * out[1] - in[kConstraintSide][0];
}

void expand(const void*, const double* const* in, double* out) {
  const double* w = in[kWork];
  out[0] = in[kForceSide][0] - w[wJx] * in[kConstraintSide][0] / w[wM1];
  out[1] = in[kForceSide][1] - w[wJy] * in[kConstraintSide][0] / w[wM2];
}

void solve(const void* context, const double* const* in, double* out) {
  reduce(context, in, out);
  const double* w = in[kWork];
  const double lambda = out[2] / w[wSchur];
  out[0] -= w[wJx] * lambda / w[wM1];
  out[1] -= w[wJy] * lambda / w[wM2];
  out[2] = lambda;
}

void starts(const void*, const double* const* in, double* out) {
  out[0] = in[kPosition][0] - in[kStart][0];
  out[1] = in[kVelocity][0] - in[kStart][1];
  out[2] = out[3] = 1;
}

void nothing(const void*, const double* const*, double*) {}

void outputs(const void*, const double* const* in, double* out) {
  const double x = in[kPosition][0];
  out[0] = x;
  out[1] = in[kPosition][1];
  out[2] = in[kVelocity][0];
  out[3] = in[kVelocity][1];
  double sine;
  double cosine;
  sincos(x, &sine, &cosine);
  const double s = 0.5 * sine;
  out[4] = sine * cosine + sin(s) + cos(x + s) + tan(s) + asin(s) + acos(s) + atan(x) +
           atan2(s, 2) + sinh(s) + cosh(s) + tanh(x) + exp(s) + log(2 + s) + pow(2 + s, cosine) +
           nearbyint(x);
  for (int i = 0; i < 2; ++i) {
    out[5 + i] = in[kPosition][i];
    out[7 + i] = out[9 + i] = in[kVelocity][i];
  }
}

void outputs_acceleration(const void*, const double* const* in, double* out) {
  out[0] = in[kAcceleration][0];
  out[1] = in[kMultiplier][0] * in[kConstant][0];
  out[2] = in[kAcceleration][0];
  out[3] = in[kAcceleration][1];
}

// d(f - M a - J^T lambda) and -d(gamma + J a)
void tangent_rows(const void*, const double* const* in, double* out) {
  const double* dp = in[kParameterRate];
  const double* dq = in[kPositionRate];
  const double* v = in[kVelocity];
  const double* dv = in[kVelocityRate];
  const double* a = in[kAcceleration];
  const double* c = in[kConstant];
  const double lambda = in[kMultiplier][0];
  out[0] = in[kInputRate][0] - dp[1] * a[0] - dq[0] * lambda;
  out[1] = -dp[1] * c[2] - c[1] * dp[2] - dp[1] * a[1] - dq[1] * lambda;
  out[2] = -(2 * (v[0] * dv[0] + v[1] * dv[1]) + dq[0] * a[0] + dq[1] * a[1]);
}

void tangent_conditions(const void*, const double* const* in, double* out) {
  const double* q = in[kPosition];
  const double* v = in[kVelocity];
  const double* dq = in[kPositionRate];
  const double* dv = in[kVelocityRate];
  out[0] = q[0] * dq[0] + q[1] * dq[1] - in[kConstant][0] * in[kParameterRate][0];
  out[1] = dq[0] * v[0] + q[0] * dv[0] + dq[1] * v[1] + q[1] * dv[1];
  out[2] = dq[0] - in[kStartRate][0];
  out[3] = dv[0] - in[kStartRate][1];
}

void tangent_outputs(const void*, const double* const* in, double* out) {
  const double* dq = in[kPositionRate];
  const double* dv = in[kVelocityRate];
  const double* da = in[kAccelerationRate];
  for (int i = 0; i < 2; ++i) {
    out[i] = out[7 + i] = dq[i];
    out[2 + i] = out[9 + i] = out[11 + i] = dv[i];
    out[13 + i] = da[i];
  }
  out[4] = 0;  // not looked at
  out[5] = da[0];
  out[6] = in[kMultiplierRate][0] * in[kConstant][0] + in[kMultiplier][0] * in[kParameterRate][0];
}

constexpr double kHuge = 1e308;
constexpr RealVariable kReals[] = {
    {"length", 1, 1e-6, kHuge, VariableKind::parameter, false, false},
    {"mass", 2, 1e-6, kHuge, VariableKind::parameter, false, false},
    {"gravity", 9.81, -kHuge, kHuge, VariableKind::parameter, false, true},
    {"start.x", 0.5, -kHuge, kHuge, VariableKind::start, false, false},
    {"start.vx", 0, -kHuge, kHuge, VariableKind::start, false, false},
    {"scheme.norm", 1, 1, 2, VariableKind::setting, false, false},
    {"scheme.tolerance", 1e-12, 1e-15, 1e-2, VariableKind::setting, false, false},
    {"scheme.iterations", 20, 1, 1000, VariableKind::setting, false, false},
    {"solver.step", 1e-3, 1e-9, 1e3, VariableKind::setting, false, false},
    {"solver.tolerance", 1e-6, 1e-12, 1e-2, VariableKind::setting, false, false},
    {"force", 0, -kHuge, kHuge, VariableKind::input, false, false},
    {"x", 0, 0, 0, VariableKind::computed, false, false},
    {"y", 0, 0, 0, VariableKind::computed, false, false},
    {"vx", 0, 0, 0, VariableKind::computed, false, false},
    {"vy", 0, 0, 0, VariableKind::computed, false, false},
    {"elementary", 0, 0, 0, VariableKind::computed, false, false},
    {"ax", 0, 0, 0, VariableKind::computed, true, false},
    {"tension", 0, 0, 0, VariableKind::computed, true, false},
    {"state.x", 1, 0, 0, VariableKind::computed, false, false},
    {"state.y", 1, 0, 0, VariableKind::computed, false, false},
    {"state.vx", 10, 0, 0, VariableKind::computed, false, false},
    {"state.vy", 10, 0, 0, VariableKind::computed, false, false},
    {"der(state.x)", 0, 0, 0, VariableKind::computed, false, false},
    {"der(state.y)", 0, 0, 0, VariableKind::computed, false, false},
    {"der(state.vx)", 0, 0, 0, VariableKind::computed, true, false},
    {"der(state.vy)", 0, 0, 0, VariableKind::computed, true, false},
};
static_assert(sizeof(kReals) / sizeof(kReals[0]) == kRealCount);

constexpr IntegerVariable kIntegers[] = {{"scheme.norm", kNorm, 1, 2},
                                         {"scheme.iterations", kIterations, 1, 1000}};

constexpr int kZeroOne[] = {0, 1};
constexpr int kZeroZero[] = {0, 0};
constexpr double kRowScales[] = {1};
constexpr SchurBlock kBlocks[] = {{0, 1, 1, "rod"}};
constexpr RowLevel kRowLevels[] = {RowLevel::position};
constexpr int kNoFilter[] = {-1};
constexpr AssemblyGroup kGroups[] = {{0, 2, 0, 3, 0}};
constexpr int kRowGroup[] = {0, 0, 0};
constexpr const char* kConstraintNames[] = {"joint 'rod'"};
const SchemeEntry kSchemes[] = {
    {&scheme_projection,
     {kNorm, kProjectionTolerance, kIterations, -1, -1, -1, -1, -1, -1, -1, -1, -1}}};
const Integrator* const kIntegrators[] = {&integrator_rk4};
constexpr StartCondition kConditions[] = {{false, true, "start.x"}, {true, true, "start.vx"}};

Model make_model() {
  Model m = {};
  m.name = "Pendulum";
  m.guid = kGuid;
  m.nq = m.nv = 2;
  m.nc = m.nu = 1;
  m.n_constants = 3;
  m.n_parameters = 3;
  m.n_starts = 2;
  m.n_settings = 5;
  m.n_computed = 15;
  m.reals = kReals;
  m.n_integers = kIntegerCount;
  m.integers = kIntegers;
  m.prepare = {prepare, nullptr};
  m.guess = {guess, nullptr};
  m.kinematics = {kinematics, nullptr};
  m.dynamics = {dynamics, nullptr};
  m.solve = {solve, nullptr};
  m.reduce = {reduce, nullptr};
  m.expand = {expand, nullptr};
  m.starts = {starts, nullptr};
  m.memory = {nothing, nullptr};
  m.checks = {nothing, nullptr};
  m.outputs = {outputs, nullptr};
  m.outputs_acceleration = {outputs_acceleration, nullptr};
  m.indicators = {indicators, nullptr};
  m.n_indicators = m.n_modes = 1;
  m.work.phi = wPhi;
  m.work.phi_time = wPhiTime;
  m.work.jacobian = wJx;
  m.work.mass = wM1;
  m.work.schur = wSchur;
  m.work.weakness = wWeakness;
  m.work.factor = wFx;
  m.work.kinematics_size = wFx;
  m.work.force = wFx;
  m.work.gamma = wGamma;
  m.work.motion = -1;
  m.work.size = wSize;
  m.jacobian = {2, kZeroZero, kZeroOne};
  m.mass = {2, kZeroOne, kZeroOne};
  m.schur = {1, kZeroZero, kZeroZero};
  m.position_of_velocity = kZeroOne;
  m.n_blocks = 1;
  m.blocks = kBlocks;
  m.row_level = kRowLevels;
  m.row_scale = kRowScales;
  m.position_rows_only = true;
  m.filter_setting = kNoFilter;
  m.constraint_names = kConstraintNames;
  m.n_conditions = 2;
  m.conditions = kConditions;
  m.condition_jacobian = {2, kZeroOne, kZeroZero};
  m.n_groups = 1;
  m.groups = kGroups;
  m.assembly_columns = m.column_place = kZeroOne;
  m.row_group = kRowGroup;
  m.n_schemes = m.n_integrators = 1;
  m.schemes = kSchemes;
  m.integrators = kIntegrators;
  m.scheme_choice = m.integrator_choice = -1;
  m.step_setting = kStep;
  m.tolerance_setting = kTolerance;
  m.corrections_setting = -1;
  m.row_stiffness = m.row_damping = kNoFilter;
  m.tangent_rows = {tangent_rows, nullptr};
  m.tangent_conditions = {tangent_conditions, nullptr};
  m.tangent_outputs = {tangent_outputs, nullptr};
  m.first_state = kStateX;
  m.first_derivative = kDerX;
  return m;
}

}  // namespace
}  // namespace mechfmu::test

extern "C" const mechfmu::runtime::Model mechfmu_model = mechfmu::test::make_model();
