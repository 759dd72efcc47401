// Markdown tables, which read well on a terminal, too.
#pragma once
#include <string>
#include <vector>

namespace mechfmu::bench {

using Row = std::vector<std::string>;

std::string make_table(const std::vector<Row>& rows);  // the first row is the head
std::string make_ratio(double value, double ours);     // "16x"

}  // namespace mechfmu::bench
