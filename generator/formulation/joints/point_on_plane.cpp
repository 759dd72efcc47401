// Keeps the child's origin on a plane of the parent (1 row).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_point_on_plane;
const JointPhysics joint_point_on_plane = {
    "point_on_plane",
    no_motions,
    [](const JointGeometry& g, const FramePair& f) {
      return std::vector<Expr>{dot(g.axis, residual::relative_position(f))};
    },
    no_functions,
};

}  // namespace mechfmu
