// A force at the origin of a frame, in world axes or in those of the frame.
#include "formulation/force_law.hpp"

namespace mechfmu {

extern const ForceLaw force_force;
const ForceLaw force_force = {
    "force", [](ForceContext& in) {
      const Vec3 value = in.vector("value");
      in.push("at", in.choice("axes") == "body" ? in.frame("at").pose.R * value : value);
    }};

}  // namespace mechfmu
