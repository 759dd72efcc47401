// The forces of a potential V(positions): -dV/dx along every motion that it reads, so that the
// energy is conserved by construction.
#include "formulation/force_law.hpp"

namespace mechfmu {

extern const ForceLaw force_potential;
const ForceLaw force_potential = {"potential",
                                  [](ForceContext& in) { in.act_by_potential("value"); }};

}  // namespace mechfmu
