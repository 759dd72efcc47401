// Dry and viscous friction in a joint: -(coulomb tanh(rate / velocity) + viscous rate) on the
// child. The smoothing lets a loaded joint creep slowly instead of sticking; a smaller velocity
// creeps less and needs smaller steps.
#include "formulation/force_law.hpp"

namespace mechfmu {

extern const ForceLaw force_friction;
const ForceLaw force_friction = {
    "friction", [](ForceContext& in) {
      const Expr rate = in.coordinate().rate;
      in.drive(-(in.scalar("coulomb") * tanh(rate / in.scalar("velocity")) +
                 in.scalar("viscous") * rate));
    }};

}  // namespace mechfmu
