// The XML schema of mechanism files, made from the same tables as the reader:
// resources/schema/mechanism.xsd.
#pragma once
#include <string>

namespace mechfmu {

std::string make_schema();

}  // namespace mechfmu
