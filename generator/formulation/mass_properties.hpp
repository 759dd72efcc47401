// Mass, centre of mass and inertia as graph expressions, so that they stay parameters of the FMU.
#pragma once
#include <vector>

#include "formulation/symbols.hpp"
#include "formulation/tree_model.hpp"
#include "mechanism/mechanism.hpp"

namespace mechfmu {

struct MassProperties {
  Expr mass;     // [kg]
  Vec3 moment;   // mass times centre of mass, from the frame's origin [kg m]
  Mat3 inertia;  // about the frame's origin [kg m^2]
};

MassProperties no_mass(Graph& graph);
MassProperties operator+(const MassProperties& a, const MassProperties& b);
// The same matter seen from another frame, in which the old one has the given pose.
MassProperties transform(const Pose& pose, const MassProperties& m);

// All solids of a body, about the origin of a frame in which the body has the given pose: placed
// solid by solid, so that nothing is added and taken away again when the frame sits in the centre
// of mass. `meaning` knows the parameters.
MassProperties calc_mass_properties(Graph& graph, const Body& body, const Pose& pose,
                                    const NameMeaning& meaning);
// In the body's origin frame.
Vec3 calc_centre_of_mass(Graph& graph, const Body& body, const NameMeaning& meaning);

}  // namespace mechfmu
