#include "interface/terminals.hpp"

#include <fmt/format.h>

#include "scene/make_scene.hpp"

namespace mechfmu {

namespace {

// The input that a value is, with nothing done to it; empty if it is anything else.
std::string find_input(const Mechanism& mechanism, const Argument* argument) {
  if (argument == nullptr || argument->values.empty()) return {};
  const Expression& value = argument->values[0];
  if (value.kind != Expression::Kind::name) return {};
  for (const Input& input : mechanism.inputs)
    if (input.name.text == value.text) return value.text;
  return {};
}

class TerminalMaker {
 public:
  TerminalMaker(const Mechanism& mechanism, const Interface& interface)
      : mechanism_(mechanism), interface_(interface) {}

  std::vector<Terminal> make() {
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j)
      for (const Coordinate& coordinate : mechanism_.joints[j].type->coordinates)
        add(static_cast<int>(j), coordinate);
    return std::move(terminals_);
  }

 private:
  [[nodiscard]] bool acts_on(const Arguments& arguments, int joint,
                             const Coordinate& coordinate) const {
    const Argument* on = arguments.find("joint");
    if (on == nullptr || on->joint != joint) return false;
    const Argument* which = arguments.find("coordinate");
    if (which != nullptr && !which->text.empty()) return which->text == coordinate.name;
    return mechanism_.joints[static_cast<std::size_t>(joint)].type->coordinates.size() == 1;
  }

  void add(int index, const Coordinate& coordinate) {
    const Joint& joint = mechanism_.joints[static_cast<std::size_t>(index)];
    Terminal terminal;
    terminal.turns = coordinate.unit == "rad";
    terminal.name = joint.name.text;
    if (joint.type->coordinates.size() > 1) terminal.name += "." + std::string(coordinate.name);
    terminal.description = joint.description;
    add_sensor(terminal, joint, coordinate.name, terminal.turns ? "angle" : "position");
    add_sensor(terminal, joint, coordinate.rate_name,
               terminal.turns ? "angular_velocity" : "velocity");
    // several torques on one shaft are told apart by their names
    const std::string effort = terminal.turns ? "torque" : "force";
    bool is_driven = false;
    std::vector<std::string> inputs;
    for (const Force& force : mechanism_.forces) {
      if (force.type->id != "joint_torque" && force.type->id != "joint_force") continue;
      if (!acts_on(force.arguments, index, coordinate)) continue;
      if (std::string input = find_input(mechanism_, force.arguments.find("value")); !input.empty())
        inputs.push_back(std::move(input));
    }
    for (const std::string& input : inputs)
      terminal.members.push_back(
          {input, inputs.size() == 1 ? effort : effort + "_" + input, "inflow"});
    for (const Drive& drive : mechanism_.drives) {
      if (!acts_on(drive.arguments, index, coordinate)) continue;
      for (const char* what : {"position", "velocity", "acceleration"}) {
        const std::string input = find_input(mechanism_, drive.arguments.find(what));
        if (input.empty()) continue;
        is_driven = true;
        terminal.members.push_back({input, std::string("prescribed_") + what, "signal"});
      }
    }
    if (is_driven || !inputs.empty()) terminals_.push_back(std::move(terminal));
  }

  void add_sensor(Terminal& terminal, const Joint& joint, std::string_view sensor,
                  const char* member) const {
    const std::string variable =
        find_sensor_variable(mechanism_, interface_, fmt::format("{}.{}", joint.name.text, sensor));
    if (!variable.empty()) terminal.members.push_back({variable, member, "signal"});
  }

  const Mechanism& mechanism_;
  const Interface& interface_;
  std::vector<Terminal> terminals_;
};

}  // namespace

std::vector<Terminal> make_terminals(const Mechanism& mechanism, const Interface& interface) {
  return TerminalMaker(mechanism, interface).make();
}

}  // namespace mechfmu
