// The names a mechanism offers to expressions: A.position, D.force[2], coupler.tip.velocity[1],
// energy.total, ...
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mechanism/mechanism.hpp"

namespace mechfmu {

enum class SensorLevel {
  position,      // follows from q
  velocity,      // from q and v
  acceleration,  // needs the equations of motion: accelerations, reactions
  report,        // energy, residuals, statistics: outputs only
};

struct Sensor {
  enum class Owner { joint, frame, drive, constraint, system };
  Owner owner = Owner::system;
  int joint = -1;            // Owner::joint
  int index = -1;            // Owner::drive, Owner::constraint
  int body = kGround;        // Owner::frame
  int frame = kOriginFrame;  // Owner::frame
  std::string quantity;      // "position", "angle", "angle[1]", "force", "energy.total", ...
  int size = 1;              // 1 scalar; 3 or 4 vector
  int component = 0;         // 1-based index that was written; 0 = scalar or the whole vector
  std::string unit;          // SI, FMI spelling; "" = none
  SensorLevel level = SensorLevel::position;
};

// The sensor of this name, nothing if there is none. "D.force" is found with component 0,
// "D.force[4]" is not.
std::optional<Sensor> find_sensor(const Mechanism& mechanism, std::string_view name);

struct SensorProblem {
  std::string code, message, hint;
};
// Why `name` is not a sensor with a single value; nothing if it is one.
std::optional<SensorProblem> check_sensor(const Mechanism& mechanism, std::string_view name);

// All sensors of a joint, frame, drive or constraint ("A", "crank.tip"), vectors as a whole.
std::vector<std::string> list_sensors(const Mechanism& mechanism, const std::string& owner);

// Whether some sensor's quantity is called so ("position", "rpy", ...): frames cannot be,
// X.position would be ambiguous.
bool is_quantity_name(std::string_view name);

}  // namespace mechfmu
