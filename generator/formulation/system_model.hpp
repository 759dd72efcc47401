// The analysed and formulated system: everything the emitter, the packager and the interpreter
// need, and nothing of how it was written down. Made by make_system(); const afterwards.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interface/terminals.hpp"
#include "interface/variables.hpp"
#include "mechanism/mechanism.hpp"
#include "scene/scene.hpp"
#include "support/diagnostic.hpp"
#include "topology/analysis.hpp"

namespace mechfmu {

struct SystemKernels;  // formulation/system_kernels.hpp: programs and tables; only emit and the
                       // interpreter look inside

// What the command line can override; empty = as in the file, else the default.
struct SystemOptions {
  std::optional<SchemeChoice> scheme;
  std::vector<SchemeChoice> schemes;     // several in one FMU, the first one in use at first
  std::vector<std::string> integrators;  // likewise
  std::optional<std::string> integrator, solver, coordinates;
  std::optional<double> step;                            // [s]
  std::optional<double> tolerance;                       // of adaptive integrators
  std::vector<std::pair<std::string, std::string>> set;  // --set name=value on <parameter>s
  std::string expose = "outputs";                        // outputs | states | all
};

struct SampledController {
  double sample = 0;  // [s]
  int blocks = 0, states = 0;
};

struct SystemModel {
  std::string name;  // modelIdentifier
  std::string description;
  Experiment experiment;  // step resolved
  std::string scheme, integrator, solver;
  double step = 1e-3;                        // internal step [s]
  std::optional<SampledController> sampled;  // set: no mechanism, but a controller
  Interface interface;
  std::vector<Terminal> terminals;
  Analysis analysis;
  Scene scene;
  SystemOptions options;                   // what it was made with
  std::vector<CarriedFile> carried_files;  // that the mechanism file refers to
  std::shared_ptr<const SystemKernels> kernels;
};

// Validated mechanism in, system out. Errors (cannot close, contradicting starts, impossible
// scheme, singular mass matrix) are appended; nothing is returned then.
std::optional<SystemModel> make_system(const Mechanism& mechanism, const SystemOptions& options,
                                       Diagnostics& diagnostics);

}  // namespace mechfmu
