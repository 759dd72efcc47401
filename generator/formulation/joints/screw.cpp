// Turns about one axis and moves along it in proportion, pitch h per radian: the rows of a
// cylindrical joint and translation - h angle = 0 (5 rows). The angle counts turns, so the last row
// holds over any number of them.
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_screw;
const JointPhysics joint_screw = {
    "screw",
    [](const JointGeometry& g) {
      return std::vector<Motion>{{MotionKind::rotate, g.axis, 1, g.pitch}};
    },
    [](const JointGeometry& g, const FramePair& f) {
      const Vec3 d = residual::relative_position(f);
      return residual::join({dot(g.side1, d), dot(g.side2, d)}, residual::same_axis(g, f));
    },
    [](const JointGeometry& g, const FramePair& f) {
      return std::vector<Expr>{residual::angle_about_axis(g, f),
                               dot(g.axis, residual::relative_position(f))};
    },
    nullptr,
    [](const JointGeometry& g, Expr angle, Expr translation) {
      return translation - g.pitch * angle;
    },
};

}  // namespace mechfmu
