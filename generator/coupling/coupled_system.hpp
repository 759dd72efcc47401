// A system that can be run: FMUs opened, every connection traced from the input of one component to
// the output of another, unit conversions and transformations folded into one factor and offset.
//
// Units. Numbers leave and enter an FMU in the unit that its modelDescription.xml gives, so a
// connection converts between those; the unit of a connector in the .ssd counts where the FMU has
// none, and for connectors of systems. As the standard says, a LinearTransformation acts on the
// converted value, and suppressUnitConversion leaves the conversion out.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coupling/structure_reader.hpp"
#include "coupling/system_structure.hpp"
#include "harness/fmu.hpp"
#include "harness/start_values.hpp"

namespace mechfmu {

struct CoupledComponent {
  std::string name;  // "plant"; inside systems "outer.plant"
  const Fmu* fmu = nullptr;
  ParsedStartValues start_values;
};

// value of the input = factor * value of the output + offset; other types than Real pass unchanged
struct CoupledLink {
  std::size_t from = 0;  // component
  const FmuVariable* output = nullptr;
  std::size_t to = 0;
  const FmuVariable* input = nullptr;
  double factor = 1, offset = 0;

  [[nodiscard]] bool is_real() const { return output->type == FmuVariable::Type::real; }
};

struct CoupledSystem {
  std::string name;
  std::vector<std::unique_ptr<Fmu>> fmus;  // each file once
  std::vector<CoupledComponent> components;
  std::vector<CoupledLink> links;
  FmuExperiment experiment;
  std::vector<std::string> open_inputs;  // of the system: nothing drives them
};

// Everything is checked and loaded; errors are in the diagnostics of the files. `start_values` are
// "component.variable" and text, stronger than what the files say; what is wrong with them goes to
// `usage`.
std::optional<CoupledSystem> make_coupled_system(
    const SystemStructure& structure, const SourceFolder& folder,
    const std::vector<std::pair<std::string, std::string>>& start_values, Diagnostics& usage);

}  // namespace mechfmu
