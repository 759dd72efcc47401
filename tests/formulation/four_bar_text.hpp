// A planar four-bar linkage with as little around it as possible, for tests that vary it.
#pragma once
#include <string>

namespace mechfmu::testing {

struct FourBarText {
  std::string crank = "0.12", coupler = "0.3", rocker = "0.25", base = "0.3";  // lengths [m]
  std::string start_a = R"(<start position="60 deg" velocity="0" fixed="true"/>)";
  std::string start_b = R"(<start position="-31 deg"/>)";
  std::string start_c;
  std::string start_d = R"(<start position="85 deg"/>)";
  std::string axis = "0 0 1";
  std::string more;    // before </mechanism>
  std::string frames;  // in the ground

  [[nodiscard]] std::string text() const {
    const auto body = [](const std::string& name, const std::string& length) {
      return "<body name=\"" + name + "\"><inertial mass=\"0.5\" com=\"" + length +
             "/2 0 0\" inertia=\"1e-4 2e-3 2e-3\"/><frame name=\"tip\" xyz=\"" + length +
             " 0 0\"/></body>\n";
    };
    const auto joint = [&](const std::string& name, const std::string& parent,
                           const std::string& child, const std::string& start) {
      return "<joint name=\"" + name + "\" type=\"revolute\" parent=\"" + parent + "\" child=\"" +
             child + "\" axis=\"" + axis + "\">" + start + "</joint>\n";
    };
    return "<mechanism name=\"FourBar\" gravity=\"0 -9.81 0\">\n<parameter name=\"base\" value=\"" +
           base + "\"/>\n<parameter name=\"crank\" value=\"" + crank +
           "\"/>\n<parameter name=\"coupler\" value=\"" + coupler +
           "\"/>\n<parameter name=\"rocker\" value=\"" + rocker +
           "\"/>\n<ground><frame name=\"D\" xyz=\"base 0 0\"/>" + frames + "</ground>\n" +
           body("crank_link", "crank") + body("coupler_link", "coupler") +
           body("rocker_link", "rocker") + joint("A", "ground", "crank_link", start_a) +
           joint("B", "crank_link.tip", "coupler_link", start_b) +
           joint("D", "ground.D", "rocker_link", start_d) +
           joint("C", "coupler_link.tip", "rocker_link.tip", start_c) + more + "</mechanism>\n";
  }
};

}  // namespace mechfmu::testing
