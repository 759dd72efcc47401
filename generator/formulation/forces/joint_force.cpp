// A force along a sliding motion of a joint: positive on the child along the axis.
#include "formulation/force_law.hpp"

namespace mechfmu {

extern const ForceLaw force_joint_force;
const ForceLaw force_joint_force = {"joint_force",
                                    [](ForceContext& in) { in.drive(in.scalar("value")); }};

}  // namespace mechfmu
