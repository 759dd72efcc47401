// <solve> and <experiment>: the only elements whose values are plain numbers and words, and whose
// attributes depend on the chosen scheme.
#pragma once
#include "mechanism/mechanism.hpp"
#include "readers/xml_document.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu {

Solve read_solve(const XmlElement& element, Diagnostics& diagnostics);
Experiment read_experiment(const XmlElement& element, Diagnostics& diagnostics);

}  // namespace mechfmu
