#include "readers/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/number_text.hpp"
#include "validation/reserved_names.hpp"

namespace mechfmu {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

constexpr double kTinyMass = 1e-3, kTinyInertia = 1e-6;  // of links without, on joints that move

std::string vector_text(const Vector3d& v) {
  return fmt::format("{} {} {}", number_text(v.x() + 0.0), number_text(v.y() + 0.0),
                     number_text(v.z() + 0.0));
}

// Where a link is: on a body, or on the ground.
struct LinkPlace {
  std::string body;  // "ground"
  Matrix3d R = Matrix3d::Identity();
  Vector3d p = Vector3d::Zero();
  std::string frame;  // "tool0" where it is a frame of the body
};

class Translator {
 public:
  Translator(const UrdfRobot& robot, const UrdfOptions& options, Diagnostics& diagnostics)
      : robot_(robot), options_(options), diagnostics_(diagnostics) {
    for (const UrdfJoint& joint : robot.joints) children_[joint.parent].push_back(&joint);
    for (const UrdfLink& link : robot.links) links_[link.name] = &link;
  }

  XmlElement run() {
    mechanism_ = make("mechanism", robot_.span, {{"name", identifier(robot_.name, robot_.span)}});
    ground_ = make("ground", robot_.span, {});
    for (const char* name : {"limit_stiffness", "limit_damping"})
      taken_.insert(options_.prefix + name);
    add_root(find_root());
    add_mimics();
    if (uses_limits_)
      for (const auto& [name, value, help] :
           {std::tuple{"limit_stiffness", "10000",
                       "stiffness of the joints' stops, N.m/rad or N/m"},
            std::tuple{"limit_damping", "10", "damping of the joints' stops"}})
        parts_[0].push_back(
            make("parameter", robot_.span,
                 {{"name", options_.prefix + name}, {"value", value}, {"description", help}}));
    if (!ground_.children.empty()) parts_[1].push_back(ground_);
    for (auto& part : parts_)
      mechanism_.children.insert(mechanism_.children.end(), part.begin(), part.end());
    return mechanism_;
  }

 private:
  using Given = std::vector<std::pair<std::string, std::string>>;

  static XmlElement make(const std::string& name, Span span, const Given& attributes) {
    XmlElement element;
    element.name = name;
    element.span = span;
    for (const auto& [key, value] : attributes)
      element.attributes.push_back(
          {key, span, {value, span, std::vector<std::size_t>(value.size(), span.begin)}});
    return element;
  }

  const UrdfLink& find_root() const {
    std::set<std::string> carried;
    for (const UrdfJoint& joint : robot_.joints) carried.insert(joint.child);
    for (const UrdfLink& link : robot_.links)
      if (carried.count(link.name) == 0) return link;
    return robot_.links.front();
  }

  // Letters, digits and _; told if that changes the name.
  std::string identifier(const std::string& name, Span span) {
    std::string result;
    for (const char c : name)
      result +=
          (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? c : '_';
    if (result.empty() || (result[0] >= '0' && result[0] <= '9')) result = "_" + result;
    if (result != name && told_.insert(name).second)
      diagnostics_.warning("W112", span,
                           fmt::format("'{}' is called '{}': names have letters, digits and _",
                                       name, options_.prefix + result));
    return result;
  }

  // A name that nothing else has.
  std::string unique(const std::string& name, const char* kind, Span span) {
    const std::string wanted = options_.prefix + identifier(name, span);
    std::string result = wanted;
    if (taken_.count(result) > 0 || !find_reserved_use(result).empty()) {
      result += kind;
      for (int k = 2; taken_.count(result) > 0; ++k) result = wanted + kind + std::to_string(k);
      diagnostics_.warning(
          "W112", span,
          fmt::format("'{}' is called '{}': the name means something else, too", wanted, result));
    }
    taken_.insert(result);
    return result;
  }

  // In each body of its own.
  std::string frame_name(const std::string& body, const std::string& name, Span span) {
    const std::string wanted = options_.prefix + identifier(name, span);
    std::string result = wanted;
    for (int k = 2; !frames_.insert(body + "." + result).second; ++k)
      result = wanted + std::to_string(k);
    return result;
  }

  void add_frame(const std::string& body, const std::string& name, const Matrix3d& R,
                 const Vector3d& p, const UrdfPose* exact, Span span) {
    Given given = {{"name", name}};
    const Vector3d rpy = exact != nullptr ? exact->rpy : rpy_from_rotation(R);
    if (!p.isZero(0)) given.push_back({"xyz", vector_text(p)});
    if (!rpy.isZero(0)) given.push_back({"rpy", vector_text(rpy)});
    XmlElement& owner = body == "ground" ? ground_ : parts_[2][body_index_.at(body)];
    owner.children.push_back(make("frame", span, given));
  }

  void add_visuals(const UrdfLink& link, const LinkPlace& place, XmlElement& owner) {
    for (const UrdfVisual& v : link.visuals) {
      const Matrix3d R = place.R * rotation_from_rpy(v.pose.rpy);
      const Vector3d p = place.p + place.R * v.pose.xyz;
      const Vector3d rpy = place.frame.empty() ? v.pose.rpy : rpy_from_rotation(R);
      Given given = {{"shape", v.shape}, {"size", vector_text(v.size)}};
      if (!p.isZero(0)) given.push_back({"xyz", vector_text(p)});
      if (!rpy.isZero(0)) given.push_back({"rpy", vector_text(rpy)});
      if (!v.color.empty()) given.push_back({"color", v.color});
      owner.children.push_back(make("visual", v.span, given));
    }
  }

  void add_body(const UrdfLink& link, const std::string& name) {
    XmlElement body = make("body", link.span, {{"name", name}});
    if (link.inertial) {
      const UrdfInertial& i = *link.inertial;
      Given given = {{"mass", number_text(i.mass)}};
      if (!i.com.isZero(0)) given.push_back({"com", vector_text(i.com)});
      const Matrix3d& I = i.inertia;
      std::string tensor = vector_text(I.diagonal());
      if (I(0, 1) != 0 || I(0, 2) != 0 || I(1, 2) != 0)
        tensor += " " + vector_text({I(0, 1), I(0, 2), I(1, 2)});
      given.push_back({"inertia", tensor});
      body.children.push_back(make("inertial", i.span, given));
    } else {
      diagnostics_.warning(
          "W112", link.span,
          fmt::format("link '{}' has no mass and needs one here: {} kg are assumed", link.name,
                      kTinyMass));
      body.children.push_back(make("inertial", link.span,
                                   {{"mass", number_text(kTinyMass)},
                                    {"inertia", vector_text(Vector3d::Constant(kTinyInertia))}}));
    }
    add_visuals(link, {}, body);
    body_index_[name] = parts_[2].size();
    parts_[2].push_back(std::move(body));
  }

  void add_root(const UrdfLink& root) {
    if (!root.inertial && options_.parent == "ground" && options_.base == "fixed") {
      LinkPlace place{"ground", Matrix3d::Identity(), Vector3d::Zero(), ""};
      add_visuals(root, place, ground_);
      add_children(root, place);
      return;
    }
    const std::string name = unique(root.name, "_link", root.span);
    add_body(root, name);
    if (options_.base != "none") {
      parts_[3].push_back(make("joint", root.span,
                               {{"name", unique(root.name + "_base", "_joint", root.span)},
                                {"type", options_.base},
                                {"parent", options_.parent},
                                {"child", name}}));
    }
    add_children(root, {name, Matrix3d::Identity(), Vector3d::Zero(), ""});
  }

  void add_children(const UrdfLink& first, const LinkPlace& first_place) {
    // a chain may be as long as the file: no recursion
    std::vector<std::pair<const UrdfLink*, LinkPlace>> waiting = {{&first, first_place}};
    while (!waiting.empty()) {
      const auto [link, place] = waiting.back();
      waiting.pop_back();
      const auto found = children_.find(link->name);
      if (found == children_.end()) continue;
      std::vector<std::pair<const UrdfLink*, LinkPlace>> next;
      for (const UrdfJoint* joint : found->second)
        next.emplace_back(links_.at(joint->child), add_joint(*joint, place));
      waiting.insert(waiting.end(), next.rbegin(), next.rend());
    }
  }

  LinkPlace add_joint(const UrdfJoint& joint, const LinkPlace& parent) {
    const UrdfLink& child = *links_.at(joint.child);
    LinkPlace place = parent;
    place.p = parent.p + parent.R * joint.pose.xyz;
    place.R = parent.R * rotation_from_rpy(joint.pose.rpy);
    // numbers as they are written where nothing is between
    const bool is_exact = parent.p.isZero(0) && parent.R.isIdentity(0);
    const UrdfPose* exact = is_exact ? &joint.pose : nullptr;
    if (joint.type == "fixed" && !child.inertial) {
      place.frame = frame_name(parent.body, child.name, child.span);
      add_frame(parent.body, place.frame, place.R, place.p, exact, child.span);
      XmlElement& owner =
          parent.body == "ground" ? ground_ : parts_[2][body_index_.at(parent.body)];
      add_visuals(child, place, owner);
      return place;
    }
    const std::string body = unique(child.name, "_link", child.span);
    const std::string name = unique(joint.name, "_joint", joint.span);
    std::string at = parent.body;
    if (!place.p.isZero(0) || !place.R.isIdentity(0)) {
      const std::string frame = frame_name(parent.body, joint.name, joint.span);
      add_frame(parent.body, frame, place.R, place.p, exact, joint.span);
      at += "." + frame;
    }
    add_body(child, body);
    names_[joint.name] = name;
    Given given = {{"name", name},
                   {"type", joint.type == "continuous" ? "revolute"
                            : joint.type == "floating" ? "free"
                                                       : joint.type},
                   {"parent", at},
                   {"child", body}};
    if (joint.is_scalar() || joint.type == "planar")
      given.push_back({"axis", vector_text(joint.axis)});
    XmlElement element = make("joint", joint.span, given);
    add_stops(joint, name, element);
    parts_[3].push_back(std::move(element));
    if (joint.mimic) mimics_.push_back(&joint);
    if (joint.damping > 0 || joint.friction > 0) {
      Given law = {{"name", unique(joint.name + "_friction", "_force", joint.span)},
                   {"type", "friction"},
                   {"joint", name}};
      if (joint.friction > 0) law.push_back({"coulomb", number_text(joint.friction)});
      if (joint.damping > 0) law.push_back({"viscous", number_text(joint.damping)});
      if (joint.is_scalar())
        parts_[4].push_back(make("force", joint.span, law));
      else
        diagnostics_.warning("W111", joint.span,
                             fmt::format("joint '{}': <dynamics> of a {} joint is left out",
                                         joint.name, joint.type));
    }
    if (options_.outputs && joint.is_scalar())
      parts_[5].push_back(make("output", joint.span,
                               {{"name", unique(joint.name + "_position", "_output", joint.span)},
                                {"value", name + ".position"}}));
    return {body, Matrix3d::Identity(), Vector3d::Zero(), ""};
  }

  void add_stops(const UrdfJoint& joint, const std::string& name, XmlElement& element) {
    if (!options_.limits || !joint.lower || joint.mimic) return;
    // at rest between the stops
    if (*joint.lower > 0 || *joint.upper < 0)
      element.children.push_back(make(
          "start", joint.span, {{"position", number_text(0.5 * (*joint.lower + *joint.upper))}}));
    uses_limits_ = true;
    parts_[4].push_back(make("force", joint.span,
                             {{"name", unique(joint.name + "_limit", "_force", joint.span)},
                              {"type", "joint_limit"},
                              {"joint", name},
                              {"lower", number_text(*joint.lower)},
                              {"upper", number_text(*joint.upper)},
                              {"stiffness", options_.prefix + "limit_stiffness"},
                              {"damping", options_.prefix + "limit_damping"}}));
  }

  // After all joints: the other one may come later.
  void add_mimics() {
    for (const UrdfJoint* joint : mimics_) {
      const auto other = names_.find(joint->mimic->joint);
      const bool is_scalar = std::any_of(
          robot_.joints.begin(), robot_.joints.end(),
          [&](const UrdfJoint& j) { return j.name == joint->mimic->joint && j.is_scalar(); });
      if (!joint->is_scalar() || !is_scalar) {
        diagnostics_.warning("W111", joint->mimic->span,
                             fmt::format("joint '{}': <mimic> is left out", joint->name));
        continue;
      }
      Given given = {{"name", unique(joint->name + "_mimic", "_joint", joint->span)},
                     {"type", "coupler"},
                     {"joint1", names_.at(joint->name)},
                     {"joint2", other->second},
                     {"ratio", number_text(joint->mimic->multiplier)}};
      if (joint->mimic->offset != 0) given.push_back({"offset", number_text(joint->mimic->offset)});
      parts_[3].push_back(make("joint", joint->mimic->span, given));
    }
  }

  const UrdfRobot& robot_;
  const UrdfOptions& options_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::vector<const UrdfJoint*>> children_;
  std::map<std::string, const UrdfLink*> links_;
  std::map<std::string, std::string> names_;  // of joints
  std::set<std::string> taken_, told_, frames_;
  std::map<std::string, std::size_t> body_index_;
  std::vector<const UrdfJoint*> mimics_;
  bool uses_limits_ = false;
  XmlElement mechanism_, ground_;
  std::vector<XmlElement> parts_[6];  // parameters, ground, bodies, joints, forces, outputs
};

}  // namespace

std::optional<XmlElement> translate_urdf(const XmlElement& robot, const UrdfOptions& options,
                                         Diagnostics& diagnostics) {
  const std::optional<UrdfRobot> read = read_urdf(robot, diagnostics);
  if (!read) return std::nullopt;
  return Translator(*read, options, diagnostics).run();
}

}  // namespace mechfmu
