// One mechanism per joint type for tests of its physics: two moving bodies with general mass
// properties, joined at frames that are displaced and turned on both sides, about axes that are
// along nothing. `base` floats on the ground; `link` hangs on it by the joint under test, or floats
// as well and the joint closes the loop.
#pragma once
#include <Eigen/Dense>
#include <map>
#include <string>
#include <vector>

#include "mechanism/catalogue.hpp"
#include "support/mechanism_run.hpp"
#include "support/probes.hpp"

namespace mechfmu::testing {

enum class Arrangement {
  tree,           // the joint carries `link`
  reversed_tree,  // the same, but `link` is its parent
  cut,            // both bodies float, the joint is a constraint between them
};

inline const char* arrangement_name(Arrangement a) {
  return a == Arrangement::tree            ? "tree"
         : a == Arrangement::reversed_tree ? "reversed_tree"
                                           : "cut";
}

struct JointText {
  std::string attributes;
  std::string start;
};

// A row of joints.def without an entry here fails JointMechanisms.HaveEveryType.
inline const std::map<std::string, JointText, std::less<>>& joint_texts() {
  static const std::map<std::string, JointText, std::less<>> texts = {
      {"revolute",
       {"axis='1 2 -0.5' child_axis='-0.3 1 0.8'",
        "<start position='0.7' velocity='-1.3' fixed='true'/>"}},
      {"prismatic",
       {"axis='1 2 -0.5' child_axis='-0.3 1 0.8'",
        "<start position='0.15' velocity='0.8' fixed='true'/>"}},
      {"cylindrical",
       {"axis='1 2 -0.5' child_axis='-0.3 1 0.8'",
        "<start angle='0.7' angle_velocity='-1.3' translation='0.15' translation_velocity='0.8' "
        "fixed='true'/>"}},
      {"spherical",
       {"", "<start rpy='0.4 -0.3 0.9' angular_velocity='1.1 -0.7 0.6' fixed='true'/>"}},
      {"universal",
       {"axis='1 2 0' axis2='-2 1 0.5'",
        "<start angle1='0.5' angle2='-0.4' angle1_velocity='1.2' angle2_velocity='-0.9' "
        "fixed='true'/>"}},
      {"planar",
       {"axis='1 2 -0.5'",
        "<start x='0.1' y='-0.2' angle='0.6' x_velocity='0.4' y_velocity='0.9' "
        "angle_velocity='-1.5' fixed='true'/>"}},
      {"fixed", {"", ""}},
      {"free",
       {"",
        "<start xyz='0.1 0.2 -0.15' rpy='0.4 -0.3 0.9' velocity='0.5 -0.4 0.3' "
        "angular_velocity='1.1 -0.7 0.6' "
        "fixed='true'/>"}},
      {"distance", {"length='0.45'", ""}},
      // both coordinates of a screw, in proportion: pitch / (2 pi)
      {"screw",
       {"axis='1 2 -0.5' child_axis='-0.3 1 0.8' pitch='0.4'",
        "<start angle='0.7' angle_velocity='-1.3' translation='0.04456338406573069' "
        "translation_velocity='-0.08276057040778558' fixed='true'/>"}},
      {"point_on_line", {"axis='1 2 -0.5'", ""}},
      {"point_on_plane", {"axis='-2 1 1.5'", ""}},
      {"parallel", {"axis='1 2 -0.5' child_axis='-0.3 1 0.8'", ""}},
      {"perpendicular", {"axis='1 2 -0.5' child_axis='-0.3 1 0.8'", ""}},
      {"angle", {"axis='1 2 -0.5' child_axis='-0.3 1 0.8' angle='40 deg'", ""}},
      {"gear",
       {"joint1='U' coordinate1='angle[1]' joint2='U' coordinate2='angle[2]' ratio='-1.7' "
        "offset='0.2'",
        ""}},
      {"coupler",
       {"joint1='U' coordinate1='x' joint2='U' coordinate2='angle' ratio='0.3' offset='0.1'", ""}},
      {"rack_and_pinion", {"rack='U' pinion='U' radius='0.25' offset='-0.05'", ""}},
      {"rolling_disc", {"radius='0.3' axis='-0.3 1 0.8' normal='1 2 -0.5'", ""}},
      {"rolling_ball", {"radius='0.3' normal='1 2 -0.5'", ""}},
      {"blade", {"axis='-0.3 1 0.8' normal='1 2 -0.5'", ""}},
  };
  return texts;
}

// Couplings act between motions of a joint U, which carries `link`: its type and attributes.
inline const std::map<std::string, std::pair<std::string, JointText>, std::less<>>&
coupled_joints() {
  static const std::map<std::string, std::pair<std::string, JointText>, std::less<>> joints = {
      {"gear",
       {"universal",
        {"axis='1 2 0' axis2='-2 1 0.5'",
         "<start angle1='0.5' angle1_velocity='1.2' fixed='true'/>"}}},
      {"coupler",
       {"planar",
        {"axis='1 2 -0.5'",
         "<start y='-0.2' angle='0.6' y_velocity='0.9' angle_velocity='-1.5' fixed='true'/>"}}},
      {"rack_and_pinion",
       {"cylindrical",
        {"axis='1 2 -0.5' child_axis='-0.3 1 0.8'",
         "<start angle='0.7' angle_velocity='-1.3' fixed='true'/>"}}},
  };
  return joints;
}

inline bool is_coupling(const std::string& id) { return coupled_joints().count(id) > 0; }

// Between two frames, without a start of its own: the floating bodies get guesses.
inline bool has_guesses(const std::string& id) {
  return !is_coupling(id) && joint_texts().at(id).start.empty() && id != "fixed";
}

inline std::vector<std::string> joint_ids() {
  std::vector<std::string> ids;
  for (const JointType& type : joint_types()) ids.emplace_back(type.id);
  return ids;
}

inline bool applies(const std::string& id, Arrangement arrangement) {
  return arrangement == Arrangement::cut || find_joint_type(id)->holds_tree;
}

inline std::string single_to_double_quotes(std::string text) {
  for (char& c : text)
    if (c == '\'') c = '"';
  return text;
}

inline std::string joint_mechanism(const std::string& id, Arrangement arrangement,
                                   const std::string& more = "") {
  const auto it = joint_texts().find(id);
  if (it == joint_texts().end())
    throw std::runtime_error("joint type '" + id + "' has no mechanism in the tests");
  const bool reversed = arrangement == Arrangement::reversed_tree;
  const bool floating = arrangement == Arrangement::cut;
  std::string text = R"(<mechanism name="M" gravity="0.7 -1.9 -9.3">
    <body name="base">
      <inertial mass="2.1" com="0.11 -0.07 0.05" inertia="0.05 0.06 0.07 0.004 -0.006 0.003"/>
      <frame name="p" xyz="0.2 -0.1 0.3" rpy="0.5 -0.4 1.1"/>
      <frame name="grip" xyz="-0.1 0.05 0.2" rpy="0.3 0.2 -0.6"/>
    </body>
    <body name="link">
      <inertial mass="1.4" com="-0.06 0.09 0.12" inertia="0.03 0.025 0.04 -0.002 0.005 0.001"/>
      <frame name="c" xyz="-0.15 0.25 0.05" rpy="-0.7 0.6 0.2"/>
      <frame name="grip" xyz="0.1 0.1 -0.2" rpy="0.1 -0.5 0.4"/>
    </body>
    <joint name="base0" type="free" parent="ground" child="base">
      <start xyz="0.3 0.4 -0.2" rpy="0.3 -0.5 0.8" velocity="0.6 -0.9 0.4" angular_velocity="1.4 -0.8 1.9"
             fixed="true"/>
    </joint>)";
  if (is_coupling(id)) {
    const auto& [type, coupled] = coupled_joints().find(id)->second;
    text += "<joint name='U' type='" + type + "' parent='base.p' child='link.c' " +
            coupled.attributes + ">" + coupled.start + "</joint>";
    text += "<joint name='J' type='" + id + "' " + it->second.attributes + "/>";
  } else if (floating) {
    // a rod leaves five freedoms open: they get fixed starts as far as the rod allows, as guesses
    text += R"(<joint name="link0" type="free" parent="ground" child="link">)";
    if (has_guesses(id) || id == "free")
      text +=
          R"(<start xyz="0.9 0.1 0.2" rpy="0.7 0.2 -0.4" velocity="0.2 0.5 -0.6" angular_velocity="-0.9 1.2 0.7"/>)";
    text += "</joint>";
  }
  const bool unstarted = floating && id == "free";
  if (!is_coupling(id))
    text += "<joint name='J' type='" + id + "' parent='" + (reversed ? "link.c" : "base.p") +
            "' child='" + (reversed ? "base.p" : "link.c") + "' " + it->second.attributes +
            (floating ? " cut='true'" : "") + ">" + (unstarted ? "" : it->second.start) +
            "</joint>";
  text += R"(<force name="pull" type="force" at="link.grip" value="7 -4 9"/>
             <force name="twist" type="torque" at="base.grip" value="-0.8 1.1 0.6"/>)";
  return single_to_double_quotes(text + more + "</mechanism>");
}

inline Eigen::Vector3d vector(MechanismRun& run, const std::string& sensor) {
  Eigen::Vector3d v;
  for (int i = 0; i < 3; ++i)
    v[i] = run.get(probe(components(sensor)[static_cast<std::size_t>(i)]));
  return v;
}

inline Eigen::Matrix3d rotation(MechanismRun& run, const std::string& frame) {
  const auto e = [&](int i) {
    return run.get(probe(frame + ".quaternion[" + std::to_string(i) + "]"));
  };
  return Eigen::Quaterniond(e(1), e(2), e(3), e(4)).toRotationMatrix();
}

inline void add_components(std::vector<std::string>& list, const std::string& sensor) {
  for (const std::string& c : components(sensor)) list.push_back(c);
}

inline void add_frame_sensors(std::vector<std::string>& list, const std::string& frame) {
  for (const char* quantity :
       {".position", ".velocity", ".angular_velocity", ".acceleration", ".angular_acceleration"})
    add_components(list, frame + quantity);
  for (int i = 1; i <= 4; ++i) list.push_back(frame + ".quaternion[" + std::to_string(i) + "]");
}

}  // namespace mechfmu::testing
