// Eigenvalues of a state matrix and what they say about the motion.
//
// Mechanisms have poles at zero as a rule (whatever moves freely), mostly as double ones with one
// eigenvector, which rounding tears apart to +-1e-8. They are taken out first, exactly: null
// vectors of A turn it into [0 *; 0 A22], and again until A22 is regular (staircase form); the
// eigenvalues of A22, balanced (Parlett and Reinsch 1969), are the others.
#pragma once
#include <Eigen/Dense>
#include <complex>
#include <string>
#include <vector>

namespace mechfmu {

struct Pole {
  std::complex<double> value;  // [1/s] imaginary part >= 0: it stands for its conjugate, too
  double frequency = 0;        // [Hz] |value| / 2 pi of a pair, undamped natural frequency
  double damping = 0;          // damping ratio -Re / |value|
  double time_constant = 0;    // [s] -1 / Re, negative for growing ones, infinite without
  // [states] eigenvector; empty: a pole at zero without one of its own (the motion drifts along
  // another one's shape)
  Eigen::VectorXcd shape;
  std::string of;  // "filter.heave": a pole of what is not the mechanism itself
  [[nodiscard]] bool is_pair() const { return value.imag() > 0; }
};

enum class Stability { stable, neutral, unstable };

struct Poles {
  std::vector<Pole> list;  // by size, those at zero first
  Stability stability = Stability::stable;
  bool found = true;  // false: the iteration did not converge
};

Poles calc_poles(const Eigen::MatrixXd& A);

// `count` equal real poles.
void add_poles(Poles& poles, double value, int count, const std::string& of);

}  // namespace mechfmu
