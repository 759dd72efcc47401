// The rules of FMI 2.0 for modelDescription.xml that its schema cannot express (facts/fmi2.md,
// sections 5 and 7), written against the text of the XML and independently of the emitter.
#pragma once
#include <string>
#include <vector>

namespace mechfmu::test {

// One line per violated rule; empty if the text is a valid FMI 2.0 co-simulation description.
std::vector<std::string> find_description_faults(const std::string& xml);

}  // namespace mechfmu::test
