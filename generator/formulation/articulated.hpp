// The factors of the mass matrix of a tree, M = L D L^T, without its entries: articulated-body
// inertias, from the leaves to the ground (Featherstone 2008, chapter 7). The matrix of a chain of
// n joints has n^2/2 entries; this takes n steps.
//
// At each node, freedom by freedom, with the motion axis S (spin s, slide t) and the inertia I_A of
// everything beyond that can still move:
//
//     U = I_A S    D = S^T U    I_A <- I_A - U U^T / D    then I_A is added to the parent's
//
// L^-1 is the sweep of forces towards the ground, y = x - S^T p, p <- p + U y / D; L^-T is the
// sweep of accelerations outwards, x <- x - U^T A / D, A <- A + S x.
#pragma once
#include <functional>
#include <vector>

#include "formulation/mass_properties.hpp"
#include "formulation/tree_model.hpp"

namespace mechfmu {

struct ArticulatedFreedom {
  int velocity;
  Vec3 spin, slide;    // S, in node axes
  Vec3 torque, force;  // U / D, in node axes, about the node's origin
};

struct ArticulatedNode {
  int parent;
  Pose pose;  // in the parent
  std::vector<ArticulatedFreedom> freedoms;
};

struct ArticulatedFactor {
  int size = 0;
  std::vector<int> order;  // as they are: 0, 1, ...
  std::vector<ArticulatedNode> nodes;
  std::vector<Expr> inverse_pivot;  // 1 / D by velocity
};

ArticulatedFactor factor_articulated(const TreeModel& tree, const std::vector<MassProperties>& mass,
                                     int nv);

// The same calls as those of a SymbolicFactor.
void solve_lower(const ArticulatedFactor& factor, std::vector<Expr>& x);
void solve_upper(const ArticulatedFactor& factor, std::vector<Expr>& x);
ArticulatedFactor map_factor(const ArticulatedFactor& factor,
                             const std::function<Expr(Expr)>& stored);

}  // namespace mechfmu
