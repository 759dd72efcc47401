// A thin disc rolls on a plane without slipping. Its rim touches the plane (1 row): with n the
// normal and a the axis of the disc, the lowest point of the rim is at c = -r (n - (n.a) a) / |n -
// (n.a) a| from the centre, and
//     height of the centre - r sqrt(1 - (n.a)^2) = 0
// The material points that touch have the same velocity along the plane (2 nonholonomic rows);
// along the normal that follows from the first row.
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_rolling_disc;
const JointPhysics joint_rolling_disc = {
    "rolling_disc",
    no_motions,
    [](const JointGeometry& g, const FramePair& f) {
      const Expr lean = dot(f.parent.R * g.normal, f.child.R * g.axis);
      return std::vector<Expr>{dot(g.normal, residual::relative_position(f)) -
                               g.radius * sqrt(1.0 - lean * lean)};
    },
    no_functions,
    [](const JointGeometry& g, const MotionPair& f) {
      const Vec3 normal = f.parent.pose.R * g.normal;
      const Vec3 axis = f.child.pose.R * g.axis;
      const Expr lean = dot(normal, axis);
      const Expr scale = g.radius / sqrt(1.0 - lean * lean);
      return residual::no_slip(g, f, -(scale * (normal - lean * axis)));
    },
};

}  // namespace mechfmu
