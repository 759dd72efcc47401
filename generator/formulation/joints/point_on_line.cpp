// Keeps the child's origin on a line of the parent (2 rows).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_point_on_line;
const JointPhysics joint_point_on_line = {
    "point_on_line",
    no_motions,
    [](const JointGeometry& g, const FramePair& f) {
      const Vec3 d = residual::relative_position(f);
      return std::vector<Expr>{dot(g.side1, d), dot(g.side2, d)};
    },
    no_functions,
};

}  // namespace mechfmu
