// Couples the slide of a rack to the turn of a pinion: rack = radius pinion + offset (1 row).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_rack_and_pinion;
const JointPhysics joint_rack_and_pinion = {
    "rack_and_pinion",
    [](const JointGeometry&) { return std::vector<Motion>{}; },
    [](const JointGeometry&, const FramePair&) { return std::vector<Expr>{}; },
    [](const JointGeometry&, const FramePair&) { return std::vector<Expr>{}; },
    nullptr,
    [](const JointGeometry& g, Expr rack, Expr pinion) {
      return rack - g.radius * pinion - g.offset;
    },
};

}  // namespace mechfmu
