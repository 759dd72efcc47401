// Couples the slide of a rack to the turn of a pinion: rack = radius pinion + offset (1 row).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_rack_and_pinion;
const JointPhysics joint_rack_and_pinion = {
    "rack_and_pinion",
    no_motions,
    no_functions,
    no_functions,
    nullptr,
    [](const JointGeometry& g, Expr rack, Expr pinion) {
      return rack - g.radius * pinion - g.offset;
    },
};

}  // namespace mechfmu
