#include "validation/sensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "support/did_you_mean.hpp"

namespace mechfmu {

namespace {

struct QuantityType {
  std::string name;  // "position", "angle[1]", "energy.total"
  int size = 1;
  std::string unit;
  SensorLevel level = SensorLevel::position;
};

const std::vector<QuantityType>& frame_quantities() {
  static const std::vector<QuantityType> types = {
      {"position", 3, "m", SensorLevel::position},
      {"rpy", 3, "rad", SensorLevel::position},
      {"quaternion", 4, "", SensorLevel::position},
      {"velocity", 3, "m/s", SensorLevel::velocity},
      {"angular_velocity", 3, "rad/s", SensorLevel::velocity},
      {"acceleration", 3, "m/s2", SensorLevel::acceleration},
      {"angular_acceleration", 3, "rad/s2", SensorLevel::acceleration},
  };
  return types;
}

const std::vector<QuantityType>& system_quantities() {
  static const std::vector<QuantityType> types = {
      {"energy.kinetic", 1, "J", SensorLevel::report},
      {"energy.potential", 1, "J", SensorLevel::report},
      {"energy.total", 1, "J", SensorLevel::report},
      {"constraint.residual", 1, "", SensorLevel::report},
      {"constraint.residual_velocity", 1, "", SensorLevel::report},
      {"constraint.residual_acceleration", 1, "", SensorLevel::report},
      {"solver.steps", 1, "", SensorLevel::report},
      {"solver.evaluations", 1, "", SensorLevel::report},
      {"solver.projections", 1, "", SensorLevel::report},
      {"solver.rank_losses", 1, "", SensorLevel::report},
  };
  return types;
}

// "angle_velocity[1]" -> "angle_acceleration[1]"
std::string make_acceleration_name(std::string_view rate_name) {
  std::string name(rate_name);
  return name.replace(name.find("velocity"), 8, "acceleration");
}

const QuantityType* find_quantity(const std::vector<QuantityType>& types, std::string_view name) {
  for (const QuantityType& type : types)
    if (type.name == name) return &type;
  return nullptr;
}

std::vector<QuantityType> joint_quantities(const JointType& type) {
  std::vector<QuantityType> types;
  for (const Coordinate& c : type.coordinates)
    types.push_back({std::string(c.name), 1, std::string(c.unit), SensorLevel::position});
  for (const Coordinate& c : type.coordinates)
    types.push_back({std::string(c.rate_name), 1, std::string(c.rate_unit), SensorLevel::velocity});
  for (const Coordinate& c : type.coordinates)
    types.push_back({make_acceleration_name(c.rate_name), 1, std::string(c.unit) + "/s2",
                     SensorLevel::acceleration});
  for (const Attribute& start : type.start_vectors)
    if (start.name == "angular_velocity")
      types.push_back({"angular_velocity", 3, "rad/s", SensorLevel::velocity});
  if (type.reaction == Reaction::both || type.reaction == Reaction::force)
    types.push_back({"force", 3, "N", SensorLevel::acceleration});
  if (type.reaction == Reaction::both || type.reaction == Reaction::torque)
    types.push_back({"torque", 3, "N.m", SensorLevel::acceleration});
  if (type.reaction == Reaction::effort)
    types.push_back({"effort", 2, "", SensorLevel::acceleration});
  for (const Coordinate& c : type.coordinates) {
    const QuantityType drive =
        c.unit == "rad" ? QuantityType{"drive_torque", 1, "N.m", SensorLevel::acceleration}
                        : QuantityType{"drive_force", 1, "N", SensorLevel::acceleration};
    if (find_quantity(types, drive.name) == nullptr) types.push_back(drive);
  }
  return types;
}

bool is_system_owner(std::string_view name) {
  return name == "energy" || name == "constraint" || name == "solver";
}

// "coupler.tip.velocity[1]" taken apart: the owner is looked up, the quantity is not yet.
struct Address {
  Sensor sensor;                         // owner fields
  std::vector<QuantityType> offered;     // what this owner has
  std::string owner;                     // "joint 'A'", for messages
  std::string_view quantity;             // "velocity[1]"
  std::vector<std::string_view> frames;  // further names after "coupler."
  bool owner_known = false;
};

std::vector<std::string_view> frame_names(const std::vector<Frame>& frames) {
  std::vector<std::string_view> names;
  for (const Frame& frame : frames) names.push_back(frame.name.text);
  return names;
}

void address_frame(Address& address, std::string_view body, const std::vector<Frame>& frames,
                   std::string_view rest) {
  address.owner_known = true;
  address.sensor.owner = Sensor::Owner::frame;
  address.offered = frame_quantities();
  address.owner = body == "ground" ? "the ground" : fmt::format("body '{}'", body);
  address.quantity = rest;
  address.frames = frame_names(frames);
  const std::string_view first = rest.substr(0, rest.find('.'));
  if (first.size() == rest.size()) return;
  const auto it = std::find(address.frames.begin(), address.frames.end(), first);
  if (it == address.frames.end()) return;
  address.sensor.frame = static_cast<int>(it - address.frames.begin());
  address.owner = fmt::format("frame '{}.{}'", body, first);
  address.quantity = rest.substr(first.size() + 1);
  address.frames.clear();
}

Address make_address(Sensor::Owner kind, std::size_t index, std::string owner,
                     std::string_view quantity, std::vector<QuantityType> offered) {
  Address address;
  address.owner_known = true;
  address.sensor.owner = kind;
  address.sensor.index = static_cast<int>(index);
  address.owner = std::move(owner);
  address.quantity = quantity;
  address.offered = std::move(offered);
  return address;
}

Address find_address(const Mechanism& mechanism, std::string_view name) {
  Address address;
  const std::size_t dot = name.find('.');
  const std::string_view owner = name.substr(0, dot);
  const std::string_view rest =
      dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
  if (is_system_owner(owner)) {
    address.owner_known = true;
    address.owner = fmt::format("'{}'", owner);
    for (const QuantityType& type : system_quantities()) {
      // equations have a potential energy only where they say what is conserved
      if (mechanism.equations && !mechanism.equations->energy &&
          (type.name == "energy.potential" || type.name == "energy.total"))
        continue;
      if (type.name.substr(0, owner.size()) == owner) address.offered.push_back(type);
    }
    address.quantity = name;
    return address;
  }
  for (std::size_t i = 0; i < mechanism.drives.size(); ++i)
    if (mechanism.drives[i].name.text == owner)
      return make_address(Sensor::Owner::drive, i, fmt::format("drive '{}'", owner), rest,
                          {{"effort", 1, "", SensorLevel::acceleration}});
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i)
    if (mechanism.constraints[i].name.text == owner)
      return make_address(Sensor::Owner::constraint, i, fmt::format("constraint '{}'", owner), rest,
                          {{"multiplier", 1, "", SensorLevel::acceleration},
                           {"residual", 1, "", SensorLevel::report},
                           {"residual_velocity", 1, "", SensorLevel::report}});
  if (owner == "ground" && !mechanism.equations) {
    address_frame(address, owner, mechanism.ground_frames, rest);
    return address;
  }
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    if (mechanism.bodies[i].name.text != owner) continue;
    address.sensor.body = static_cast<int>(i);
    address_frame(address, owner, mechanism.bodies[i].frames, rest);
    return address;
  }
  for (std::size_t i = 0; i < mechanism.joints.size(); ++i) {
    const Joint& joint = mechanism.joints[i];
    if (joint.name.text != owner || joint.type == nullptr) continue;
    address.owner_known = true;
    address.sensor.owner = Sensor::Owner::joint;
    address.sensor.joint = static_cast<int>(i);
    address.offered = joint_quantities(*joint.type);
    address.owner = fmt::format("{} joint '{}'", joint.type->id, owner);
    address.quantity = rest;
    return address;
  }
  return address;
}

// The 1-based index at the end of "force[2]"; 0 if there is none, -1 if it is not written as a
// plain number.
int find_index(std::string_view quantity) {
  const std::size_t bracket = quantity.find('[');
  if (bracket == std::string_view::npos) return 0;
  const std::string_view digits = quantity.substr(bracket + 1, quantity.size() - bracket - 2);
  int index = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const bool is_plain = status == std::errc() && end == digits.data() + digits.size();
  return is_plain && index > 0 && digits.front() != '0' ? index : -1;
}

std::string index_example(std::string_view quantity, int size) {
  return fmt::format("write {0}[1] to {0}[{1}]", quantity, size);
}

// A quantity the owner does not have.
SensorProblem describe_unknown(const Address& address, std::string_view name) {
  const std::string_view quantity = address.quantity;
  const std::string_view base = quantity.substr(0, quantity.find_first_of(".["));
  const bool on_body =
      address.sensor.owner == Sensor::Owner::frame && address.sensor.frame == kOriginFrame;
  const bool is_frame =
      std::find(address.frames.begin(), address.frames.end(), base) != address.frames.end();
  if (on_body && is_frame)
    return {"E414", fmt::format("'{}' is a frame, not a number", name),
            fmt::format("for example {}.position[1]", name)};
  if (on_body && base.size() < quantity.size() && quantity[base.size()] == '.')
    return {"E414", fmt::format("{} has no frame '{}'", address.owner, base),
            did_you_mean(base, address.frames, "frames")};
  std::vector<std::string_view> known;
  for (const QuantityType& type : address.offered) known.push_back(type.name);
  known.insert(known.end(), address.frames.begin(), address.frames.end());
  if (quantity.empty())
    return {"E414", fmt::format("{} is not a number", address.owner),
            did_you_mean("", known, "quantities")};
  // the quantities of energy, constraint and solver carry the owner's name
  const bool is_system = address.sensor.owner == Sensor::Owner::system;
  const std::size_t dot = is_system ? quantity.find('.') : std::string_view::npos;
  return {"E414",
          fmt::format("{} has no '{}'", address.owner,
                      dot == std::string_view::npos ? quantity : quantity.substr(dot + 1)),
          did_you_mean(is_system ? name : base, known, "quantities")};
}

std::optional<SensorProblem> find_problem(const Address& address, std::string_view name) {
  const std::string_view base = address.quantity.substr(0, address.quantity.find('['));
  const std::string_view stem = name.substr(0, name.find('['));
  const int index = find_index(address.quantity);
  const QuantityType* type = find_quantity(address.offered, address.quantity);
  if (type != nullptr && type->size == 1) return std::nullopt;
  if (type == nullptr) type = find_quantity(address.offered, base);
  if (type == nullptr) {
    // universal: the coordinates are called angle[1], angle[2]
    if (find_quantity(address.offered, std::string(base) + "[1]") == nullptr)
      return describe_unknown(address, name);
    return SensorProblem{index == 0 ? "E415" : "E416",
                         fmt::format("{0} has {1}[1] and {1}[2]", address.owner, base),
                         index_example(stem, 2)};
  }
  if (type->size == 1)
    return SensorProblem{"E416", fmt::format("'{}' is one number and has no index", stem),
                         fmt::format("write {}", stem)};
  if (index == 0)
    return SensorProblem{"E415", fmt::format("'{}' has {} components", stem, type->size),
                         index_example(stem, type->size) + ", or norm(" + std::string(stem) + ")"};
  if (index < 0 || index > type->size)
    return SensorProblem{"E416", fmt::format("'{}' has no such component", name),
                         index_example(stem, type->size)};
  return std::nullopt;
}

}  // namespace

std::optional<Sensor> find_sensor(const Mechanism& mechanism, std::string_view name) {
  Address address = find_address(mechanism, name);
  if (!address.owner_known) return std::nullopt;
  Sensor& sensor = address.sensor;
  const QuantityType* type = find_quantity(address.offered, address.quantity);
  if (type == nullptr) {
    const int index = find_index(address.quantity);
    type = find_quantity(address.offered, address.quantity.substr(0, address.quantity.find('[')));
    if (type == nullptr || index < 1 || index > type->size || type->size == 1) return std::nullopt;
    sensor.component = index;
  }
  sensor.quantity = type->name;
  sensor.size = type->size;
  sensor.unit = type->unit;
  sensor.level = type->level;
  return sensor;
}

std::optional<SensorProblem> check_sensor(const Mechanism& mechanism, std::string_view name) {
  if (mechanism.controller)
    return SensorProblem{"E414", fmt::format("a controller has no sensor '{}'", name),
                         "what it measures are its inputs: <input name=\"angle\"/>"};
  const Address address = find_address(mechanism, name);
  if (address.owner_known) {
    if (mechanism.equations && !mechanism.equations->energy &&
        (name == "energy.total" || name == "energy.potential"))
      return SensorProblem{"E414", fmt::format("the equations do not say what '{}' is", name),
                           "add <energy value=\"...\"/>, the energy that is conserved"};
    return find_problem(address, name);
  }
  const std::string_view owner = name.substr(0, name.find_first_of(".["));
  std::vector<std::string_view> known;
  if (mechanism.equations) {
    if (mechanism.equations->find(owner) >= 0)
      return SensorProblem{"E414", fmt::format("the coordinate '{}' is one number", owner),
                           fmt::format("write {0}, der({0}) or der(der({0}))", owner)};
    for (const ExpressionConstraint& c : mechanism.constraints) known.push_back(c.name.text);
    for (const std::string_view system : {"energy", "constraint", "solver"})
      known.push_back(system);
    return SensorProblem{"E413", fmt::format("there is no constraint '{}'", owner),
                         did_you_mean(owner, known, "names")};
  }
  for (const Joint& joint : mechanism.joints) known.push_back(joint.name.text);
  for (const Body& body : mechanism.bodies) known.push_back(body.name.text);
  for (const Drive& drive : mechanism.drives) known.push_back(drive.name.text);
  for (const ExpressionConstraint& c : mechanism.constraints) known.push_back(c.name.text);
  for (const std::string_view system : {"ground", "energy", "constraint", "solver"})
    known.push_back(system);
  return SensorProblem{"E413", fmt::format("there is no joint or body '{}'", owner),
                       did_you_mean(owner, known, "names")};
}

std::vector<std::string> list_sensors(const Mechanism& mechanism, const std::string& owner) {
  std::vector<std::string> names;
  const auto drives_it = [&](const Drive& drive) {
    const Argument* joint = drive.arguments.find("joint");
    return joint != nullptr && joint->text == owner;
  };
  const bool driven = std::any_of(mechanism.drives.begin(), mechanism.drives.end(), drives_it);
  for (const QuantityType& type : find_address(mechanism, owner + ".").offered)
    if (driven || type.name.rfind("drive_", 0) != 0) names.push_back(owner + "." + type.name);
  return names;
}

bool is_quantity_name(std::string_view name) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const QuantityType& type : frame_quantities()) all.push_back(type.name);
    for (const JointType& joint : joint_types())
      for (const QuantityType& type : joint_quantities(joint))
        all.push_back(type.name.substr(0, type.name.find('[')));
    return all;
  }();
  // one letter is no clash: planar joints have x and y, but frames are on bodies
  return name.size() > 1 && std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace mechfmu
