// Turns about and slides along one axis (4 rows).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_cylindrical;
const JointPhysics joint_cylindrical = {
    "cylindrical",
    [](const JointGeometry& g) {
      return std::vector<Motion>{{MotionKind::rotate, g.axis}, {MotionKind::translate, g.axis}};
    },
    [](const JointGeometry& g, const FramePair& f) {
      const Vec3 d = residual::relative_position(f);
      return residual::join({dot(g.side1, d), dot(g.side2, d)}, residual::same_axis(g, f));
    },
    [](const JointGeometry& g, const FramePair& f) {
      return std::vector<Expr>{residual::angle_about_axis(g, f),
                               dot(g.axis, residual::relative_position(f))};
    },
};

}  // namespace mechfmu
