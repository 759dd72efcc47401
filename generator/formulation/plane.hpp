// Planar mechanisms: all turning axes parallel, all sliding and all loads in the plane across them.
#pragma once
#include <array>
#include <optional>

#include "formulation/formulated.hpp"

namespace mechfmu {

struct PlaneAxes {
  Vec3 normal, side1, side2;  // right-handed
};
PlaneAxes make_plane_axes(Graph& graph, const std::array<double, 3>& normal);

// The normal of the plane in which the mechanism moves, at nominal parameter values; nothing if it
// is spatial, or if that cannot be seen from the joints and loads alone.
std::optional<std::array<double, 3>> find_plane(const Mechanism& mechanism,
                                                const SpanningTree& tree);

}  // namespace mechfmu
