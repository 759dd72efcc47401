// What the tests of the command line share: mechanisms to run, and looking for a part of a text.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "support/json.hpp"
#include "support/run_program.hpp"
#include "support/test_folder.hpp"

namespace mechfmu::test {

inline std::string example(const std::string& name) {
  return std::string(MECHFMU_PROJECT_DIR) + "/resources/examples/" + name + "/" + name + ".xml";
}

// A bar on a hinge: the smallest mechanism that moves.
inline const std::string kHinge = R"(<mechanism name="Hinge" gravity="0 -9.81 0">
  <parameter name="length" value="0.5 m"/>
  <body name="bar"><point mass="1" xyz="length 0 0"/></body>
  <joint name="A" type="revolute" parent="ground" child="bar" axis="0 0 1"><start position="0" fixed="true"/></joint>
  <output name="angle" value="A.position"/>
  <experiment stop="1 s" step="100 ms"/>
</mechanism>
)";

inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no '" << part << "' in:\n" << text;
}

// The last line that is not empty.
inline std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

}  // namespace mechfmu::test
