// Where the motion begins: <start> values as parameters of the FMU, the first guess of the
// assembly, the conditions it has to meet; and where bodies stand on the ground in the absolute
// formulations.
#pragma once
#include "formulation/formulated.hpp"

namespace mechfmu {

// A body of an absolute formulation: the motions it hangs on and how it sits on the last of them.
struct GroundPlace {
  Pose before;
  std::vector<Motion> motions;
  Pose body_in_node;
};
std::vector<GroundPlace> calc_ground_places(const Formulated& system, const Mechanism& mechanism,
                                            const SpanningTree& tree);

// Fills start_values, start_rows, guess and memory_guess.
void add_start_conditions(Formulated& system, const Mechanism& mechanism, const SpanningTree& tree);

}  // namespace mechfmu
