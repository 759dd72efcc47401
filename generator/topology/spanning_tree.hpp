// Which joints carry the bodies and which ones close loops.
//
// Problem: choose for every body one joint that carries it, so that the chosen joints form a tree
// rooted at the ground; the others are cut and become constraints. Wanted, in this order: joints
// the user asked to cut are cut; joints with a fixed start, then those with a guess, carry (their
// start values then are coordinates of the tree); joints with much freedom are cut, because they
// leave few closure equations; bodies stay near the ground, which keeps the mass matrix sparse (the
// N-fold four-bar becomes N pairs instead of one chain).
//
// This is a minimum spanning tree with lexicographic weights; Prim's method from the ground breaks
// ties by depth.
#pragma once
#include <string>
#include <vector>

#include "mechanism/mechanism.hpp"

namespace mechfmu {

struct TreeEdge {
  int joint = -1;  // -1: no joint can carry this body; it floats on the ground with six freedoms
  int inboard = kGround;  // body nearer to the ground
  int outboard = kGround;
  bool reversed = false;  // the joint's child is the inboard body
};

struct Loop {
  int closing_joint = -1;
  std::vector<int> joints;  // around the loop, beginning with the one that comes first in the file
  [[nodiscard]] std::string name(const Mechanism& mechanism) const;  // "A-B-C-D"
};

struct SpanningTree {
  std::vector<TreeEdge> edges;  // inboard bodies before outboard ones; one per body
  std::vector<int> cut_joints;  // in file order
  std::vector<Loop> loops;      // one per cut joint
  [[nodiscard]] bool carries(int joint) const;
};

SpanningTree make_spanning_tree(const Mechanism& mechanism);

}  // namespace mechfmu
