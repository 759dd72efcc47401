// Spring and damper between two points: force along their connection, k (l - l0) + c dl/dt, pulling
// when positive. Points that meet have no direction between them: the force is zero there, not
// infinite.
#include "formulation/force_law.hpp"

namespace mechfmu {

extern const ForceLaw force_spring_damper;
const ForceLaw force_spring_damper = {
    "spring_damper", [](ForceContext& in) {
      const FrameMotion from = in.frame("from"), to = in.frame("to");
      const Vec3 d = to.pose.p - from.pose.p;
      const Expr length = norm(d);
      const Expr guarded = in.graph().make(Op::max, length, in.graph().number(1e-12));
      const Vec3 direction = (1.0 / guarded) * d;
      const Expr stretch = length - in.scalar("length");
      const Expr speed = dot(direction, to.v - from.v);
      const Expr tension = in.scalar("stiffness") * stretch + in.scalar("damping") * speed;
      in.push("from", tension * direction);
      in.push("to", -(tension * direction));
      in.store_energy(0.5 * in.scalar("stiffness") * (stretch * stretch));
    }};

}  // namespace mechfmu
