// A torque about a turning motion of a joint: positive on the child about the axis.
#include "formulation/force_law.hpp"

namespace mechfmu {

extern const ForceLaw force_joint_torque;
const ForceLaw force_joint_torque = {"joint_torque",
                                     [](ForceContext& in) { in.drive(in.scalar("value")); }};

}  // namespace mechfmu
