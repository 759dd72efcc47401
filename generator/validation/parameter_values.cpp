#include "validation/parameter_values.hpp"

#include <limits>
#include <string_view>
#include <unordered_map>

#include "readers/expression_parser.hpp"
#include "validation/parameter_order.hpp"

namespace mechfmu {

namespace {

using Index = std::unordered_map<std::string_view, std::size_t>;

Index make_index(const Mechanism& mechanism) {
  Index index;
  for (std::size_t i = 0; i < mechanism.parameters.size(); ++i)
    index.emplace(mechanism.parameters[i].name.text, i);
  return index;
}

void collect_parameters(const Expression& e, const Index& index, std::vector<std::size_t>& found) {
  if (e.kind == Expression::Kind::name)
    if (const auto it = index.find(e.text); it != index.end()) found.push_back(it->second);
  for (const Expression& argument : e.arguments) collect_parameters(argument, index, found);
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

// Depth-first search with a stack of its own: a chain of parameters may be longer than the
// program's stack.
ParameterOrder find_parameter_order(const Mechanism& mechanism) {
  const Index index = make_index(mechanism);
  const std::size_t count = mechanism.parameters.size();
  enum class Mark : char { fresh, open, done };
  std::vector<Mark> marks(count, Mark::fresh);
  struct Visit {
    std::size_t parameter;
    std::vector<std::size_t> needs;
    std::size_t next = 0;
  };
  ParameterOrder result;
  std::vector<Visit> path;
  const auto enter = [&](std::size_t i) {
    marks[i] = Mark::open;
    path.push_back({i, {}, 0});
    collect_parameters(mechanism.parameters[i].value, index, path.back().needs);
  };
  for (std::size_t first = 0; first < count; ++first) {
    if (marks[first] == Mark::fresh) enter(first);
    while (!path.empty()) {
      Visit& visit = path.back();
      if (visit.next == visit.needs.size()) {
        marks[visit.parameter] = Mark::done;
        result.order.push_back(visit.parameter);
        path.pop_back();
        continue;
      }
      const std::size_t need = visit.needs[visit.next++];
      if (marks[need] == Mark::fresh) {
        enter(need);
      } else if (marks[need] == Mark::open) {
        std::vector<std::size_t> cycle;
        for (std::size_t k = path.size(); k-- > 0 && (cycle.empty() || cycle.back() != need);)
          cycle.push_back(path[k].parameter);
        result.cycles.emplace_back(cycle.rbegin(), cycle.rend());
      }
    }
  }
  return result;
}

std::vector<double> calc_parameter_values(const Mechanism& mechanism) {
  const Index index = make_index(mechanism);
  // in this order every parameter finds the ones it needs; those of a cycle find a nan
  std::vector<double> values(mechanism.parameters.size(), kNan);
  for (const std::size_t i : find_parameter_order(mechanism).order)
    values[i] = evaluate(mechanism.parameters[i].value, [&](std::string_view name) {
      const auto it = index.find(name);
      return it == index.end() ? kNan : values[it->second];
    });
  return values;
}

double evaluate_at(const Expression& expression, const Mechanism& mechanism,
                   const std::vector<double>& parameter_values) {
  return evaluate(expression, [&](std::string_view name) {
    for (std::size_t i = 0; i < mechanism.parameters.size(); ++i)
      if (mechanism.parameters[i].name.text == name) return parameter_values[i];
    return kNan;
  });
}

}  // namespace mechfmu
