// What an FMU of ours was made from and how, as far as it says: the mechanism that it carries and
// the choices in its documentation, which holds the build command.
#pragma once
#include <optional>
#include <string>

#include "harness/fmu.hpp"
#include "mechanism/mechanism.hpp"

namespace mechfmu {

struct FmuOrigin {
  bool is_ours = false;
  std::optional<Mechanism> mechanism;  // validated
  std::string coordinates = "auto";
  std::string scheme, integrator;  // "": not known, or none
};

FmuOrigin read_origin(const Fmu& fmu);

}  // namespace mechfmu
