// Leaves all six motions (no rows): position in parent axes, then orientation.
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_free;
const JointPhysics joint_free = {
    "free",
    [](const JointGeometry& g) {
      const Vec3 unused = g.axis;
      Graph& graph = *g.graph;
      return std::vector<Motion>{{MotionKind::translate, make_vector(graph, 1, 0, 0)},
                                 {MotionKind::translate, make_vector(graph, 0, 1, 0)},
                                 {MotionKind::translate, make_vector(graph, 0, 0, 1)},
                                 {MotionKind::ball, unused}};
    },
    no_functions,
    no_functions,
};

}  // namespace mechfmu
