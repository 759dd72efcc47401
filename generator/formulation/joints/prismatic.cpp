// Slides along one axis: the child's origin stays on it, the orientation is kept (5 rows).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_prismatic;
const JointPhysics joint_prismatic = {
    "prismatic",
    [](const JointGeometry& g) {
      return std::vector<Motion>{{MotionKind::translate, g.axis}};
    },
    [](const JointGeometry& g, const FramePair& f) {
      const Vec3 d = residual::relative_position(f);
      return residual::join({dot(g.side1, d), dot(g.side2, d)}, residual::same_orientation(f));
    },
    [](const JointGeometry& g, const FramePair& f) {
      return std::vector<Expr>{dot(g.axis, residual::relative_position(f))};
    },
};

}  // namespace mechfmu
