// A mechanism file that starts where the mechanism rests: the text as it was, comments and
// formatting included, with other numbers in it. Units stay as they were written, and so does every
// value and expression that is right already.
#pragma once
#include <optional>
#include <string>

#include "analysis/operating_point.hpp"
#include "mechanism/mechanism.hpp"
#include "support/source_text.hpp"

namespace mechfmu {

// How a joint or coordinate stands, by the names of <start>: "position", "rpy", ... Empty: not
// known (the system does not expose it).
std::vector<double> find_start_value(const OperatingPoint& point, const Mechanism& mechanism,
                                     const Joint& joint, const std::string& name);

// `mechanism` is what the text says. Starts, inputs and parameters become those of `point`;
// velocities become zero. The result is read and assembled again: if a joint without <start> then
// stands elsewhere, starts are added as guesses. Nothing and E319 if that does not help either.
std::optional<std::string> write_trimmed(const SourceText& source, const Mechanism& mechanism,
                                         OperatingPoint& point, Diagnostics& diagnostics);

}  // namespace mechfmu
