// Turns about an axis of the parent, then about one of the child, square to each other (Cardan
// joint, 4 rows).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_universal;
const JointPhysics joint_universal = {
    "universal",
    [](const JointGeometry& g) {
      return std::vector<Motion>{{MotionKind::rotate, g.axis}, {MotionKind::rotate, g.axis2}};
    },
    [](const JointGeometry& g, const FramePair& f) {
      return residual::join(residual::same_point(f),
                            {dot(f.parent.R * g.axis, f.child.R * g.axis2)});
    },
    [](const JointGeometry& g, const FramePair& f) {
      // R = Rot(a, q1) Rot(b, q2): R b = Rot(a, q1) b and R^T a = Rot(b, -q2) a
      const Mat3 R = transpose(f.parent.R) * f.child.R;
      const Vec3 b = R * g.axis2;
      const Vec3 a = transposed_product(R, g.axis);
      const Vec3 third = cross(g.axis, g.axis2);
      return std::vector<Expr>{atan2(dot(third, b), dot(g.axis2, b)),
                               atan2(dot(third, a), dot(g.axis, a))};
    },
};

}  // namespace mechfmu
