// What must be evaluated before what. Both orders come from the dependencies that the FMUs declare;
// what an FMU does not say is taken as "depends on all".
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "coupling/coupled_system.hpp"

namespace mechfmu {

// Strongly connected groups of 0 .. count-1 in an order in which every edge (first before second)
// between groups is kept; otherwise smaller numbers come first.
std::vector<std::vector<std::size_t>> find_ordered_groups(
    std::size_t count, const std::vector<std::pair<std::size_t, std::size_t>>& edges);

// Links in the order in which their values can be passed on in initialization mode. More than one
// link in a group, or a link that depends on itself, is an algebraic loop.
struct LinkGroup {
  std::vector<std::size_t> links;
  bool is_loop = false;
};
std::vector<LinkGroup> order_links_at_start(const CoupledSystem& system);

// Whether the input wants the value that its source has at the end of a step: a smooth signal is
// interpolated to it, a held one (discrete, or of another type than Real) is passed through there.
// A held signal that only drives states keeps its value over the step.
bool is_smooth(const CoupledLink& link);
bool takes_end(const CoupledSystem& system, const CoupledLink& link);

// Gauss-Seidel: a component whose outputs follow its inputs at once steps after what feeds it.
std::vector<std::size_t> order_components(const CoupledSystem& system);

}  // namespace mechfmu
