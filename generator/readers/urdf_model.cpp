#include "readers/urdf_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "readers/attribute_reader.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d rotation_from_rpy(const Vector3d& rpy) {
  return (Eigen::AngleAxisd(rpy.z(), Vector3d::UnitZ()) *
          Eigen::AngleAxisd(rpy.y(), Vector3d::UnitY()) *
          Eigen::AngleAxisd(rpy.x(), Vector3d::UnitX()))
      .toRotationMatrix();
}

Vector3d rpy_from_rotation(const Matrix3d& R) {
  const double cosine = std::hypot(R(0, 0), R(1, 0));
  if (cosine < 1e-12) return {0, std::atan2(-R(2, 0), cosine), std::atan2(-R(0, 1), R(1, 1))};
  return {std::atan2(R(2, 1), R(2, 2)), std::atan2(-R(2, 0), cosine), std::atan2(R(1, 0), R(0, 0))};
}

namespace {

const std::vector<std::string_view> kJointTypes = {"revolute", "continuous", "prismatic",
                                                   "fixed",    "floating",   "planar"};

class UrdfReader {
 public:
  explicit UrdfReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  std::optional<UrdfRobot> read(const XmlElement& root) {
    if (root.name != "robot") {
      fail(root.span, fmt::format("<{}> is no robot description, <robot> is", root.name));
      return std::nullopt;
    }
    robot_.name = text(root, "name", "robot");
    robot_.span = root.span;
    for (const XmlElement& child : root.children)
      if (child.name == "material") read_material(child);
    for (const XmlElement& child : root.children) {
      if (child.name.starts_with("xacro:")) {
        fail(child.span, fmt::format("<{}> is a macro", child.name),
             "expand the file first: xacro robot.urdf.xacro > robot.urdf");
        return std::nullopt;
      }
      if (child.name == "link")
        read_link(child);
      else if (child.name == "joint")
        read_joint(child);
      else if (child.name != "material")
        ignore(child, "");
    }
    check_references();
    if (failed_) return std::nullopt;
    return std::move(robot_);
  }

 private:
  void fail(Span span, const std::string& message, const std::string& hint = {}) {
    failed_ = true;
    diagnostics_.error("E144", span, message, hint);
  }

  // Said once for each kind of thing.
  void ignore(const XmlElement& element, const std::string& why) {
    if (!ignored_.insert(element.name).second) return;
    diagnostics_.warning(
        "W111", element.span,
        fmt::format("<{}> is left out{}", element.name, why.empty() ? "" : ": " + why));
  }

  static std::string text(const XmlElement& e, std::string_view attribute,
                          const std::string& fallback) {
    const XmlAttribute* a = e.find(attribute);
    return a == nullptr ? fallback : a->value.text;
  }

  std::string needed(const XmlElement& e, std::string_view attribute) {
    const XmlAttribute* a = e.find(attribute);
    if (a != nullptr && !a->value.text.empty()) return a->value.text;
    fail(e.span, fmt::format("<{}> needs the attribute '{}'", e.name, attribute));
    return {};
  }

  // `count` numbers separated by blanks.
  std::vector<double> numbers(const XmlElement& e, std::string_view attribute, std::size_t count,
                              std::vector<double> fallback) {
    const XmlAttribute* a = e.find(attribute);
    if (a == nullptr) return fallback;
    std::vector<double> values;
    const std::string& all = a->value.text;
    for (std::size_t begin = all.find_first_not_of(" \t\r\n"); begin != std::string::npos;) {
      const std::size_t end = std::min(all.find_first_of(" \t\r\n", begin), all.size());
      const std::optional<double> value = parse_number(all.substr(begin, end - begin));
      if (!value) {
        fail(a->value.part(begin, end),
             fmt::format("<{}>: {}: '{}' is not a number", e.name, attribute,
                         shown_text(all.substr(begin, end - begin), 40)));
        return fallback;
      }
      values.push_back(*value);
      begin = all.find_first_not_of(" \t\r\n", end);
    }
    if (values.size() == count) return values;
    fail(a->value.span, fmt::format("<{}>: {}: {} numbers are expected, got {}", e.name, attribute,
                                    count, values.size()));
    return fallback;
  }

  double number(const XmlElement& e, std::string_view attribute, double fallback) {
    return numbers(e, attribute, 1, {fallback})[0];
  }

  Vector3d vector(const XmlElement& e, std::string_view attribute, const Vector3d& fallback) {
    const std::vector<double> v =
        numbers(e, attribute, 3, {fallback.x(), fallback.y(), fallback.z()});
    return {v[0], v[1], v[2]};
  }

  static const XmlElement* find_child(const XmlElement& e, std::string_view name) {
    for (const XmlElement& child : e.children)
      if (child.name == name) return &child;
    return nullptr;
  }

  UrdfPose read_origin(const XmlElement& parent) {
    const XmlElement* origin = find_child(parent, "origin");
    if (origin == nullptr) return {};
    return {vector(*origin, "xyz", Vector3d::Zero()), vector(*origin, "rpy", Vector3d::Zero())};
  }

  std::string read_color(const XmlElement& material) {
    const XmlElement* color = find_child(material, "color");
    if (color == nullptr) return {};
    const std::vector<double> c = numbers(*color, "rgba", 4, {0.5, 0.6, 0.7, 1});
    const auto byte = [](double x) {
      return static_cast<int>(std::lround(255 * std::clamp(x, 0.0, 1.0)));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", byte(c[0]), byte(c[1]), byte(c[2]));
  }

  void read_material(const XmlElement& element) {
    if (const std::string color = read_color(element); !color.empty())
      colors_[text(element, "name", "")] = color;
  }

  void read_link(const XmlElement& element) {
    UrdfLink link;
    link.name = needed(element, "name");
    link.span = element.span;
    for (const XmlElement& child : element.children) {
      if (child.name == "inertial")
        read_inertial(child, link);
      else if (child.name == "visual")
        read_visual(child, link);
      else if (child.name == "collision")
        ignore(child, "bodies do not touch each other here");
      else
        ignore(child, "");
    }
    robot_.links.push_back(std::move(link));
  }

  void read_inertial(const XmlElement& element, UrdfLink& link) {
    UrdfInertial inertial;
    inertial.span = element.span;
    const UrdfPose origin = read_origin(element);
    inertial.com = origin.xyz;
    if (const XmlElement* mass = find_child(element, "mass"))
      inertial.mass = number(*mass, "value", 0);
    if (const XmlElement* i = find_child(element, "inertia")) {
      const double xx = number(*i, "ixx", 0), yy = number(*i, "iyy", 0), zz = number(*i, "izz", 0),
                   xy = number(*i, "ixy", 0), xz = number(*i, "ixz", 0), yz = number(*i, "iyz", 0);
      Matrix3d tensor;
      tensor << xx, xy, xz, xy, yy, yz, xz, yz, zz;
      // turned only where it must be, and without what rounding leaves of zeros
      const Matrix3d R = rotation_from_rpy(origin.rpy);
      inertial.inertia = origin.rpy.isZero(0) ? tensor : Matrix3d(R * tensor * R.transpose());
      const double least = 1e-15 * tensor.norm();
      for (double& entry : inertial.inertia.reshaped())
        if (std::fabs(entry) < least) entry = 0;
    }
    if (inertial.mass < 0)
      fail(element.span, fmt::format("link '{}': the mass is negative", shown_text(link.name)));
    if (inertial.mass > 0) link.inertial = inertial;
  }

  void read_visual(const XmlElement& element, UrdfLink& link) {
    UrdfVisual visual;
    visual.span = element.span;
    visual.pose = read_origin(element);
    if (const XmlElement* material = find_child(element, "material")) {
      visual.color = read_color(*material);
      const auto named = colors_.find(text(*material, "name", ""));
      if (visual.color.empty() && named != colors_.end()) visual.color = named->second;
    }
    const XmlElement* geometry = find_child(element, "geometry");
    if (geometry == nullptr) return;
    for (const XmlElement& shape : geometry->children) {
      visual.shape = shape.name;
      if (shape.name == "box") {
        visual.size = vector(shape, "size", Vector3d::Zero());
      } else if (shape.name == "cylinder") {
        const double d = 2 * number(shape, "radius", 0);
        visual.size = {d, d, number(shape, "length", 0)};
      } else if (shape.name == "sphere") {
        visual.size.setConstant(2 * number(shape, "radius", 0));
      } else {
        diagnostics_.warning(
            "W111", shape.span,
            fmt::format("link '{}': <{}> is not drawn{}", shown_text(link.name), shape.name,
                        shape.name == "mesh"
                            ? fmt::format(" ({})", shown_text(text(shape, "filename", "")))
                            : ""));
        continue;
      }
      if (visual.size.minCoeff() > 0) link.visuals.push_back(visual);
    }
  }

  void read_joint(const XmlElement& element) {
    UrdfJoint joint;
    joint.name = needed(element, "name");
    joint.type = needed(element, "type");
    joint.span = element.span;
    if (!joint.type.empty() &&
        std::find(kJointTypes.begin(), kJointTypes.end(), joint.type) == kJointTypes.end())
      fail(element.find("type")->value.span,
           fmt::format("joint '{}': there is no joint type '{}'", shown_text(joint.name),
                       shown_text(joint.type)),
           did_you_mean(joint.type, kJointTypes, "types"));
    joint.pose = read_origin(element);
    for (const XmlElement& child : element.children) {
      if (child.name == "origin") continue;
      if (child.name == "parent")
        joint.parent = needed(child, "link");
      else if (child.name == "child")
        joint.child = needed(child, "link");
      else if (child.name == "axis")
        joint.axis = vector(child, "xyz", joint.axis);
      else if (child.name == "limit")
        read_limit(child, joint);
      else if (child.name == "dynamics")
        read_dynamics(child, joint);
      else if (child.name == "mimic")
        joint.mimic = UrdfMimic{needed(child, "joint"), number(child, "multiplier", 1),
                                number(child, "offset", 0), child.span};
      else
        ignore(child, "");
    }
    if (joint.parent.empty() || joint.child.empty())
      fail(element.span, fmt::format("joint '{}' needs <parent link=\"...\"/> and <child "
                                     "link=\"...\"/>",
                                     shown_text(joint.name)));
    if (joint.axis.isZero(0))
      fail(element.span,
           fmt::format("joint '{}': its axis has no direction", shown_text(joint.name)));
    robot_.joints.push_back(std::move(joint));
  }

  void read_limit(const XmlElement& element, UrdfJoint& joint) {
    const bool has_stops = joint.type == "revolute" || joint.type == "prismatic";
    if (has_stops) {
      joint.lower = number(element, "lower", 0);
      joint.upper = number(element, "upper", 0);
      if (*joint.lower >= *joint.upper) {
        if (*joint.lower > *joint.upper || *joint.lower != 0)
          diagnostics_.warning("W111", element.span,
                               fmt::format("joint '{}': lower = {} and upper = {} are left out",
                                           shown_text(joint.name), *joint.lower, *joint.upper));
        joint.lower.reset();
        joint.upper.reset();
      }
    }
    if ((element.find("effort") != nullptr || element.find("velocity") != nullptr) &&
        ignored_.insert("limit").second)
      diagnostics_.warning("W111", element.span,
                           "limits of effort and velocity are left out: they are the controller's");
  }

  void read_dynamics(const XmlElement& element, UrdfJoint& joint) {
    joint.damping = number(element, "damping", 0);
    joint.friction = number(element, "friction", 0);
    if (joint.damping < 0 || joint.friction < 0)
      fail(element.span, fmt::format("joint '{}': damping and friction cannot be negative",
                                     shown_text(joint.name)));
  }

  // Links exist, every link has one parent, there is one first link and no circle.
  void check_references() {
    std::vector<std::string_view> links, joints;
    std::set<std::string_view> seen;
    for (const UrdfLink& link : robot_.links) {
      if (!seen.insert(link.name).second)
        fail(link.span, fmt::format("there are two links '{}'", shown_text(link.name)));
      links.push_back(link.name);
    }
    for (const UrdfJoint& joint : robot_.joints) joints.push_back(joint.name);
    std::map<std::string_view, const UrdfJoint*> parent_of;
    for (const UrdfJoint& joint : robot_.joints) {
      for (const std::string* name : {&joint.parent, &joint.child})
        if (!name->empty() && seen.count(*name) == 0)
          fail(joint.span,
               fmt::format("joint '{}': there is no link '{}'", shown_text(joint.name),
                           shown_text(*name)),
               did_you_mean(*name, links, "links"));
      if (!parent_of.emplace(joint.child, &joint).second)
        fail(joint.span,
             fmt::format("link '{}' is the child of two joints", shown_text(joint.child)),
             "a robot description is a tree; close loops with joints of the mechanism file");
      if (joint.mimic &&
          std::find(joints.begin(), joints.end(), joint.mimic->joint) == joints.end())
        fail(joint.mimic->span,
             fmt::format("joint '{}': there is no joint '{}' to mimic", shown_text(joint.name),
                         shown_text(joint.mimic->joint)),
             did_you_mean(joint.mimic->joint, joints, "joints"));
    }
    if (failed_) return;
    int roots = 0;
    for (const UrdfLink& link : robot_.links) {
      if (parent_of.count(link.name) > 0) continue;
      if (++roots == 2)
        fail(link.span, fmt::format("link '{}' is the child of no joint, like another one before",
                                    shown_text(link.name)));
    }
    if (robot_.links.empty())
      fail(robot_.span, "the robot has no <link>");
    else if (roots == 0)
      fail(robot_.span, "the links form a circle: none is the first one");
    else
      check_reachable(parent_of);
  }

  // What the first link does not carry goes round in a circle.
  void check_reachable(const std::map<std::string_view, const UrdfJoint*>& parent_of) {
    std::map<std::string_view, std::vector<std::string_view>> children;
    for (const UrdfJoint& joint : robot_.joints) children[joint.parent].push_back(joint.child);
    std::vector<std::string_view> waiting;
    for (const UrdfLink& link : robot_.links)
      if (parent_of.count(link.name) == 0) waiting.push_back(link.name);
    std::set<std::string_view> reached;
    while (!waiting.empty()) {
      const std::string_view at = waiting.back();
      waiting.pop_back();
      reached.insert(at);
      const std::vector<std::string_view>& next = children[at];
      waiting.insert(waiting.end(), next.begin(), next.end());
    }
    for (const UrdfLink& link : robot_.links) {
      if (reached.count(link.name) > 0) continue;
      fail(link.span, fmt::format("link '{}' is in a circle of links", shown_text(link.name)));
      return;
    }
  }

  Diagnostics& diagnostics_;
  UrdfRobot robot_;
  std::map<std::string, std::string> colors_;
  std::set<std::string> ignored_;
  bool failed_ = false;
};

}  // namespace

std::optional<UrdfRobot> read_urdf(const XmlElement& robot, Diagnostics& diagnostics) {
  return UrdfReader(diagnostics).read(robot);
}

}  // namespace mechfmu
