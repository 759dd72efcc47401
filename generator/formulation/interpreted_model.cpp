#include "formulation/interpreted_model.hpp"

#include "integrators/integrator.hpp"
#include "schemes/scheme.hpp"
#include "support/assert.hpp"

namespace mechfmu {

namespace {

struct Interpreter {
  const Program* program = nullptr;
  mutable std::vector<double> scratch;
};

void run_program(const void* context, const double* const* in, double* out) {
  const auto* interpreter = static_cast<const Interpreter*>(context);
  interpret(*interpreter->program, in, out, interpreter->scratch);
}

runtime::SparsePattern view(const Pattern& p) {
  return {static_cast<int>(p.row.size()), p.row.data(), p.column.data()};
}

std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> list;
  for (const std::string& name : names) list.push_back(name.c_str());
  return list;
}

}  // namespace

struct InterpretedModel::Tables {
  std::shared_ptr<const SystemKernels> kernels;
  std::vector<Interpreter> interpreters;
  std::vector<runtime::RealVariable> reals;
  std::vector<runtime::IntegerVariable> integers;
  std::vector<runtime::QuaternionSlot> quaternions;
  std::vector<runtime::SchurBlock> blocks;
  std::vector<runtime::StartCondition> conditions;
  std::vector<const char*> constraint_names, check_names;
  std::vector<runtime::SchemeEntry> schemes;
  std::vector<const runtime::Integrator*> integrators;
  runtime::EliminationTables elimination{};
  runtime::Model model{};
};

InterpretedModel::InterpretedModel(std::shared_ptr<const SystemKernels> kernels)
    : tables_(std::make_unique<Tables>()) {
  Tables& t = *tables_;
  t.kernels = std::move(kernels);
  const SystemKernels& k = *t.kernels;
  for (const Program& program : k.programs) t.interpreters.push_back({&program, {}});
  for (const RealRow& r : k.reals)
    t.reals.push_back(
        {r.name.c_str(), r.start, r.min, r.max, r.kind, r.needs_acceleration, r.tunable});
  for (const IntegerRow& r : k.integers)
    t.integers.push_back({r.name.c_str(), r.setting, r.min, r.max});
  for (const auto& [q, v] : k.quaternions) t.quaternions.push_back({q, v});
  for (const BlockRow& b : k.blocks) t.blocks.push_back({b.first, b.size, b.rank, b.name.c_str()});
  for (const ConditionRow& c : k.conditions)
    t.conditions.push_back({c.velocity, c.fixed, c.name.c_str()});
  t.constraint_names = pointers(k.constraint_names);
  t.check_names = pointers(k.check_names);

  runtime::Model& m = t.model;
  m.name = "interpreted";
  m.guid = "";
  m.nq = k.nq;
  m.nv = k.nv;
  m.nc = k.nc;
  m.nu = k.nu;
  m.n_constants = k.n_constants;
  m.n_memory = k.n_memory;
  m.n_parameters = k.n_parameters;
  m.n_starts = k.n_starts;
  m.n_settings = k.n_settings;
  m.n_computed = k.n_computed;
  m.reals = t.reals.data();
  m.n_integers = static_cast<int>(t.integers.size());
  m.integers = t.integers.data();
  runtime::Kernel* const kernel[kKernelCount] = {
      &m.prepare,         &m.guess,        &m.kinematics,
      &m.dynamics,        &m.solve,        &m.reduce,
      &m.expand,          &m.starts,       &m.memory,
      &m.checks,          &m.outputs,      &m.outputs_acceleration,
      &m.linearise,       &m.tangent_rows, &m.tangent_conditions,
      &m.tangent_outputs, &m.energy,       &m.indicators,
      &m.mass_times};
  m.n_indicators = k.n_indicators;
  m.n_groups = static_cast<int>(k.groups.size());
  m.groups = k.groups.data();
  m.assembly_columns = k.assembly_columns.data();
  m.column_place = k.column_place.data();
  m.row_group = k.row_group.data();
  m.n_modes = k.n_modes;
  for (std::size_t i = 0; i < t.interpreters.size(); ++i)
    *kernel[i] = {run_program, &t.interpreters[i]};
  m.work = k.work;
  m.jacobian = view(k.jacobian);
  m.mass = view(k.mass);
  m.schur = view(k.schur);
  m.linear = view(k.linear);
  m.position_of_velocity = k.position_of_velocity.data();
  m.n_quaternions = static_cast<int>(t.quaternions.size());
  m.quaternions = t.quaternions.data();
  m.n_blocks = static_cast<int>(t.blocks.size());
  m.blocks = t.blocks.data();
  m.row_level = k.row_level.data();
  m.row_scale = k.row_scale.data();
  m.position_rows_only = k.position_rows_only();
  m.nonlinear_rows = k.nonlinear_rows;
  m.filter_setting = k.filter_setting.data();
  m.constraint_names = t.constraint_names.data();
  m.n_checks = static_cast<int>(t.check_names.size());
  m.check_names = t.check_names.data();
  m.n_conditions = static_cast<int>(t.conditions.size());
  m.conditions = t.conditions.data();
  m.condition_jacobian = view(k.condition_jacobian);
  m.start_as_given = k.start_as_given;
  m.rank_revealing = k.rank_revealing;
  if (k.elimination) {
    t.elimination = k.elimination->view();
    m.elimination = &t.elimination;
  }
  m.row_stiffness = k.row_stiffness.data();
  m.row_damping = k.row_damping.data();
  for (const SchemeRow& row : k.schemes) {
    runtime::SchemeEntry entry{runtime::find_scheme(row.id.c_str()), {}};
    for (int& parameter : entry.parameter) parameter = -1;
    for (std::size_t i = 0; i < row.parameters.size(); ++i) entry.parameter[i] = row.parameters[i];
    MECHFMU_ASSERT(entry.scheme != nullptr, "the tables know the scheme " + row.id);
    t.schemes.push_back(entry);
  }
  for (const std::string& id : k.integrators) {
    t.integrators.push_back(runtime::find_integrator(id.c_str()));
    MECHFMU_ASSERT(t.integrators.back() != nullptr, "the tables know the integrator " + id);
  }
  m.n_schemes = static_cast<int>(t.schemes.size());
  m.schemes = t.schemes.data();
  m.n_integrators = static_cast<int>(t.integrators.size());
  m.integrators = t.integrators.data();
  m.scheme_choice = k.scheme_choice;
  m.integrator_choice = k.integrator_choice;
  m.step_setting = k.step_setting;
  m.tolerance_setting = k.tolerance_setting;
  m.corrections_setting = k.corrections_setting;
  m.has_energy = k.has_energy;
  m.sample = k.sample;
  m.n_followed = static_cast<int>(k.followed.size());
  m.followed = k.followed.data();
  m.first_state = k.first_state;
  m.first_derivative = k.first_derivative;
}

InterpretedModel::~InterpretedModel() = default;

const runtime::Model& InterpretedModel::model() const { return tables_->model; }

}  // namespace mechfmu
