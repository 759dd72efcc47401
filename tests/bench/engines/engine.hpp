// What takes part in the benchmark: one file per engine, each in a program of its own, so that one
// that crashes or hangs takes nobody along.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "problems/problem.hpp"

namespace mechfmu::bench {

// A simulation that was started and is at time 0. Setting up is not measured, all that follows is.
class Run {
 public:
  virtual ~Run() = default;
  virtual bool advance_to(double time) = 0;  // false: failed
  virtual Vector3d marker() = 0;
};

// One way of an engine to follow a problem: integrator, scheme, solver, whatever it has to choose.
// The setting that is searched is a step [s], which divides the interval of the samples, or a
// tolerance.
struct Method {
  std::string name;
  bool by_tolerance = false;
  std::function<std::unique_ptr<Run>(double setting)> start;
  bool competes = true;  // false: measured and shown, but not taken as the engine's best
};

struct Settings {
  bool quick = false;
  bool only_check = false;                        // of the starts
  double point_seconds = 10;                      // CPU time that one run may take
  double pair_seconds = 120;                      // and all runs of one engine on one problem
  std::vector<std::string> schemes, integrators;  // of our FMUs
  std::string program;                            // mechfmu
  std::string folder = ".";                       // for FMUs
};

// A problem that the engine cannot have: what() says why.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual std::string version() const = 0;
  virtual std::vector<Method> methods(const Problem& problem) = 0;
  // [s] of one evaluation of all accelerations; nothing if there is no such function.
  virtual std::optional<double> evaluation_seconds(const Problem& /*problem*/) { return {}; }
  // Whatever else is worth telling: key, value.
  virtual std::vector<std::pair<std::string, double>> figures(const Problem& /*problem*/) {
    return {};
  }
};

std::unique_ptr<Engine> make_engine(const Settings& settings);  // each engine's file has one

}  // namespace mechfmu::bench
