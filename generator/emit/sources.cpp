#include "emit/sources.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emit/template_text.hpp"
#include "formulation/system_kernels.hpp"
#include "graph/print.hpp"
#include "support/assert.hpp"
#include "support/embedded.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

// C++ names of the input arrays, in the order of runtime::InputArray.
constexpr std::string_view kArrays[] = {
    "t",  "q",  "v",  "u",  "r",      "c",   "mem",   "a",    "lam",     "p",
    "st", "w",  "f",  "b",  "stat",   "own", "third", "mode", "scratch", "dt",
    "dq", "dv", "du", "dr", "dthird", "dp",  "dst",   "da",   "dlam"};
static_assert(std::size(kArrays) == runtime::kInputArrayCount);

// A string literal that no content can leave: everything but plain characters as octal escapes.
std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\' && c != '?')
      result += c;
    else
      result += fmt::format("\\{:03o}", byte);
  }
  return result + "\"";
}

std::string number(double value) {
  const std::string text = number_text(value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string_view kind_name(runtime::VariableKind kind) {
  using runtime::VariableKind;
  switch (kind) {
    case VariableKind::parameter:
      return "parameter";
    case VariableKind::start:
      return "start";
    case VariableKind::setting:
      return "setting";
    case VariableKind::input:
      return "input";
    case VariableKind::computed:
      break;
  }
  return "computed";
}

TemplateValues row(std::string text) { return {{{"row", std::move(text)}}, {}}; }

class TableText {
 public:
  TableText(const SystemModel& system, const std::string& guid, int scratch)
      : k_(*system.kernels), scratch_(scratch) {
    values_.values = {
        {"name", system.name},
        {"c_name", literal(system.name)},
        {"c_guid", literal(guid)},
    };
    add_variables();
    add_structure();
    add_methods();
    add_members();
  }

  [[nodiscard]] const TemplateValues& values() const { return values_; }

 private:
  // C++ has no empty arrays: a list without rows gets one that is never read.
  void add_rows(const std::string& list, std::vector<TemplateValues> rows,
                const std::string& unused) {
    if (rows.empty()) rows.push_back(row(unused));
    values_.lists[list] = std::move(rows);
  }

  void add_variables() {
    std::vector<TemplateValues> reals, integers;
    for (const RealRow& r : k_.reals)
      reals.push_back(row(fmt::format(
          "{{{}, {}, {}, {}, VariableKind::{}, {}, {}}}", literal(r.name), number(r.start),
          number(r.min), number(r.max), kind_name(r.kind), r.needs_acceleration, r.tunable)));
    for (const IntegerRow& r : k_.integers)
      integers.push_back(
          row(fmt::format("{{{}, {}, {}, {}}}", literal(r.name), r.setting, r.min, r.max)));
    add_rows("reals", std::move(reals), "{\"\", 0, 0, 0, VariableKind::computed, false, false}");
    add_rows("integers", std::move(integers), "{\"\", 0, 0, 0}");
  }

  void add_structure() {
    std::vector<TemplateValues> quaternions, blocks, conditions;
    for (const auto& [q, v] : k_.quaternions)
      quaternions.push_back(row(fmt::format("{{{}, {}}}", q, v)));
    for (const BlockRow& b : k_.blocks)
      blocks.push_back(
          row(fmt::format("{{{}, {}, {}, {}}}", b.first, b.size, b.rank, literal(b.name))));
    for (const ConditionRow& c : k_.conditions)
      conditions.push_back(
          row(fmt::format("{{{}, {}, {}}}", c.velocity, c.fixed, literal(c.name))));
    add_rows("quaternions", std::move(quaternions), "{0, 0}");
    add_rows("blocks", std::move(blocks), "{0, 0, 0, \"\"}");
    add_rows("conditions", std::move(conditions), "{false, false, \"\"}");

    add_integers("jacobian_row", k_.jacobian.row);
    add_integers("jacobian_column", k_.jacobian.column);
    add_integers("mass_row", k_.mass.row);
    add_integers("mass_column", k_.mass.column);
    add_integers("schur_row", k_.schur.row);
    add_integers("schur_column", k_.schur.column);
    add_integers("linear_row", k_.linear.row);
    add_integers("linear_column", k_.linear.column);
    add_integers("condition_jacobian_row", k_.condition_jacobian.row);
    add_integers("condition_jacobian_column", k_.condition_jacobian.column);
    std::vector<TemplateValues> groups;
    for (const runtime::AssemblyGroup& g : k_.groups)
      groups.push_back(row(fmt::format("{{{}, {}, {}, {}, {}}}", g.first_column, g.columns,
                                       g.first_row, g.rows, g.matrix)));
    add_rows("groups", std::move(groups), "{0, 0, 0, 0, 0}");
    add_integers("assembly_columns", k_.assembly_columns);
    add_integers("column_place", k_.column_place);
    add_integers("row_group", k_.row_group);
    add_integers("position_of_velocity", k_.position_of_velocity);
    add_integers("filter_setting", k_.filter_setting);
    add_integers("followed", k_.followed);
    add_integers("row_stiffness", k_.row_stiffness);
    add_integers("row_damping", k_.row_damping);
    add_elimination();
    add_levels();
    add_names("constraint_names", k_.constraint_names);
    add_names("check_names", k_.check_names);
  }

  void add_elimination() {
    std::vector<TemplateValues> fronts, tables;
    if (k_.elimination) {
      const EliminationPlan& e = *k_.elimination;
      const std::pair<const char*, const std::vector<int>*> arrays[] = {
          {"place", &e.place},
          {"column_start", &e.column_start},
          {"column_row", &e.column_row},
          {"row_start", &e.row_start},
          {"row_column", &e.row_column},
          {"row_slot", &e.row_slot},
          {"entry_start", &e.entry_start},
          {"entry_column", &e.entry_column},
          {"entry_source", &e.entry_source},
          {"front_rows", &e.front_rows},
          {"front_map", &e.front_map}};
      for (const auto& [name, values] : arrays) add_integers(name, *values);
      for (const runtime::Front& f : e.fronts)
        fronts.push_back(row(fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}, {}}}", f.left, f.right,
                                         f.first_column, f.columns, f.rows, f.size, f.eliminated,
                                         f.map, f.matrix)));
      tables.push_back(row(fmt::format(
          "k_place, k_column_start, k_column_row, k_row_start, k_row_column, k_row_slot, "
          "k_entry_start, k_entry_column, k_entry_source, {}, k_fronts, k_front_rows, "
          "k_front_map, {}",
          e.fronts.size(), e.front_memory)));
    }
    if (k_.elimination) add_rows("fronts", std::move(fronts), "{-1, -1, 0, 0, 0, 0, 0, 0, 0}");
    values_.lists["elimination"] = std::move(tables);
  }

  void add_levels() {
    static constexpr std::string_view kWords[] = {"position", "velocity", "acceleration"};
    std::vector<TemplateValues> levels;
    for (const runtime::RowLevel level : k_.row_level)
      levels.push_back(row("RowLevel::" + std::string(kWords[static_cast<std::size_t>(level)])));
    add_rows("levels", std::move(levels), "RowLevel::position");
    std::vector<TemplateValues> scales;
    for (const double scale : k_.row_scale) scales.push_back(row(number_text(scale)));
    add_rows("row_scales", std::move(scales), "1");
  }

  void add_integers(const std::string& array, const std::vector<int>& values) {
    values_.lists["integer_arrays"].push_back(
        {{{"array", array},
          {"values", values.empty() ? "0" : fmt::format("{}", fmt::join(values, ", "))}},
         {}});
  }
  void add_names(const std::string& array, const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + literal(name);
    values_.lists["name_arrays"].push_back(
        {{{"array", array}, {"values", text.empty() ? "\"\"" : text}}, {}});
  }

  void add(const std::string& member, const std::string& value) {
    values_.lists["members"].push_back({{{"member", member}, {"value", value}}, {}});
  }
  void add(const std::string& member, int value) { add(member, std::to_string(value)); }
  void add_pattern(const std::string& member, const Pattern& pattern) {
    add(member, fmt::format("{{{}, k_{}_row, k_{}_column}}", pattern.row.size(), member, member));
  }

  // In the order of runtime::Model: designated initialisers must follow it.
  void add_members() {
    add("nq", k_.nq);
    add("nv", k_.nv);
    add("nc", k_.nc);
    add("nu", k_.nu);
    add("n_constants", k_.n_constants);
    add("n_memory", k_.n_memory);
    add("n_parameters", k_.n_parameters);
    add("n_starts", k_.n_starts);
    add("n_settings", k_.n_settings);
    add("n_computed", k_.n_computed);
    add("reals", "k_reals");
    add("n_integers", static_cast<int>(k_.integers.size()));
    add("integers", "k_integers");
    for (int i = 0; i < kKernelCount; ++i)
      add(std::string(kernel_name(i)), fmt::format("{{mechfmu_{}, nullptr}}", kernel_name(i)));
    add("n_indicators", k_.n_indicators);
    add("n_modes", k_.n_modes);
    add("n_scratch", scratch_);
    const runtime::WorkLayout& w = k_.work;
    add("work", fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}}", w.phi, w.phi_time,
                            w.jacobian, w.mass, w.schur, w.weakness, w.factor, w.kinematics_size,
                            w.force, w.gamma, w.motion, w.size));
    add_pattern("jacobian", k_.jacobian);
    add_pattern("mass", k_.mass);
    add_pattern("schur", k_.schur);
    add_pattern("linear", k_.linear);
    add("position_of_velocity", "k_position_of_velocity");
    add("n_quaternions", static_cast<int>(k_.quaternions.size()));
    add("quaternions", "k_quaternions");
    add("n_blocks", static_cast<int>(k_.blocks.size()));
    add("blocks", "k_blocks");
    add("row_level", "k_row_level");
    add("row_scale", "k_row_scale");
    add("position_rows_only", k_.position_rows_only() ? "true" : "false");
    add("nonlinear_rows", k_.nonlinear_rows ? "true" : "false");
    add("row_stiffness", "k_row_stiffness");
    add("row_damping", "k_row_damping");
    add("filter_setting", "k_filter_setting");
    add("constraint_names", "k_constraint_names");
    add("n_checks", static_cast<int>(k_.check_names.size()));
    add("check_names", "k_check_names");
    add("n_conditions", static_cast<int>(k_.conditions.size()));
    add("conditions", "k_conditions");
    add_pattern("condition_jacobian", k_.condition_jacobian);
    add("n_groups", static_cast<int>(k_.groups.size()));
    add("groups", "k_groups");
    add("assembly_columns", "k_assembly_columns");
    add("column_place", "k_column_place");
    add("row_group", "k_row_group");
    add("start_as_given", k_.start_as_given ? "true" : "false");
    add("rank_revealing", k_.rank_revealing ? "true" : "false");
    add("elimination", k_.elimination ? "&k_elimination" : "nullptr");
    add("n_schemes", static_cast<int>(k_.schemes.size()));
    add("n_integrators", static_cast<int>(k_.integrators.size()));
    add("schemes", "k_schemes");
    add("integrators", "k_integrators");
    add("scheme_choice", k_.scheme_choice);
    add("integrator_choice", k_.integrator_choice);
    add("step_setting", k_.step_setting);
    add("tolerance_setting", k_.tolerance_setting);
    add("corrections_setting", k_.corrections_setting);
    add("has_energy", k_.has_energy ? "true" : "false");
    add("sample", number(k_.sample));
    add("n_followed", static_cast<int>(k_.followed.size()));
    add("followed", "k_followed");
    add("first_state", k_.first_state);
    add("first_derivative", k_.first_derivative);
  }

  void add_methods() {
    std::vector<TemplateValues> schemes, integrators;
    for (const SchemeRow& row_of : k_.schemes) {
      std::vector<int> parameters(runtime::kSchemeParameters, -1);
      std::copy(row_of.parameters.begin(), row_of.parameters.end(), parameters.begin());
      values_.lists["scheme_names"].push_back({{{"id", row_of.id}}, {}});
      schemes.push_back(
          row(fmt::format("{{&scheme_{}, {{{}}}}}", row_of.id, fmt::join(parameters, ", "))));
    }
    for (const std::string& id : k_.integrators) {
      values_.lists["integrator_names"].push_back({{{"id", id}}, {}});
      integrators.push_back(row("&integrator_" + id));
    }
    values_.lists["schemes"] = std::move(schemes);
    values_.lists["integrators"] = std::move(integrators);
  }

  const SystemKernels& k_;
  int scratch_;
  TemplateValues values_;
};

std::string fill_embedded(const std::string& file, const TemplateValues& values) {
  const std::string_view text = find_embedded(embedded_templates(), file);
  MECHFMU_ASSERT(!text.empty(), "the template " + file + " is embedded");
  return fill_template(text, values);
}

bool is_tangent(int kernel) {
  return kernel == kTangentRows || kernel == kTangentConditions || kernel == kTangentOutputs;
}

}  // namespace

SourceEmitter::SourceEmitter(const SystemModel& system) : system_(system) {
  PrintOptions options;
  options.arrays = kArrays;
  options.shared_array = runtime::kScratch;
  TemplateValues all, motion, tangents;
  for (TemplateValues* values : {&all, &motion, &tangents}) {
    values->values["name"] = system.name;
    values->values["tables"] = print_tables(system.kernels->tables);
  }
  for (int i = 0; i < kKernelCount; ++i) {
    const std::string name(kernel_name(i));
    PrintedKernel kernel = print_kernel(
        "mechfmu_" + name, system.kernels->programs[static_cast<std::size_t>(i)], options);
    scratch_ = std::max(scratch_, kernel.shared_count);
    all.lists["kernels"].push_back({{{"kernel", name}}, {}});
    (is_tangent(i) ? tangents : motion)
        .lists["kernels"]
        .push_back({{{"kernel", name}, {"text", std::move(kernel.text)}}, {}});
  }
  // two files compile side by side, and derivatives are needed seldom
  kernels_ = {{"kernels.hpp", fill_embedded("kernels.hpp.in", all)},
              {"kernels.cpp", fill_embedded("kernels.cpp.in", motion)},
              {"tangents.cpp", fill_embedded("kernels.cpp.in", tangents)}};
}

std::vector<SourceFile> SourceEmitter::emit(const std::string& guid) const {
  std::vector<SourceFile> files = kernels_;
  files.push_back(
      {"tables.cpp", fill_embedded("tables.cpp.in", TableText(system_, guid, scratch_).values())});
  return files;
}

std::vector<SourceFile> emit_sources(const SystemModel& system, const std::string& guid) {
  return SourceEmitter(system).emit(guid);
}

}  // namespace mechfmu
