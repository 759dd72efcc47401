#include "exact/hand_written.hpp"

#include <cmath>
#include <cstddef>

namespace mechfmu::bench {
namespace {

constexpr double kGravity = 9.81;

constexpr double kCrank = 1, kCoupler = 2.5, kRocker = 2, kGround = 2.5;  // masses are the same

struct Direction {
  double x, y;
};

// From the directions of crank e, coupler u and rocker w: how fast coupler and rocker turn as the
// crank turns (phi1, psi1), how that changes (phi2, psi2), and Lagrange's equation.
inline double four_bar_acceleration(Direction e, Direction u, Direction w, double rate) {
  constexpr double a = kCrank, b = kCoupler, r = kRocker;
  constexpr double inertia_crank = a * a * a / 3, inertia_rocker = r * r * r / 3;
  constexpr double inertia_coupler = b * b * b / 12;
  const double eu = e.x * u.x + e.y * u.y, ew = e.x * w.x + e.y * w.y;
  const double au = e.x * u.y - e.y * u.x, aw = e.x * w.y - e.y * w.x;  // e_perp . u, e_perp . w
  const double uw = u.x * w.x + u.y * w.y;
  const double scale = 1 / (u.x * w.y - u.y * w.x);
  const double phi1 = -a / b * aw * scale;
  const double psi1 = -a / r * au * scale;
  const double bp = b * phi1 * phi1, rp = r * psi1 * psi1;
  const double phi2 = (a * ew + bp * uw - rp) * scale / b;
  const double psi2 = (a * eu + bp - rp * uw) * scale / r;
  const double inertia = inertia_crank + b * (a * a + a * b * phi1 * eu) +
                         (inertia_coupler + b * b * b / 4) * phi1 * phi1 +
                         inertia_rocker * psi1 * psi1;
  const double change = b * (a * b / 2 * (phi2 * eu + (phi1 - phi1 * phi1) * au)) +
                        (inertia_coupler + b * b * b / 4) * phi1 * phi2 +
                        inertia_rocker * psi1 * psi2;
  const double weight =
      -kGravity * ((a * a / 2 + a * b) * e.x + b * b / 2 * phi1 * u.x + r * r / 2 * psi1 * w.x);
  return (weight - change * rate * rate) / inertia;
}

constexpr double kSliderCrank = 0.5, kRod = 1.5, kSlider = 2;

}  // namespace

void FourBarByHand::accelerations(const double* q, const double* v, double* a) {
  const Direction e{std::cos(q[0]), std::sin(q[0])};
  const double dx = kGround - kCrank * e.x, dy = -kCrank * e.y;
  const double s = dx * dx + dy * dy;
  const double inverse = 1 / s;
  const double forward = 0.5 + 0.5 * (kCoupler * kCoupler - kRocker * kRocker) * inverse;
  const double aside = std::sqrt(kCoupler * kCoupler * inverse - forward * forward);
  const double ux = forward * dx - aside * dy, uy = forward * dy + aside * dx;
  a[0] = four_bar_acceleration(e, {ux / kCoupler, uy / kCoupler},
                               {(ux - dx) / kRocker, (uy - dy) / kRocker}, v[0]);
}

void FourBarByHand::marker(const double* q, double* xy) {
  xy[0] = kCrank * std::cos(q[0]);
  xy[1] = kCrank * std::sin(q[0]);
}

void FourBarWithAngles::accelerations(const double* q, const double* v, double* a) {
  const Direction e{std::cos(q[0]), std::sin(q[0])};
  const double dx = kGround - kCrank * e.x, dy = -kCrank * e.y;
  const double s = dx * dx + dy * dy;
  const double phi = std::atan2(dy, dx) + std::acos((s + kCoupler * kCoupler - kRocker * kRocker) /
                                                    (2 * kCoupler * std::sqrt(s)));
  const Direction u{std::cos(phi), std::sin(phi)};
  const double psi = std::atan2(kCoupler * u.y - dy, kCoupler * u.x - dx);
  a[0] = four_bar_acceleration(e, u, {std::cos(psi), std::sin(psi)}, v[0]);
}

void FourBarWithAngles::marker(const double* q, double* xy) { FourBarByHand::marker(q, xy); }

void SliderCrankByHand::accelerations(const double* q, const double* v, double* a) {
  constexpr double r = kSliderCrank, l = kRod;
  constexpr double inertia_crank = r * r * r / 3, inertia_rod = l * l * l / 12;
  const double c = std::cos(q[0]), s = std::sin(q[0]);
  const double sp = -r / l * s;
  const double cp = std::sqrt(1 - sp * sp);
  const double scale = 1 / (l * cp);
  const double phi1 = -r * c * scale;
  const double phi2 = (r * s + l * sp * phi1 * phi1) * scale;
  const double half1 = l / 2 * sp * phi1, half2 = l / 2 * (cp * phi1 * phi1 + sp * phi2);
  const double x1 = -r * s - 2 * half1, x2 = -r * c - 2 * half2;  // of the slider
  const double px1 = -r * s - half1, px2 = -r * c - half2;        // of the rod's middle
  const double py1 = r / 2 * c, py2 = -r / 2 * s;
  const double inertia =
      inertia_crank + l * (px1 * px1 + py1 * py1) + inertia_rod * phi1 * phi1 + kSlider * x1 * x1;
  const double change = l * (px1 * px2 + py1 * py2) + inertia_rod * phi1 * phi2 + kSlider * x1 * x2;
  const double weight = -kGravity * (r * r / 2 + l * r / 2) * c;
  a[0] = (weight - change * v[0] * v[0]) / inertia;
}

void SliderCrankByHand::marker(const double* q, double* xy) {
  xy[0] = kSliderCrank * std::cos(q[0]);
  xy[1] = kSliderCrank * std::sin(q[0]);
}

ParallelogramsByHand::ParallelogramsByHand(int n)
    : factor_(kGravity * ((n + 1) / 2.0 + n) / ((n + 1) / 3.0 + n)) {}

void ParallelogramsByHand::accelerations(const double* q, const double* /*v*/, double* a) const {
  a[0] = factor_ * std::sin(q[0]);
}

void ParallelogramsByHand::marker(const double* q, double* xy) {
  xy[0] = std::sin(q[0]);
  xy[1] = std::cos(q[0]);
}

ChainByHand::ChainByHand(int links)
    : n_(links),
      sine_(static_cast<std::size_t>(links)),
      cosine_(static_cast<std::size_t>(links)),
      pivot_(static_cast<std::size_t>(links)) {}

void ChainByHand::accelerations(const double* q, const double* v, double* a) {
  constexpr double l = 0.1, m = 0.1, inertia = m * l * l / 12;
  constexpr double k = l * l / (4 * inertia);
  const auto n = static_cast<std::size_t>(n_);
  // Cholesky by blocks from the first joint on; `side` is the block between joints i and i + 1
  double side_xx = 0, side_xy = 0, side_yy = 0;
  double before_xx = 0, before_xy = 0, before_yy = 0;  // k P + 1/m of the link before
  double before_fx = 0, before_fy = kGravity;          // the ground does not fall: -g on the right
  for (std::size_t i = 0; i < n; ++i) {
    const double c = cosine_[i] = std::cos(q[i]), s = sine_[i] = std::sin(q[i]);
    const double pxx = k * s * s, pxy = -k * s * c, pyy = k * c * c;
    const double spin = l / 2 * v[i] * v[i];
    double dxx = pxx + 1 / m + before_xx, dxy = pxy + before_xy, dyy = pyy + 1 / m + before_yy;
    double fx = before_fx - spin * c, fy = before_fy - spin * s;
    if (i > 0) {
      const Pivot& p = pivot_[i - 1];
      const double wxx = side_xx * p.xx + side_xy * p.xy, wxy = side_xx * p.xy + side_xy * p.yy;
      const double wyx = side_xy * p.xx + side_yy * p.xy, wyy = side_xy * p.xy + side_yy * p.yy;
      dxx -= wxx * side_xx + wxy * side_xy;
      dxy -= wxx * side_xy + wxy * side_yy;
      dyy -= wyx * side_xy + wyy * side_yy;
      fx -= wxx * p.fx + wxy * p.fy;
      fy -= wyx * p.fx + wyy * p.fy;
    }
    const double scale = 1 / (dxx * dyy - dxy * dxy);
    pivot_[i] = {dyy * scale, -dxy * scale, dxx * scale, fx, fy};
    side_xx = pxx - 1 / m, side_xy = pxy, side_yy = pyy - 1 / m;
    before_xx = pxx + 1 / m, before_xy = pxy, before_yy = pyy + 1 / m;
    before_fx = -spin * c, before_fy = -spin * s;
  }
  double next_x = 0, next_y = 0;
  for (std::size_t i = n; i-- > 0;) {
    const double c = cosine_[i], s = sine_[i];
    const Pivot& p = pivot_[i];
    const double pxx = k * s * s, pxy = -k * s * c, pyy = k * c * c;
    const double gx = p.fx - (pxx - 1 / m) * next_x - pxy * next_y;
    const double gy = p.fy - pxy * next_x - (pyy - 1 / m) * next_y;
    const double fx = p.xx * gx + p.xy * gy, fy = p.xy * gx + p.yy * gy;
    a[i] = -l / (2 * inertia) * (c * (fy + next_y) - s * (fx + next_x));
    next_x = fx, next_y = fy;
  }
}

void ChainByHand::marker(const double* q, double* xy) const {
  constexpr double l = 0.1;
  xy[0] = xy[1] = 0;
  for (int i = 0; i < n_; ++i) {
    xy[0] += l * std::cos(q[i]);
    xy[1] += l * std::sin(q[i]);
  }
}

}  // namespace mechfmu::bench
