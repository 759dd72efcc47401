// Where the equations of motion branch: conditions of `if` (a < b, a <= b) at which they jump, and
// the bends of min, max and abs. Each is an event indicator a - b of the FMU, whose sign changes
// there.
//
// A condition is held while an integrator makes a step, so that it sees smooth equations: kernels
// read it as a symbol (runtime::kMode). Bends are indicators only; the values are continuous there
// and are computed as they stand.
#pragma once
#include <vector>

#include "graph/graph.hpp"

namespace mechfmu {

struct EventPlan {
  std::vector<Expr> conditions;  // to be held, nodes of the motion
  std::vector<Expr> indicators;  // of the conditions, then of the bends
};

// What branches in `motion`, unless it depends on parameters alone.
EventPlan find_events(Graph& graph, const std::vector<Expr>& motion);

}  // namespace mechfmu
