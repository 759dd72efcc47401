// A torque on the body of a frame, in world axes or in those of the frame.
#include "formulation/force_law.hpp"

namespace mechfmu {

extern const ForceLaw force_torque;
const ForceLaw force_torque = {
    "torque", [](ForceContext& in) {
      const Vec3 value = in.vector("value");
      in.turn("at", in.choice("axes") == "body" ? in.frame("at").pose.R * value : value);
    }};

}  // namespace mechfmu
