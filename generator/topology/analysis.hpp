// What the analysis found out about a mechanism, for people: `check`, `info` and the build's report
// print it.
#pragma once
#include <string>
#include <vector>

#include "support/span.hpp"

namespace mechfmu {

struct LoopReport {
  std::string name;  // "A-B-C-D": the joints around the loop
  std::vector<std::string> joints;
  Span span;                // of the closing joint
  int equations = 0;        // closure equations as the joint type counts them
  int redundant = 0;        // of them, how many follow from the others
  std::string explanation;  // in words; empty if nothing is redundant
};

struct Analysis {
  int bodies = 0;
  int joints = 0;
  int mobility = 0;           // degrees of freedom at regular poses
  int mobility_at_start = 0;  // at the assembled start pose (larger at a singular pose)
  int coordinates = 0;        // nv of the chosen formulation
  int equations = 0;          // constraint rows of the chosen formulation
  int rank = 0;               // their rank at regular poses
  std::vector<LoopReport> loops;
  std::vector<std::string> tree_joints, cut_joints;
  std::vector<std::string> couplings;  // gears and the like, constraints by expression
  std::vector<std::string> drives;     // what is prescribed
  bool moves_by_itself = false;        // something is prescribed as a function of time or inputs
  int nonholonomic = 0;                // of the equations, constraints on velocities
  std::vector<std::string>
      indeterminate_joints;        // reactions not unique: split by the minimum-norm rule
  std::string formulation;         // "joint", "absolute", "absolute_spatial"
  std::string formulation_reason;  // why `auto` chose it
  bool planar = false;
  bool start_as_given = false;   // the start was not assembled
  double position_residual = 0;  // |phi| after assembly
  double velocity_residual = 0;  // |phi_dot| after assembly
  int assembly_iterations = 0;
};

}  // namespace mechfmu
