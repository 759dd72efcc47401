// Recursive dynamics of a TreeModel as graph expressions: inverse dynamics (Newton-Euler) and the
// mass matrix (composite bodies; Featherstone 2008, chapters 5 and 6).
//
// Angular quantities are kept in the node's own axes and linear ones in the axes of its parent.
// That way the mass matrix of a free body is exactly diag(m, m, m, J) and its equations stay as
// short as those written by hand.
#pragma once
#include <vector>

#include "formulation/mass_properties.hpp"
#include "formulation/tree_model.hpp"
#include "graph/derivative.hpp"

namespace mechfmu {

struct Load {
  Vec3 force_W;  // at the node's origin, in world axes
  Vec3 torque;   // about the node's origin, in node axes
};

// What the inboard side exerts on a node so that the tree moves as it does.
struct TransmittedWrench {
  Vec3 force_P;  // in axes of the parent node, at the node's origin
  Vec3 torque;   // in node axes
};

struct InverseDynamics {
  std::vector<Expr> generalised;               // [nv] M a + velocity terms - loads
  std::vector<TransmittedWrench> transmitted;  // per node
};

// `mass` and `loads` per node; gravity in world axes.
InverseDynamics calc_inverse_dynamics(const TreeModel& tree,
                                      const std::vector<MassProperties>& mass,
                                      const std::vector<Load>& loads, const Vec3& gravity, int nv);

// How many entries the lower triangle of M has, at most.
double count_mass_entries(const TreeModel& tree);
// Lower triangle of M (row >= column), without zeros.
std::vector<SparseEntry> calc_mass_matrix(const TreeModel& tree,
                                          const std::vector<MassProperties>& mass);

Expr calc_kinetic_energy(const TreeModel& tree, const std::vector<MassProperties>& mass);

}  // namespace mechfmu
