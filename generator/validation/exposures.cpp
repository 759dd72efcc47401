// What `expose` names: sensors of its element, vectors also as a whole.
#include <fmt/format.h>

#include "validation/rules.hpp"
#include "validation/sensors.hpp"

namespace mechfmu {

void check_exposures(RuleContext& context) {
  for (const Exposure& exposure : context.mechanism.exposures) {
    const std::string& word = exposure.quantity.text;
    if (word == "all" && !list_sensors(context.mechanism, exposure.owner).empty()) continue;
    const std::string name = exposure.owner + "." + word;
    if (find_sensor(context.mechanism, name)) continue;
    const std::optional<SensorProblem> problem = check_sensor(context.mechanism, name);
    if (problem)
      context.diagnostics.error(problem->code, exposure.quantity.span,
                                fmt::format("expose: {}", problem->message), problem->hint);
  }
}

}  // namespace mechfmu
