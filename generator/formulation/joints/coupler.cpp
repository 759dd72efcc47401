// Couples two motions of any kind: first = ratio second + offset (1 row). Angles count turns.
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_coupler;
const JointPhysics joint_coupler = {
    "coupler",
    [](const JointGeometry&) { return std::vector<Motion>{}; },
    [](const JointGeometry&, const FramePair&) { return std::vector<Expr>{}; },
    [](const JointGeometry&, const FramePair&) { return std::vector<Expr>{}; },
    nullptr,
    [](const JointGeometry& g, Expr first, Expr second) {
      return first - g.ratio * second - g.offset;
    },
};

}  // namespace mechfmu
