// Slides on a plane and turns about its normal (3 rows).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_planar;
const JointPhysics joint_planar = {
    "planar",
    [](const JointGeometry& g) {
      return std::vector<Motion>{{MotionKind::translate, g.side1},
                                 {MotionKind::translate, g.side2},
                                 {MotionKind::rotate, g.axis}};
    },
    [](const JointGeometry& g, const FramePair& f) {
      return residual::join({dot(g.axis, residual::relative_position(f))},
                            residual::same_axis(g, f));
    },
    [](const JointGeometry& g, const FramePair& f) {
      const Vec3 d = residual::relative_position(f);
      return std::vector<Expr>{dot(g.side1, d), dot(g.side2, d), residual::angle_about_axis(g, f)};
    },
};

}  // namespace mechfmu
