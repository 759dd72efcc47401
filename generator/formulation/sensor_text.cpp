#include "formulation/sensor_text.hpp"

#include <algorithm>
#include <array>

namespace mechfmu {
namespace {

struct Words {
  std::string_view quantity, text;
};

constexpr std::array<Words, 12> kSystemWords = {{
    {"energy.kinetic", "kinetic energy of all bodies"},
    {"energy.potential", "potential energy of gravity, springs and potentials"},
    {"energy.total", "kinetic and potential energy"},
    {"constraint.residual", "norm of all constraint residuals on positions"},
    {"constraint.residual_velocity", "norm of all constraint residuals on velocities"},
    {"constraint.residual_acceleration", "norm of all constraint residuals on accelerations"},
    {"solver.steps", "internal steps since initialization"},
    {"solver.evaluations", "evaluations of the equations of motion since initialization"},
    {"solver.projections", "projections since initialization"},
    {"solver.rank_losses", "evaluations at singular poses since initialization"},
    {"multiplier", "Lagrange multiplier"},
    {"residual", "residual"},
}};

constexpr std::array<Words, 5> kJointWords = {{
    {"force", "constraint force on the child at its frame's origin, parent axes, of"},
    {"torque", "constraint torque on the child at its frame's origin, parent axes, of"},
    {"effort", "what the coupling exerts along its two motions:"},
    {"drive_force", "force of the drives of"},
    {"drive_torque", "torque of the drives of"},
}};

template <std::size_t N>
std::string find_words(const std::array<Words, N>& words, std::string_view quantity) {
  for (const Words& w : words)
    if (w.quantity == quantity) return std::string(w.text);
  std::string text(quantity);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string frame_label(const Mechanism& mechanism, const Sensor& sensor) {
  const bool on_ground = sensor.body == kGround;
  const std::string body =
      on_ground ? "ground" : mechanism.bodies[static_cast<std::size_t>(sensor.body)].name.text;
  if (sensor.frame == kOriginFrame) return on_ground ? "the ground" : "body '" + body + "'";
  const std::vector<Frame>& frames =
      on_ground ? mechanism.ground_frames
                : mechanism.bodies[static_cast<std::size_t>(sensor.body)].frames;
  return "frame '" + body + "." + frames[static_cast<std::size_t>(sensor.frame)].name.text + "'";
}

}  // namespace

std::string describe_sensor(const Mechanism& mechanism, const Sensor& sensor) {
  const auto named = [](const auto& list, int index) {
    return "'" + list[static_cast<std::size_t>(index)].name.text + "'";
  };
  switch (sensor.owner) {
    case Sensor::Owner::joint: {
      const std::string words = find_words(kJointWords, sensor.quantity);
      return words + (words.back() == ':' || words.ends_with(" of") ? " " : " of ") + "joint " +
             named(mechanism.joints, sensor.joint);
    }
    case Sensor::Owner::frame: {
      const std::string words = sensor.quantity == "rpy" ? "roll, pitch and yaw"
                                : sensor.quantity == "quaternion"
                                    ? "quaternion (scalar first)"
                                    : find_words(kSystemWords, sensor.quantity);
      return words + " of " + frame_label(mechanism, sensor) + ", world axes";
    }
    case Sensor::Owner::drive:
      return "what drive " + named(mechanism.drives, sensor.index) + " exerts along its motion";
    case Sensor::Owner::constraint:
      return find_words(kSystemWords, sensor.quantity) + " of constraint " +
             named(mechanism.constraints, sensor.index);
    case Sensor::Owner::system:
      break;
  }
  return find_words(kSystemWords, sensor.quantity);
}

}  // namespace mechfmu
