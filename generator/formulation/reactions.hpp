// Reactions of every joint: the constraint force and torque on the child, at the child frame's
// origin, in parent axes.
#pragma once
#include "formulation/formulated.hpp"

namespace mechfmu {

// Fills FormulatedJoint::reaction, as expressions of accelerations and multipliers. Joints that are
// constraints have their reaction in their multipliers; joints of the tree transmit what inverse
// dynamics of everything beyond them asks for, less what joint forces already supply along the free
// motions.
void add_reactions(Formulated& system, const Mechanism& mechanism, const SpanningTree& tree);

}  // namespace mechfmu
