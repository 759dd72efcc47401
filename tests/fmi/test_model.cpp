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
  out[wFx] = in[kInput][0];
  out[wFy] = -c[1] * c[2];
  out[wGamma] = v[0] * v[0] + v[1] * v[1];
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
}

void outputs_acceleration(const void*, const double* const* in, double* out) {
  out[0] = in[kAcceleration][0];
  out[1] = in[kMultiplier][0] * in[kConstant][0];
}

constexpr double kHuge = 1e308;
constexpr RealVariable kReals[] = {
    {"length", 1, 1e-6, kHuge, VariableKind::parameter, false},
    {"mass", 2, 1e-6, kHuge, VariableKind::parameter, false},
    {"gravity", 9.81, -kHuge, kHuge, VariableKind::parameter, false},
    {"start.x", 0.5, -kHuge, kHuge, VariableKind::start, false},
    {"start.vx", 0, -kHuge, kHuge, VariableKind::start, false},
    {"scheme.norm", 1, 1, 2, VariableKind::setting, false},
    {"scheme.tolerance", 1e-12, 1e-15, 1e-2, VariableKind::setting, false},
    {"scheme.iterations", 20, 1, 1000, VariableKind::setting, false},
    {"solver.step", 1e-3, 1e-9, 1e3, VariableKind::setting, false},
    {"solver.tolerance", 1e-6, 1e-12, 1e-2, VariableKind::setting, false},
    {"force", 0, -kHuge, kHuge, VariableKind::input, false},
    {"x", 0, 0, 0, VariableKind::computed, false},
    {"y", 0, 0, 0, VariableKind::computed, false},
    {"vx", 0, 0, 0, VariableKind::computed, false},
    {"vy", 0, 0, 0, VariableKind::computed, false},
    {"elementary", 0, 0, 0, VariableKind::computed, false},
    {"ax", 0, 0, 0, VariableKind::computed, true},
    {"tension", 0, 0, 0, VariableKind::computed, true},
};
static_assert(sizeof(kReals) / sizeof(kReals[0]) == kRealCount);

constexpr IntegerVariable kIntegers[] = {{"scheme.norm", kNorm, 1, 2},
                                         {"scheme.iterations", kIterations, 1, 1000}};

constexpr int kZeroOne[] = {0, 1};
constexpr int kZeroZero[] = {0, 0};
constexpr SchurBlock kBlocks[] = {{0, 1, 1, "rod"}};
constexpr RowLevel kRowLevels[] = {RowLevel::position};
constexpr int kNoFilter[] = {-1};
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
  m.n_computed = 7;
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
  m.work.size = wSize;
  m.jacobian = {2, kZeroZero, kZeroOne};
  m.mass = {2, kZeroOne, kZeroOne};
  m.schur = {1, kZeroZero, kZeroZero};
  m.position_of_velocity = kZeroOne;
  m.n_blocks = 1;
  m.blocks = kBlocks;
  m.row_level = kRowLevels;
  m.position_rows_only = true;
  m.filter_setting = kNoFilter;
  m.constraint_names = kConstraintNames;
  m.n_conditions = 2;
  m.conditions = kConditions;
  m.condition_jacobian = {2, kZeroOne, kZeroZero};
  m.n_schemes = m.n_integrators = 1;
  m.schemes = kSchemes;
  m.integrators = kIntegrators;
  m.scheme_choice = m.integrator_choice = -1;
  m.step_setting = kStep;
  m.tolerance_setting = kTolerance;
  m.corrections_setting = -1;
  return m;
}

}  // namespace
}  // namespace mechfmu::test

extern "C" const mechfmu::runtime::Model mechfmu_model = mechfmu::test::make_model();
