// A pose that is looked for: on the constraints, and with some coordinates kept as they are.
#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "analysis/operating_point.hpp"

namespace mechfmu {

class HeldPose {
 public:
  explicit HeldPose(OperatingPoint& point);

  // Coordinates of the formulation, and any other that has a <start>. Unknown ones are errors.
  void hold(const std::vector<std::string>& names, Diagnostics& diagnostics);
  void hold_fixed_starts();
  void keep_present();  // where they are now is where they stay

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool is_free() const { return coordinates_.empty() && conditions_.empty(); }

  // Rows of what is held: errors, and their Jacobian by dq.
  void fill(Eigen::VectorXd& errors, Eigen::MatrixXd& rows);
  // Back onto the constraints and to what is held, by the shortest way. False: not found.
  bool close();
  void note_move();  // after every change of positions

 private:
  void fill_conditions(Eigen::VectorXd& errors, Eigen::MatrixXd& rows);
  // One step of Newton's method; the residual before it.
  double approach();

  runtime::Simulation& s_;
  const runtime::Model& m_;
  OperatingPoint& point_;
  std::vector<int> coordinates_, conditions_;
  std::vector<std::string> names_;
  Eigen::VectorXd targets_;
};

inline constexpr double kLongestStep = 0.5;  // [rad, m] of any coordinate, in one iteration

}  // namespace mechfmu
