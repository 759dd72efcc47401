#include "formulation/frame_function.hpp"

#include "formulation/symbols.hpp"
#include "graph/derivative.hpp"

namespace mechfmu {

namespace {

// Places in the generic array: 24 numbers per frame.
enum Part : int { kP = 0, kR = 3, kV = 12, kW = 15, kA = 18, kAlpha = 21, kFrameSize = 24 };

Vec3 generic_vector(Graph& g, int frame, Part part) {
  const int first = frame * kFrameSize + part;
  return {{g.symbol(kGenericFrame, first), g.symbol(kGenericFrame, first + 1),
           g.symbol(kGenericFrame, first + 2)}};
}

Pose generic_pose(Graph& g, int frame) {
  Pose pose{generic_vector(g, frame, kP), {}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      pose.R[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          g.symbol(kGenericFrame, frame * kFrameSize + kR + 3 * i + j);
  return pose;
}

// Seeds that make both frames move; with accelerations also their velocities.
void seed_motion(Graph& g, Direction& along, bool accelerations) {
  for (int frame = 0; frame < 2; ++frame) {
    const Pose pose = generic_pose(g, frame);
    const Vec3 v = generic_vector(g, frame, kV), w = generic_vector(g, frame, kW);
    const Mat3 R_rate = pose.R * skew(w);
    for (std::size_t i = 0; i < 3; ++i) {
      along.seed(pose.p[i], v[i]);
      for (std::size_t j = 0; j < 3; ++j) along.seed(pose.R[i][j], R_rate[i][j]);
      if (accelerations) {
        along.seed(v[i], generic_vector(g, frame, kA)[i]);
        along.seed(w[i], generic_vector(g, frame, kAlpha)[i]);
      }
    }
  }
}

void replace_vector(Substitution& s, const Vec3& what, const Vec3& by) {
  for (std::size_t i = 0; i < 3; ++i) s.replace(what[i], by[i]);
}

void replace_frame(Graph& g, Substitution& s, int frame, const FrameMotion& by) {
  const Pose pose = generic_pose(g, frame);
  replace_vector(s, pose.p, by.pose.p);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) s.replace(pose.R[i][j], by.pose.R[i][j]);
  replace_vector(s, generic_vector(g, frame, kV), by.v);
  replace_vector(s, generic_vector(g, frame, kW), by.w);
  replace_vector(s, generic_vector(g, frame, kA), by.a);
  replace_vector(s, generic_vector(g, frame, kAlpha), by.alpha);
}

FrameMotion generic_motion(Graph& g, int frame) {
  return {generic_pose(g, frame), generic_vector(g, frame, kV), generic_vector(g, frame, kW),
          generic_vector(g, frame, kA), generic_vector(g, frame, kAlpha)};
}

enum class Level { positions, velocities };

std::vector<FrameFunctionValue> derive(Graph& g, const std::vector<Expr>& functions, Level level,
                                       const FrameMotion& parent, const FrameMotion& child) {
  Direction motion(g);
  seed_motion(g, motion, false);
  Direction acceleration(g);
  seed_motion(g, acceleration, true);
  Substitution put_in(g);
  replace_frame(g, put_in, 0, parent);
  replace_frame(g, put_in, 1, child);

  std::vector<FrameFunctionValue> results;
  for (const Expr& function : functions) {
    FrameFunctionValue result;
    const bool velocities = level == Level::velocities;
    const Expr rate = velocities ? function : motion.derivative(function);
    result.value = velocities ? g.number(0) : put_in.apply(function);
    result.rate = put_in.apply(rate);
    result.acceleration = put_in.apply(acceleration.derivative(rate));
    for (int frame = 0; frame < 2; ++frame) {
      Wrench& wrench = result.wrench[static_cast<std::size_t>(frame)];
      for (std::size_t i = 0; i < 3; ++i) {
        Direction push(g), turn(g);
        push.seed(generic_vector(g, frame, kV)[i], g.number(1));
        turn.seed(generic_vector(g, frame, kW)[i], g.number(1));
        wrench.force[i] = put_in.apply(push.derivative(rate));
        wrench.torque[i] = put_in.apply(turn.derivative(rate));
      }
    }
    results.push_back(result);
  }
  return results;
}

}  // namespace

MotionPair generic_motions(Graph& graph) {
  return {generic_motion(graph, 0), generic_motion(graph, 1)};
}

FramePair generic_frames(Graph& graph) { return {generic_pose(graph, 0), generic_pose(graph, 1)}; }

std::vector<FrameFunctionValue> apply_to_frames(Graph& g, const std::vector<Expr>& functions,
                                                const FrameMotion& parent,
                                                const FrameMotion& child) {
  return derive(g, functions, Level::positions, parent, child);
}

std::vector<FrameFunctionValue> apply_rates_to_frames(Graph& g, const std::vector<Expr>& functions,
                                                      const FrameMotion& parent,
                                                      const FrameMotion& child) {
  return derive(g, functions, Level::velocities, parent, child);
}

}  // namespace mechfmu
