// The symbols of the expression graph: those of the runtime (system/model.hpp) and a few that never
// reach a kernel.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "mechanism/expression.hpp"
#include "system/model.hpp"

namespace mechfmu {

// Poses and motions of two generic frames, see frame_function.hpp; replaced before anything is
// printed.
inline constexpr int kGenericFrame = runtime::kInputArrayCount;

// Values, rates and accelerations of signals, see signal_scope.hpp; replaced likewise.
inline constexpr int kGenericSignal = kGenericFrame + 1;

inline Expr time_symbol(Graph& g) { return g.symbol(runtime::kTime, 0); }

// What a name in a user's expression stands for. A vector has several elements; nothing if the name
// is unknown here.
using NameMeaning = std::function<std::optional<std::vector<Expr>>(const std::string& name)>;

// A user's expression as a graph expression. Validation has seen it before: an unknown name is a
// mistake of ours.
using TableNames = std::map<std::string, int>;
Expr resolve(Graph& graph, const Expression& expression, const TableNames& tables,
             const NameMeaning& meaning);
// The same where tables cannot be used: values of parameters.
Expr resolve(Graph& graph, const Expression& expression, const NameMeaning& meaning);

}  // namespace mechfmu
