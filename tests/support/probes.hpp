// Any sensor of a mechanism under test, also those that `expose all` leaves out (joint
// accelerations, frames): an output is added to its text for each.
#pragma once
#include <cctype>
#include <stdexcept>
#include <string>
#include <vector>

namespace mechfmu::testing {

// "A.acceleration" -> "probe_A_acceleration"
inline std::string probe(const std::string& sensor) {
  std::string name = "probe_" + sensor;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

inline std::string with_probes(std::string xml, const std::vector<std::string>& sensors) {
  std::string outputs;
  for (const std::string& sensor : sensors)
    outputs += "<output name=\"" + probe(sensor) + "\" value=\"" + sensor + "\"/>\n";
  const std::size_t end = xml.rfind("</mechanism>");
  if (end == std::string::npos) throw std::runtime_error("not the text of a mechanism");
  return xml.insert(end, outputs);
}

// "A.force" -> A.force[1], A.force[2], A.force[3]
inline std::vector<std::string> components(const std::string& sensor) {
  return {sensor + "[1]", sensor + "[2]", sensor + "[3]"};
}

}  // namespace mechfmu::testing
