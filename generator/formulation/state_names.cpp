#include "formulation/state_names.hpp"

#include <map>

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// "A.position" -> "A.velocity", "A.angle[1]" -> "A.angle_velocity[1]"
std::string rate_name(const std::string& coordinate) {
  const std::size_t dot = coordinate.rfind('.');
  if (dot == std::string::npos) return coordinate + "_velocity";
  if (coordinate.substr(dot + 1) == "position") return coordinate.substr(0, dot + 1) + "velocity";
  const std::size_t bracket = coordinate.find('[', dot);
  return coordinate.substr(0, bracket) + "_velocity" +
         (bracket == std::string::npos ? "" : coordinate.substr(bracket));
}

class StateNamer {
 public:
  StateNamer(const Formulated& system, const Mechanism& mechanism)
      : s_(system), mechanism_(mechanism), names_(at(system.nq + system.nv)) {}

  std::vector<StateName> make() {
    if (mechanism_.equations)
      name_equations();
    else
      for (const TreeNode& node : s_.tree->nodes()) name_node(node);
    return std::move(names_);
  }

 private:
  void set(int index, const std::string& name, const std::string& unit,
           const std::string& rate_unit, const std::string& description) {
    names_[at(index)] = {"state." + name, unit, rate_unit, description};
  }

  void name_equations() {
    for (int i = 0; i < s_.nv; ++i) {
      const EquationCoordinate& c = mechanism_.equations->coordinates[at(i)];
      const auto unit = [&](const char* per) { return c.unit.empty() ? "" : c.unit + per; };
      set(i, c.name.text, c.unit, unit("/s"), "state: " + c.name.text);
      set(s_.nq + i, c.name.text + "_velocity", unit("/s"), unit("/s2"),
          "state: velocity of " + c.name.text);
    }
  }

  void name_node(const TreeNode& node) {
    const int v = node.first_velocity;
    if (node.motion.kind == MotionKind::weld) return;
    const std::string& name = s_.coordinate_names[at(v)];
    if (node.motion.kind == MotionKind::ball) {
      for (const auto& [q, first] : s_.quaternions)
        if (first == v)
          for (int i = 0; i < 4; ++i)
            set(q + i, name + component(".e", i), "", "1/s",
                "state: Euler parameter of the orientation, scalar first");
      for (int i = 0; i < 3; ++i)
        set(s_.nq + v + i, name + component(".w", i), "rad/s", "rad/s2",
            "state: angular velocity, own axes");
      return;
    }
    const bool turns = node.motion.kind == MotionKind::rotate;
    const std::string unit = turns ? "rad" : "m";
    // coordinates of joints have names of their own, those of bodies are numbered
    std::string position = name;
    std::string velocity = rate_name(name);
    if (name.find('.') == std::string::npos) {
      int& count = counts_[name];
      position = turns ? name + ".angle" : name + component(".r", count);
      velocity = turns ? name + ".angle_velocity" : name + component(".v", count);
      if (!turns) ++count;
    }
    set(s_.position_of_velocity[at(v)], position, unit, unit + "/s", "state: position");
    set(s_.nq + v, velocity, unit + "/s", unit + "/s2", "state: velocity");
  }

  static std::string component(const char* stem, int i) {
    return std::string(stem) + "[" + std::to_string(i + 1) + "]";
  }

  const Formulated& s_;
  const Mechanism& mechanism_;
  std::vector<StateName> names_;
  std::map<std::string, int> counts_;  // translations of a body so far
};

}  // namespace

std::vector<StateName> make_state_names(const Formulated& system, const Mechanism& mechanism) {
  return StateNamer(system, mechanism).make();
}

std::vector<Expr> position_rates(const Formulated& s) {
  Graph& g = *s.graph;
  const auto v = [&](int i) { return g.symbol(runtime::kVelocity, i); };
  std::vector<Expr> rates(at(s.nq), g.number(0));
  for (int i = 0; i < s.nv; ++i)
    if (s.position_of_velocity[at(i)] >= 0) rates[at(s.position_of_velocity[at(i)])] = v(i);
  for (const auto& [q, first] : s.quaternions) {
    // 1/2 e * (0, w), as System::position_rate
    const auto e = [&, begin = q](int i) { return g.symbol(runtime::kPosition, begin + i); };
    const Expr w0 = v(first), w1 = v(first + 1), w2 = v(first + 2);
    rates[at(q)] = -0.5 * (e(1) * w0 + e(2) * w1 + e(3) * w2);
    rates[at(q + 1)] = 0.5 * (e(0) * w0 + e(2) * w2 - e(3) * w1);
    rates[at(q + 2)] = 0.5 * (e(0) * w1 + e(3) * w0 - e(1) * w2);
    rates[at(q + 3)] = 0.5 * (e(0) * w2 + e(1) * w1 - e(2) * w0);
    // a host that integrates them leaves the unit sphere a little: back as slowly as constraints
    const Expr off = 1.0 - (e(0) * e(0) + e(1) * e(1) + e(2) * e(2) + e(3) * e(3));
    for (int i = 0; i < 4; ++i)
      rates[at(q + i)] = rates[at(q + i)] + (0.5 * runtime::kExchangeGain) * (off * e(i));
  }
  return rates;
}

}  // namespace mechfmu
