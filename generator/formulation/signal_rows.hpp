// Constraint rows that are functions of signals: couplings of joints, constraints by expression,
// drives.
#pragma once
#include "formulation/formulated.hpp"
#include "formulation/joint_physics.hpp"

namespace mechfmu {

// Files the row, or what it is instead: a residual that nothing can move is a check of lengths.
void add_row(Formulated& system, const RowOwner& owner, ConstraintRow row);

// The coupling of a joint: of its own coordinates, or of the motions that it names.
void add_coupling(Formulated& system, const Mechanism& mechanism, int joint,
                  const JointPhysics& physics, const JointGeometry& geometry);
void add_expression_constraints(Formulated& system, const Mechanism& mechanism);
void add_drives(Formulated& system, const Mechanism& mechanism);

// Index of the motion that attributes joint and coordinate name.
std::size_t find_coordinate(const Joint& joint, const Argument* coordinate);

}  // namespace mechfmu
