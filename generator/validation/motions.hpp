// Which motion of a joint an attribute names: forces, drives and couplings ask for it alike.
#pragma once
#include <string>
#include <string_view>

#include "validation/rules.hpp"

namespace mechfmu {

struct MotionRequest {
  std::string label;                           // "force 'motor'"
  std::string_view joint_attribute = "joint";  // names the joint
  std::string_view attribute = "coordinate";   // names the motion, may be absent
  std::string_view unit;                       // "rad", "m", or "" for either
  std::string hint;                            // where the joint has no such motion
};

// The motion, written into the arguments so that later stages find it whether the user wrote it or
// not; nullptr (and an error, unless the joint itself is in doubt) if there is none or no telling
// which.
const Coordinate* resolve_motion(Arguments& arguments, const std::vector<Attribute>& table,
                                 const MotionRequest& request, RuleContext& context);

}  // namespace mechfmu
