// Keeps two points at a distance, like a massless rod (1 row).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_distance;
const JointPhysics joint_distance = {
    "distance",
    no_motions,
    [](const JointGeometry& g, const FramePair& f) {
      return std::vector<Expr>{norm(f.child.p - f.parent.p) - g.length};
    },
    no_functions,
};

}  // namespace mechfmu
