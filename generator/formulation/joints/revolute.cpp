// Turns about one axis: origins and axes coincide (5 rows).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_revolute;
const JointPhysics joint_revolute = {
    "revolute",
    [](const JointGeometry& g) {
      return std::vector<Motion>{{MotionKind::rotate, g.axis}};
    },
    [](const JointGeometry& g, const FramePair& f) {
      return residual::join(residual::same_point(f), residual::same_axis(g, f));
    },
    [](const JointGeometry& g, const FramePair& f) {
      return std::vector<Expr>{residual::angle_about_axis(g, f)};
    },
};

}  // namespace mechfmu
