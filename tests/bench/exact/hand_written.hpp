// Problems in minimal coordinates, as one would write them by hand for one mechanism only: the
// limit that a general tool is measured against, and an independent reference.
//
// Each has kSize coordinates, accelerations from positions and velocities, and a marker.
#pragma once
#include <vector>

namespace mechfmu::bench {

// Four-bar: the crank's angle from the x axis. Coupler and rocker come from the intersection of two
// circles, without any angle: one sine and cosine, one root.
struct FourBarByHand {
  static void accelerations(const double* q, const double* v, double* a);
  static void marker(const double* q, double* xy);
};

// The same with the angles of coupler and rocker by arctangent and the law of cosines.
struct FourBarWithAngles {
  static void accelerations(const double* q, const double* v, double* a);
  static void marker(const double* q, double* xy);
};

// The crank's angle from the x axis.
struct SliderCrankByHand {
  static void accelerations(const double* q, const double* v, double* a);
  static void marker(const double* q, double* xy);
};

// All bars move alike and the couplers do not turn: theta'' = G/I sin(theta), from upright.
struct ParallelogramsByHand {
  explicit ParallelogramsByHand(int n);
  void accelerations(const double* q, const double* v, double* a) const;
  static void marker(const double* q, double* xy);

 private:
  double factor_;
};

// Angles of the links from the x axis. The joint forces F of equal rods obey a block tridiagonal
// equation: links are rigid, so that for neighbouring ends to stay together
//
//   (k P_i-1 - 1/m) F_i-1 + (2/m + k P_i-1 + k P_i) F_i + (k P_i - 1/m) F_i+1
//        = -l/2 (omega_i-1^2 u_i-1 + omega_i^2 u_i),     P = u_perp u_perp^T,  k = l^2 / (4 J)
class ChainByHand {
 public:
  explicit ChainByHand(int links);
  void accelerations(const double* q, const double* v, double* a);
  void marker(const double* q, double* xy) const;

 private:
  struct Pivot {  // inverse of the 2 x 2 diagonal block, and its reduced right-hand side
    double xx, xy, yy, fx, fy;
  };
  int n_;
  std::vector<double> sine_, cosine_;
  std::vector<Pivot> pivot_;
};

}  // namespace mechfmu::bench
