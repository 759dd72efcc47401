// The freedom of a mechanism at a consistent state: which small changes of positions and velocities
// its constraints allow, in as few numbers as there are freedoms.
//
//     J dq = -d(phi)             rows on positions; d() by what else changes: inputs, parameters
//     J dv = -d(J v + phi_t)     and rows on velocities (nonholonomic)
//
// Of the entries of v-space some are independent (chosen by pivoting, so that the others follow
// from them as mildly as possible); a change of these says everything:
//
//     dq = T_q x_q + particular,   dv = T_v x_v + particular
//
// All derivatives are those of the expression graph along consistent directions; there are no
// finite differences. Orientations change by small rotations about the body's own axes.
//
// Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), ch. 13; coordinate partitioning
// after Wehage and Haug (1982).
#pragma once
#include <optional>

#include "analysis/operating_point.hpp"

namespace mechfmu {

// A motion of the state, and what follows from it.
struct TangentMotion {
  Eigen::VectorXd dq, dv;    // [nv]
  Eigen::VectorXd da;        // [nv] of the accelerations
  Eigen::VectorXd computed;  // [n_computed] of all computed values
};

class TangentSpace {
 public:
  // `wanted` coordinates (entries of v-space) must be independent, `preferred` ones are if there is
  // no reason against it. Nothing and an error: a singular pose, or a wanted coordinate depends on
  // others.
  static std::optional<TangentSpace> make(OperatingPoint& point, const std::vector<int>& wanted,
                                          const std::vector<int>& preferred,
                                          Diagnostics& diagnostics);

  [[nodiscard]] const std::vector<int>& positions() const { return position_.independent; }
  [[nodiscard]] const std::vector<int>& velocities() const { return velocity_.independent; }
  [[nodiscard]] const Eigen::MatrixXd& position_basis() const { return position_.basis; }  // T_q
  [[nodiscard]] const Eigen::MatrixXd& velocity_basis() const { return velocity_.basis; }  // T_v

  // The motion with these changes of the independent positions and velocities, and of one other
  // value (`known`, a value reference of an input, a parameter or a filter; -1: none). Nothing: not
  // finite.
  std::optional<TangentMotion> move(const Eigen::VectorXd& x_position,
                                    const Eigen::VectorXd& x_velocity, int known);

  // Masses and names of coordinates.
  [[nodiscard]] static Eigen::MatrixXd multiply_mass(OperatingPoint& point,
                                                     const Eigen::MatrixXd& columns);

 private:
  // Rows on positions, or these and those on velocities.
  struct Level {
    std::vector<int> rows;
    std::vector<int> independent;
    Eigen::MatrixXd basis;    // [nv x free]
    Eigen::MatrixXd inverse;  // [nv x rows] J inverse that leaves the independent entries alone
  };
  explicit TangentSpace(OperatingPoint& point) : point_(&point) {}
  bool fill(Level& level, bool velocities, const Eigen::MatrixXd& jacobian,
            const Eigen::VectorXd& weight, const std::vector<int>& wanted,
            const std::vector<int>& preferred, Diagnostics& diagnostics);
  void seed(int known) const;
  Eigen::VectorXd calc_conditions();  // [2 nc] rates of phi and of its rate in the direction set

  OperatingPoint* point_;
  Level position_, velocity_;
};

// "A.position": of the v-space entry; a rotation of a body has ".rotation[1]".
std::string coordinate_name(const OperatingPoint& point, int coordinate);
std::string velocity_name(const OperatingPoint& point, int coordinate);
std::string coordinate_unit(const OperatingPoint& point, int coordinate);
std::string velocity_unit(const OperatingPoint& point, int coordinate);

}  // namespace mechfmu
