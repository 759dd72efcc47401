// Between two units given by name, as FMI and SSP define them: the factors and offsets to base
// units stand in the files; a unit that a file only names is taken from our own table.
#pragma once
#include <optional>
#include <string>

#include "coupling/system_structure.hpp"

namespace mechfmu {

// Nothing: neither the file nor our table knows it.
std::optional<FmuUnit> find_defined_unit(const std::string& name, const UnitTable& defined);
UnitTable make_unit_table(const ModelDescription& description);

// value in `to` = factor * value in `from` + offset; nothing if they measure different things.
std::optional<LinearTransformation> convert_unit(const FmuUnit& from, const FmuUnit& to);

// second after first
LinearTransformation chain(const LinearTransformation& first, const LinearTransformation& second);

}  // namespace mechfmu
