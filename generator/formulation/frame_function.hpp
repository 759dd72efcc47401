// A scalar function of two frames, and everything that follows from it.
//
// A constraint row or a joint coordinate is written once, as an expression of the poses of a parent
// frame 1 and a child frame 2. Its rate, the forces it exerts on the frames and its velocity terms
// are derived here, on generic frames, where nothing is constant or aligned by accident; then the
// mechanism's own frames are put in and the zeros fold away.
//
//     phi(p1, R1, p2, R2)       p_dot = v,  R_dot = R w~          (w in frame axes)
//     phi_dot = sum over frames of  n . v + m . w                 n, m: what a unit multiplier
//     exerts phi_ddot = n . a + m . alpha + gamma
//
// A function of velocities psi(p, R, v, w) (a wheel that does not slip) begins one level higher:
// its value is the rate, n and m are its derivatives by v and w.
#pragma once
#include <array>
#include <vector>

#include "formulation/tree_model.hpp"

namespace mechfmu {

struct FramePair {
  Pose parent, child;
};

struct MotionPair {  // their accelerations are not meant to be used
  FrameMotion parent, child;
};

struct Wrench {
  Vec3 force;   // in world axes, at the frame's origin
  Vec3 torque;  // in frame axes
};

struct FrameFunctionValue {
  Expr value;  // 0 for a function of velocities
  Expr rate;
  Expr acceleration;             // with the acceleration symbols of the frames
  std::array<Wrench, 2> wrench;  // per unit of generalised force: parent, child
};

// The generic frames to write a function with.
FramePair generic_frames(Graph& graph);

// `functions` are expressions of generic_frames(); the results are in terms of the given frames.
std::vector<FrameFunctionValue> apply_to_frames(Graph& graph, const std::vector<Expr>& functions,
                                                const FrameMotion& parent,
                                                const FrameMotion& child);

// The same for functions of velocities.
MotionPair generic_motions(Graph& graph);
std::vector<FrameFunctionValue> apply_rates_to_frames(Graph& graph,
                                                      const std::vector<Expr>& functions,
                                                      const FrameMotion& parent,
                                                      const FrameMotion& child);

}  // namespace mechfmu
