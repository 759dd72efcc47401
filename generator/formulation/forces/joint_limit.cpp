// Compliant stops of a joint: beyond `lower` or `upper`, by the depth d > 0, the stop pushes back
// with
//
//     max(0, k d + c step(d / transition) d_dot)        step(x) = 3 x^2 - 2 x^3, 1 beyond x = 1
//
// The damping grows in smoothly, so that the force does not jump at the touch, and the stop never
// pulls.
#include "formulation/force_law.hpp"

namespace mechfmu {

namespace {

Expr push_back(ForceContext& in, Expr depth, Expr depth_rate) {
  Graph& g = in.graph();
  const Expr zero = g.number(0), one = g.number(1);
  const Expr inside = g.make(Op::max, depth, zero);
  const Expr x = g.make(Op::min, inside / in.scalar("transition"), one);
  const Expr step = x * x * (3.0 - 2.0 * x);
  const Expr force = in.scalar("stiffness") * inside + in.scalar("damping") * step * depth_rate;
  in.store_energy(0.5 * in.scalar("stiffness") * (inside * inside));
  return g.make(Op::max, force, zero);
}

}  // namespace

extern const ForceLaw force_joint_limit;
const ForceLaw force_joint_limit = {"joint_limit", [](ForceContext& in) {
                                      const Expr x = in.coordinate().value;
                                      const Expr rate = in.coordinate().rate;
                                      if (in.has("upper"))
                                        in.drive(-push_back(in, x - in.scalar("upper"), rate));
                                      if (in.has("lower"))
                                        in.drive(push_back(in, in.scalar("lower") - x, -rate));
                                    }};

}  // namespace mechfmu
