// The one symbol that generated code provides: the mechanism of this FMU. Defined in the generated
// tables.cpp as
//   extern "C" const mechfmu::runtime::Model mechfmu_model = { ... };
#pragma once
#include "system/model.hpp"

extern "C" const mechfmu::runtime::Model mechfmu_model;
