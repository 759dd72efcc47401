// A <table>: points from its attributes or from a CSV file beside the mechanism file.
#pragma once
#include <string>

#include "mechanism/mechanism.hpp"
#include "readers/xml_document.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu {

inline constexpr std::size_t kMaxTablePoints = 100000;

// `folder` is where the mechanism file lies; files are looked for there. A table that cannot be
// read has no points.
Table read_table(const XmlElement& element, const std::string& folder, Diagnostics& diagnostics);

}  // namespace mechfmu
