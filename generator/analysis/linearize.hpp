// A mechanism as a linear system at a state,
//
//     x' = A x + B u        y = C x + D u        (all of them changes from where they are now)
//
// in minimal coordinates: x holds the independent positions, then the independent velocities (see
// tangent_space.hpp), then the filters of inputs that drives follow. Inputs and outputs are those
// of the FMU.
//
// At a state that is no equilibrium this describes, as long as A does not change much, how motions
// near the present one come closer or go away. Orientations are small rotations about the axes of
// the body as it moves, so that the state matrix of a steadily spinning body is constant.
#pragma once
#include <string>
#include <vector>

#include "analysis/poles.hpp"
#include "analysis/tangent_space.hpp"

namespace mechfmu {

struct LinearSignal {
  std::string name, unit;
  double value = 0;  // at the operating point
};

struct LinearState : LinearSignal {
  double rate = 0;  // derivative at the operating point
};

struct LinearModel {
  std::string name;         // of the mechanism
  std::string formulation;  // "joint"; "" if the states are those of an FMU
  double time = 0;
  int freedoms = -1;  // independent velocities; -1: not known
  std::vector<LinearState> states;
  std::vector<LinearSignal> inputs, outputs;
  Eigen::MatrixXd A, B, C, D;
  // All coordinates and how they move with the states; those among the states, too.
  std::vector<LinearSignal> coordinates;
  Eigen::MatrixXd shapes;  // [coordinates x states]
  Poles poles;

  // The operating point: the largest velocity and acceleration of any coordinate, and whose.
  double largest_velocity = 0, largest_acceleration = 0;
  std::string fastest, most_accelerated, acceleration_unit;
  double constraint_residual = 0;
  std::vector<std::string> notes;
  [[nodiscard]] bool is_steady() const { return largest_acceleration < 1e-6; }
  [[nodiscard]] bool is_equilibrium() const { return is_steady() && largest_velocity < 1e-6; }
};

struct LinearizeOptions {
  std::vector<std::string> states;  // coordinates that shall be independent
};

// At the state where `point` stands. Nothing and errors if the pose is singular, a name is unknown,
// or the derivatives are not finite.
std::optional<LinearModel> linearize(OperatingPoint& point, const LinearizeOptions& options,
                                     Diagnostics& diagnostics);

// Coordinates by name, for options; an unknown one is an error.
std::vector<int> find_coordinates(const OperatingPoint& point,
                                  const std::vector<std::string>& names, const std::string& option,
                                  Diagnostics& diagnostics);
// Those that fixed starts name.
std::vector<int> find_fixed_coordinates(const OperatingPoint& point);

}  // namespace mechfmu
