#include "formulation/effort.hpp"

#include "formulation/formulated.hpp"

namespace mechfmu {

void add(Effort& sum, const Effort& effort, Expr factor) {
  for (FrameAction action : effort.frames) {
    action.wrench.force = factor * action.wrench.force;
    action.wrench.torque = factor * action.wrench.torque;
    sum.frames.push_back(action);
  }
  for (CoordinateAction action : effort.coordinates) {
    action.gain = factor * action.gain;
    sum.coordinates.push_back(action);
  }
}

void exert(Formulated& system, const Effort& effort, Expr force) {
  for (const FrameAction& action : effort.frames) {
    if (action.node < 0) continue;  // the ground needs no equation
    Load& load = system.loads[static_cast<std::size_t>(action.node)];
    const Mat3& R_WC = system.tree->nodes()[static_cast<std::size_t>(action.node)].pose_W.R;
    const Vec3 force_W = force * action.wrench.force;
    load.force_W = load.force_W + force_W;
    load.torque = load.torque + action.in_node.R * (force * action.wrench.torque) +
                  cross(action.in_node.p, transposed_product(R_WC, force_W));
  }
  for (const CoordinateAction& action : effort.coordinates) {
    JointCoordinate& c =
        system.joints[static_cast<std::size_t>(action.joint)].coordinates[action.coordinate];
    c.applied = c.applied + force * action.gain;
  }
}

}  // namespace mechfmu
