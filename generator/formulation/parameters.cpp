#include <functional>

#include "formulation/formulated.hpp"
#include "graph/program.hpp"
#include "validation/parameter_values.hpp"

namespace mechfmu {

namespace {

bool mentions_names(const Expression& e) {
  if (e.kind == Expression::Kind::name && e.text != "pi") return true;
  for (const Expression& argument : e.arguments)
    if (mentions_names(argument)) return true;
  return false;
}

}  // namespace

// Independent parameters are symbols; the others are expressions of them, in whatever order they
// stand.
void add_parameters(Formulated& s, const Mechanism& mechanism) {
  Graph& g = *s.graph;
  const std::size_t count = mechanism.parameters.size();
  s.parameter_values.resize(count);
  std::vector<bool> done(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    if (mentions_names(mechanism.parameters[i].value)) continue;
    s.parameter_values[i] =
        g.symbol(runtime::kParameter, static_cast<int>(s.parameter_symbols.size()));
    s.parameter_symbols.push_back(s.parameter_values[i]);
    s.independent_parameters.push_back(static_cast<int>(i));
    done[i] = true;
  }
  // validation has refused cycles
  const std::function<Expr(std::size_t)> value_of = [&](std::size_t i) -> Expr {
    if (done[i]) return s.parameter_values[i];
    const NameMeaning others = [&](const std::string& name) -> std::optional<std::vector<Expr>> {
      for (std::size_t k = 0; k < count; ++k)
        if (mechanism.parameters[k].name.text == name) return std::vector<Expr>{value_of(k)};
      return std::nullopt;
    };
    s.parameter_values[i] = resolve(g, mechanism.parameters[i].value, others);
    done[i] = true;
    return s.parameter_values[i];
  };
  for (std::size_t i = 0; i < count; ++i) value_of(i);

  for (std::size_t i = 0; i < mechanism.inputs.size(); ++i)
    s.input_symbols.push_back(g.symbol(runtime::kInput, static_cast<int>(i)));
  for (const Table& table : mechanism.tables) {
    using runtime::Extrapolation;
    const Extrapolation extrapolation = table.extrapolation == "hold" ? Extrapolation::hold
                                        : table.extrapolation == "periodic"
                                            ? Extrapolation::periodic
                                            : Extrapolation::linear;
    const TableInterpolation interpolation =
        table.interpolation == "linear" ? TableInterpolation::linear : TableInterpolation::akima;
    s.tables[table.name.text] =
        g.add_table(make_table(table.x, table.y, interpolation, extrapolation));
  }
  if (mechanism.equations || mechanism.controller) return;
  const NameMeaning meaning = s.parameters_only(mechanism);
  for (std::size_t i = 0; i < 3; ++i) s.gravity[i] = resolve(g, mechanism.gravity[i], meaning);
}

NameMeaning Formulated::parameters_only(const Mechanism& mechanism) const {
  return [this, &mechanism](const std::string& name) -> std::optional<std::vector<Expr>> {
    for (std::size_t i = 0; i < mechanism.parameters.size(); ++i)
      if (mechanism.parameters[i].name.text == name) return std::vector<Expr>{parameter_values[i]};
    return std::nullopt;
  };
}

NameMeaning Formulated::signals_of_time(const Mechanism& mechanism) const {
  return [this, &mechanism](const std::string& name) -> std::optional<std::vector<Expr>> {
    if (name == "time") return std::vector<Expr>{time_symbol(*graph)};
    for (std::size_t i = 0; i < mechanism.inputs.size(); ++i)
      if (mechanism.inputs[i].name.text == name) return std::vector<Expr>{input_symbols[i]};
    return parameters_only(mechanism)(name);
  };
}

double nominal_value(const Formulated& system, const Mechanism& mechanism, Expr expression) {
  if (expression.is_constant()) return expression.constant();
  const std::vector<double> all = calc_parameter_values(mechanism);
  std::vector<double> independent;
  for (const int i : system.independent_parameters)
    independent.push_back(all[static_cast<std::size_t>(i)]);
  const Program program = make_program(*system.graph, std::span(&expression, 1));
  const double* in[runtime::kInputArrayCount] = {};
  in[runtime::kParameter] = independent.data();
  std::vector<double> scratch;
  double value = 0;
  interpret(program, in, &value, scratch);
  return value;
}

}  // namespace mechfmu
