// The six mechanisms of the contract tests: an open chain, a planar loop, a redundant spatial loop,
// a rheonomic and a nonholonomic system, equations. None says how it is solved.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "schemes/scheme_run.hpp"

namespace mechfmu::testing {

struct Mechanism6 {
  const char* name;
  std::string text;
  SchemeTraits::Rows rows;
};

inline const char* const kRheonomic = R"xml(<mechanism name="R" gravity="0 -9.81 0">
  <body name="arm"><inertial mass="1" com="0.3 0 0" inertia="0.02 0.02 0.02"/><frame name="tip" xyz="0.6 0 0"/></body>
  <body name="bob"><inertial mass="0.5" com="0.2 0 0" inertia="0.01 0.01 0.01"/></body>
  <joint name="A" type="revolute" parent="ground" child="arm"/>
  <joint name="B" type="revolute" parent="arm.tip" child="bob"><start position="-0.4"/></joint>
  <drive name="d" joint="A" position="0.5*sin(3*time)"/><output name="y" value="B.position"/></mechanism>)xml";

inline const char* const kOpenChain = R"xml(<mechanism name="O" gravity="0 0 -9.81">
  <body name="arm"><inertial mass="1" com="0.3 0 0" inertia="0.02 0.03 0.04"/><frame name="tip" xyz="0.6 0 0"/></body>
  <body name="bob"><inertial mass="0.5" com="0.2 0 0.05" inertia="0.01 0.02 0.02"/><frame name="tip" xyz="0.3 0 0"/></body>
  <body name="last"><inertial mass="0.3" com="0.1 0 0" inertia="0.01 0.01 0.02"/></body>
  <joint name="A" type="spherical" parent="ground" child="arm"><start angular_velocity="0.5 0 1"/></joint>
  <joint name="B" type="revolute" parent="arm.tip" child="bob" axis="0 1 0"><start position="-0.4"/></joint>
  <joint name="C" type="universal" parent="bob.tip" child="last" axis="0 0 1" axis2="0 1 0"/></mechanism>)xml";

inline const char* const kSled =
    R"xml(<equations name="S"><coordinate name="x" velocity="3" mass="2"/>
  <coordinate name="z" mass="2"/><coordinate name="a" velocity="6" fixed="true" mass="0.1"/>
  <force on="x" value="30"/><nonholonomic name="edge" value="der(z)*cos(a) - der(x)*sin(a)"/>
  <output name="y" value="x"/></equations>)xml";

inline const char* const kEquations =
    R"xml(<equations name="E"><coordinate name="x" start="0.6" mass="2"/>
  <coordinate name="z" start="-0.8" velocity="0" mass="2"/><force on="z" value="-19.62"/>
  <holonomic name="rod" value="(x^2 + z^2 - 1)/2"/><output name="y" value="x"/></equations>)xml";

inline std::string without_solve(std::string text) {
  const std::size_t begin = text.find("<solve"), end = text.find("/>", begin);
  return begin == std::string::npos ? text : text.erase(begin, end + 2 - begin);
}

inline std::vector<Mechanism6> mechanisms() {
  using Rows = SchemeTraits::Rows;
  return {{"open_chain", kOpenChain, Rows::positions},
          {"planar_loop", without_solve(example_text("four_bar")), Rows::positions},
          {"redundant_loop", without_solve(example_text("bricard")), Rows::positions},
          {"rheonomic", kRheonomic, Rows::positions},
          {"nonholonomic", kSled, Rows::velocities},
          {"equations", kEquations, Rows::positions}};
}

inline bool can_hold(const SchemeType& scheme, SchemeTraits::Rows rows) {
  return rows == SchemeTraits::Rows::positions ||
         scheme.traits.rows != SchemeTraits::Rows::positions;
}

// What the documentation says, independent of who enforces it.
inline bool is_declared(const SchemeType& scheme, SchemeTraits::Rows rows,
                        const std::string& coordinates, const std::string& solver, bool redundant) {
  if (!can_hold(scheme, rows)) return false;
  if (solver == "divide_and_conquer" && coordinates == "joint") return false;
  if (!redundant || solver == "auto" || solver == "rank_revealing") return true;
  return solver != "direct" && scheme.traits.contact == SchemeTraits::Contact::soft;
}

// The order of a scheme with an integrator, or of its own step.
inline int theoretical_order(const SchemeType& scheme, const IntegratorType& integrator) {
  if (!scheme.steps_itself()) return integrator.order;
  return scheme.id == "taylor2" ? 2 : 1;
}

// With which power of the step the residual of positions falls; 0: it is held to a tolerance.
// Stabilised or not, accelerations hold the constraints as well as the integrator holds the motion.
// A velocity that holds them at one end of the step leaves h^2 of the position in every step, which
// `velocity` adds up; taylor2 leaves h^3.
inline int residual_order(const SchemeType& scheme, const IntegratorType& integrator) {
  const std::string_view id = scheme.id;
  if (id == "none" || id == "baumgarte" || id == "augmented_lagrangian") return integrator.order;
  if (id == "velocity") return 1;
  if (id == "taylor2") return 3;
  return id == "taylor1" || id == "velocity_baumgarte" || id == "compliant" ? 2 : 0;
}

// The same of velocities: one order less where a step of its own holds positions or velocities at
// different times.
inline int residual_velocity_order(const SchemeType& scheme, const IntegratorType& integrator) {
  if (scheme.id == "taylor2") return 2;
  return std::min(residual_order(scheme, integrator), scheme.steps_itself() ? 1 : 9);
}

}  // namespace mechfmu::testing
