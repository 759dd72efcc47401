// What `mechfmu compare` finds out about a mechanism: every way to run it (scheme and integrator),
// each with several steps or tolerances, measured against a tight reference. Plain data: made by
// run_comparison(), judged by recommend(), shown as text, JSON or a page.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mechfmu {

struct Method {
  std::string scheme, integrator;  // integrator: "" for a scheme that steps itself
  bool is_adaptive = false;        // settings are tolerances, not steps
};
std::string name_of(const Method& method);  // "projection + rk4"

struct MethodRun {
  std::size_t method = 0;
  double setting = 0;      // [s] internal step, or tolerance
  bool completed = false;  // false: `reason` says why
  std::string reason;
  double error = 0;              // largest distance of a coordinate from the reference [m, rad]
  double residual = 0;           // largest |phi|
  double residual_velocity = 0;  // largest |phi'|
  double energy_error = 0;       // largest distance of the energy from that of the reference [J]
  double cost = 0;               // CPU seconds in fmi2DoStep per simulated second
};

struct RefusedScheme {
  std::string scheme, reason;
};

struct Comparison {
  std::string model, file;
  double start = 0, stop = 0, step = 0;  // [s] of communication
  std::size_t coordinates = 0;
  bool has_constraints = true;
  std::string reference;       // how it was computed
  double reference_error = 0;  // distance of two references made in different ways
  double size = 0;             // largest |coordinate| of the reference
  double energy_size = 0;      // [J] largest kinetic or total energy
  std::vector<Method> methods;
  std::vector<MethodRun> runs;  // by method, coarse settings first
  std::vector<RefusedScheme> refused;
  std::vector<std::string> notes;
};

// What is asked of a method, and what it is chosen for.
struct Goal {
  double error = 1e-4;     // [m, rad]
  double residual = 1e-6;  // of |phi|
};

struct Advice {
  const MethodRun* run = nullptr;  // null: nothing met the goal
  std::vector<std::string> reasons;
};

// The coarsest setting of a method that meets the goal and whose finer neighbour meets it, too: a
// lucky coarse run does not count.
const MethodRun* find_sufficient(const Comparison& comparison, std::size_t method,
                                 const Goal& goal);
Advice recommend(const Comparison& comparison, const Goal& goal);

// Options of `mechfmu build` for a run: "--scheme projection --integrator rk4 --step 0.001".
std::string build_options(const Comparison& comparison, const MethodRun& run);

// One self-contained HTML page.
std::string make_comparison_page(const Comparison& comparison, const Goal& goal);

}  // namespace mechfmu
