// A blade, skate or wheel that glides along itself and does not slip sideways (1 nonholonomic row):
// with n the normal of the plane and b along the blade, the velocity of the child's origin relative
// to the plane has no part along n x b.
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_blade;
const JointPhysics joint_blade = {
    "blade",
    no_motions,
    no_functions,
    no_functions,
    [](const JointGeometry& g, const MotionPair& f) {
      const Vec3 side = cross(f.parent.pose.R * g.normal, f.child.pose.R * g.axis);
      const Vec3 slip = residual::relative_velocity(f, zero_vector(*g.graph));
      return std::vector<Expr>{dot(side, slip)};
    },
};

}  // namespace mechfmu
