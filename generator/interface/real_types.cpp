#include "interface/real_types.hpp"

#include <algorithm>
#include <array>

#include "interface/unit_definitions.hpp"

namespace mechfmu {
namespace {

struct Quantity {
  std::string_view unit, name;
};

constexpr std::array<Quantity, 20> kQuantities = {{
    {"rad", "Angle"},
    {"rad/s", "AngularVelocity"},
    {"rad/s2", "AngularAcceleration"},
    {"m", "Length"},
    {"m/s", "Velocity"},
    {"m/s2", "Acceleration"},
    {"s", "Time"},
    {"1/s", "Rate"},
    {"kg", "Mass"},
    {"kg.m2", "MomentOfInertia"},
    {"kg/m3", "Density"},
    {"N", "Force"},
    {"N.m", "Torque"},
    {"N/m", "TranslationalStiffness"},
    {"N.s/m", "TranslationalDamping"},
    {"N.m/rad", "RotationalStiffness"},
    {"N.m.s/rad", "RotationalDamping"},
    {"J", "Energy"},
    {"W", "Power"},
    {"Pa", "Pressure"},
}};

}  // namespace

std::vector<RealType> make_real_types(const Interface& interface) {
  std::vector<RealType> types;
  for (const Quantity& q : kQuantities) {
    const auto has_it = [&](const InterfaceVariable& v) {
      return v.type == ValueType::real && v.unit == q.unit;
    };
    if (std::any_of(interface.variables.begin(), interface.variables.end(), has_it))
      types.push_back({make_type_name(interface, std::string(q.name)), q.name, q.unit,
                       find_preferred_display(q.unit)});
  }
  return types;
}

std::string make_type_name(const Interface& interface, std::string wanted) {
  while (interface.find(wanted) != nullptr) wanted += '_';
  return wanted;
}

}  // namespace mechfmu
