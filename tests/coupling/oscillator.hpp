// Two masses between three springs, cut at the spring in the middle: the left half takes the force,
// the right half gives it (and so answers at once). Reference: the whole as one linear system,
// solved by the matrix exponential.
#pragma once
#include <Eigen/Dense>
#include <unsupported/Eigen/MatrixFunctions>

#include "coupled_files.hpp"

namespace mechfmu::test {

inline const char* kLeftHalf = R"xml(<equations name="Left">
  <parameter name="k" value="10"/>
  <input name="F" unit="N"/>
  <coordinate name="x" start="0.1" mass="1"/>
  <force on="x" value="F - k*x"/>
  <output name="v" value="der(x)"/>
  <solve integrator="rk4" step="1 ms"/>
</equations>)xml";
inline const char* kRightHalf = R"xml(<equations name="Right">
  <parameter name="k" value="10"/> <parameter name="kc" value="10"/> <parameter name="dc" value="0.5"/>
  <input name="x1"/> <input name="v1"/>
  <coordinate name="x" mass="1"/>
  <force on="x" value="-k*x - kc*(x - x1) - dc*(der(x) - v1)"/>
  <output name="F" value="kc*(x - x1) + dc*(der(x) - v1)"/>
  <solve integrator="rk4" step="1 ms"/>
</equations>)xml";

inline SystemText oscillator_text() {
  SystemText text;
  text.elements = component("left", "left.fmu", {"x out", "v out", "F in"}) +
                  component("right", "right.fmu", {"x1 in", "v1 in", "F out"});
  text.connections = connection("left.x > right.x1") + connection("left.v > right.v1") +
                     connection("right.F > left.F");
  return text;
}

struct Oscillator {
  Oscillator() {
    build_fmu_file(kLeftHalf, folder / "left.fmu");
    build_fmu_file(kRightHalf, folder / "right.fmu");
    path = folder.write("system.ssd", oscillator_text().ssd());
  }

  // x1 of the whole, from x1 = 0.1 and x2 at rest
  static double exact(double t, double kc = 10, double dc = 0.5, double k2 = 10, double x2 = 0) {
    const double k1 = 10;
    Eigen::Matrix4d a;
    a << 0, 1, 0, 0, -k1 - kc, -dc, kc, dc, 0, 0, 0, 1, kc, dc, -k2 - kc, -dc;
    const Eigen::Matrix4d flow = (a * t).exp();
    return (flow * Eigen::Vector4d(0.1, 0, x2, 0))[0];
  }

  TestFolder folder;
  std::string path;
};

}  // namespace mechfmu::test
