// Any problem as bodies in space, six velocities each, every joint a constraint, solved densely:
// slow, plain, and made without anything of mechfmu.
//
// The accelerations are those of least constraint (Gauss): the least change, in the norm of the
// masses, of the free ones that keeps J a + gamma = 0. A complete orthogonal decomposition finds
// them whatever rows are redundant.
#pragma once
#include <vector>

#include "problems/problem.hpp"

namespace mechfmu::bench {

class NewtonEuler {
 public:
  explicit NewtonEuler(const Problem& problem);

  // State: per body centre of mass [3], orientation [4] (scalar first), velocity of the centre of
  // mass [3], angular velocity [3] in world axes.
  [[nodiscard]] Eigen::VectorXd start() const;
  [[nodiscard]] Eigen::VectorXd rates(const Eigen::VectorXd& state) const;
  // Onto the constraints, by the least change in the norm of the masses.
  [[nodiscard]] Eigen::VectorXd project(const Eigen::VectorXd& state) const;
  [[nodiscard]] Vector3d marker(const Eigen::VectorXd& state) const;
  [[nodiscard]] double energy(const Eigen::VectorXd& state) const;  // [J] torques not counted

 private:
  struct Rows;
  struct Pose;
  [[nodiscard]] std::vector<Pose> poses(const Eigen::VectorXd& state) const;
  [[nodiscard]] Rows rows(const std::vector<Pose>& bodies) const;
  [[nodiscard]] Eigen::VectorXd mass_root_inverse_times(const std::vector<Pose>& bodies,
                                                        const Eigen::VectorXd& x) const;
  // least change of velocities, in the norm of the masses, that makes J v = b
  [[nodiscard]] Eigen::VectorXd least_change(const std::vector<Pose>& bodies, const Rows& rows,
                                             const Eigen::VectorXd& b) const;
  const Problem problem_;
  int n_;
};

}  // namespace mechfmu::bench
