// An elastic bearing between two frames: springs and dampers along three displacements and about
// three turns, all measured in axes of `from`.
//
// Displacement: position of `to` seen from `from`. Turn: 2 sin(theta/2) n of the relative rotation
// by theta about n, which is the rotation vector for small angles, smooth up to half a turn, and
// equal to axial(R) / cos(theta/2) with cos(theta/2) = sqrt(1 + tr R) / 2. Force and torque are
// found from the work they do, so that the springs store exactly the energy 1/2 k x^2.
#include "formulation/force_law.hpp"
#include "formulation/joint_physics.hpp"

namespace mechfmu {

namespace {

std::vector<Expr> deformations(Graph& g) {
  const FramePair f = generic_frames(g);
  const Vec3 d = residual::relative_position(f);
  const Mat3 R = transpose(f.parent.R) * f.child.R;
  const Expr trace = R[0][0] + R[1][1] + R[2][2];
  const Expr scale = 1.0 / sqrt(1.0 + trace);
  return {d[0],
          d[1],
          d[2],
          scale * (R[2][1] - R[1][2]),
          scale * (R[0][2] - R[2][0]),
          scale * (R[1][0] - R[0][1])};
}

}  // namespace

extern const ForceLaw force_bushing;
const ForceLaw force_bushing = {
    "bushing", [](ForceContext& in) {
      const std::vector<FrameFunctionValue> x = in.measure(deformations(in.graph()));
      const Vec3 stiffness[] = {in.vector("stiffness"), in.vector("torsional_stiffness")};
      const Vec3 damping[] = {in.vector("damping"), in.vector("torsional_damping")};
      for (std::size_t i = 0; i < 6; ++i) {
        const Expr k = stiffness[i / 3][i % 3];
        in.push_along(x[i], -(k * x[i].value + damping[i / 3][i % 3] * x[i].rate));
        in.store_energy(0.5 * k * (x[i].value * x[i].value));
      }
    }};

}  // namespace mechfmu
