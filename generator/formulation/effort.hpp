// Where a scalar force acts: along motions of tree joints, and as wrenches on frames. Every motion
// that can be measured can also be pushed along, and what pushes is found by the same derivative
// that gives the motion's rate. Forces, drives, couplings and constraints by expression all act
// through this.
#pragma once
#include <vector>

#include "formulation/frame_function.hpp"

namespace mechfmu {

struct Formulated;

struct FrameAction {  // per unit of the force
  int node = -1;      // that the frame is fixed to; -1: the ground
  Pose in_node;
  Wrench wrench;
  bool on_child = false;  // of the joint that the force belongs to
};

struct CoordinateAction {  // along a motion of a tree joint
  int joint = -1;
  std::size_t coordinate = 0;
  Expr gain;
};

struct Effort {
  std::vector<FrameAction> frames;
  std::vector<CoordinateAction> coordinates;
};

// A scalar motion and the way to push along it.
struct Port {
  Expr value, rate, acceleration;
  Effort effort;
};

void add(Effort& sum, const Effort& effort, Expr factor);

// Adds the forces to the loads of the nodes and to what is applied along tree joints.
void exert(Formulated& system, const Effort& effort, Expr force);

}  // namespace mechfmu
