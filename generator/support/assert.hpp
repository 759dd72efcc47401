// Our own mistakes. A failed MECHFMU_ASSERT is a bug in mechfmu: main() catches it and exits
// with 70.
#pragma once
#include <stdexcept>
#include <string>

namespace mechfmu {

[[noreturn]] inline void fail_assertion(const char* file, int line, const std::string& why) {
  throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": " + why);
}

}  // namespace mechfmu

#define MECHFMU_ASSERT(condition, why)                                    \
  do {                                                                    \
    if (!(condition)) ::mechfmu::fail_assertion(__FILE__, __LINE__, why); \
  } while (false)
