// Spring and damper about a joint's axis: torque -(k (angle - angle0) + c rate) on the child.
#include "formulation/force_law.hpp"

namespace mechfmu {

extern const ForceLaw force_torsion_spring;
const ForceLaw force_torsion_spring = {
    "torsion_spring", [](ForceContext& in) {
      const JointCoordinate& joint = in.coordinate();
      const Expr twist = joint.value - in.scalar("angle");
      in.drive(-(in.scalar("stiffness") * twist + in.scalar("damping") * joint.rate));
      in.store_energy(0.5 * in.scalar("stiffness") * (twist * twist));
    }};

}  // namespace mechfmu
