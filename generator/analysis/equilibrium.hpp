// Static trim: where a mechanism rests. In minimal coordinates the accelerations a(x, s) at rest
// must vanish; x are the free positions, s inputs or parameters that may be solved for, too.
//
// They are measured by the kinetic metric M = L L^T of the reduced mass matrix, r = L^T a, so that
// metres and radians, heavy and light bodies count alike: |r| is the length of the unbalanced
// force.
//
//     r(x) = 0     Newton's method with the exact Jacobian (tangent_space.hpp), least squares of
//                  minimum norm, steps limited and shortened until |r| falls; Levenberg-Marquardt
//                  where they do not
//
// finds the rest near the guess, stable or not. Where it is stuck, and if only stable ones are
// wanted, the mechanism is let go in honey instead: x' = a, in implicit steps that grow as it comes
// to rest (pseudo-transient continuation; Kelley and Keyes, 1998). That path goes down in energy.
#pragma once
#include <string>
#include <vector>

#include "analysis/linearize.hpp"

namespace mechfmu {

struct EquilibriumOptions {
  std::vector<std::string> solve_for;  // inputs and parameters
  std::vector<std::string> hold;       // coordinates; with solve_for and none: the fixed starts
  bool stable = false;                 // go down to a stable one
};

struct Equilibrium {
  struct Solved {
    std::string name, unit;
    double value = 0;
  };
  std::vector<Solved> solved;     // what solve_for names
  std::vector<std::string> held;  // coordinates that kept their start
  int iterations = 0;
  bool followed_path = false;       // by letting go in honey
  double largest_acceleration = 0;  // that is left
  double moved = 0;                 // largest change of a coordinate since the start
  bool depends_on_time = false;     // forces do: it rests at this time only
  bool indifferent = false;         // there are neighbouring ones
  LinearModel linear;               // at rest
};

// From the assembled start at which `point` stands; the point stands at rest afterwards. Inputs are
// followed directly. Nothing and errors with the reason: E311, E317 to E319.
std::optional<Equilibrium> find_equilibrium(OperatingPoint& point,
                                            const EquilibriumOptions& options,
                                            Diagnostics& diagnostics);

}  // namespace mechfmu
