// Where the bodies are, from the coordinates that every FMU of ours lists for model exchange: the
// poses that outputs X.position and X.quaternion have, as expressions of the graph, run by the
// interpreter. So an animation needs no pose outputs in the FMU, only the mechanism it was made
// from.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formulation/formulated.hpp"
#include "graph/program.hpp"
#include "scene/scene.hpp"

namespace mechfmu {

struct PoseValues {
  std::vector<ScenePose> bodies;
  std::vector<std::array<double, 9>> joint_axes;  // parent frame in the world, row major
};

class PoseModel {
 public:
  // `mechanism` is validated and has bodies; `coordinates` as --coordinates; `values` replace those
  // of its <parameter>s, as far as it has them.
  PoseModel(Mechanism mechanism, const std::string& coordinates,
            const std::vector<std::pair<std::string, double>>& values);

  // FMU variables of the coordinates, then those of the velocities.
  [[nodiscard]] const std::vector<std::string>& state_names() const { return state_names_; }
  [[nodiscard]] std::size_t coordinate_count() const;
  [[nodiscard]] const Mechanism& mechanism() const { return mechanism_; }

  [[nodiscard]] PoseValues calc(const std::vector<double>& coordinates);
  // The scene, with its start where these coordinates are.
  [[nodiscard]] Scene scene(const std::vector<double>& coordinates) const;

 private:
  Mechanism mechanism_;
  std::unique_ptr<Formulated> system_;
  std::optional<std::array<double, 3>> plane_;
  std::vector<std::string> state_names_;
  std::vector<double> parameters_;  // the independent ones
  Program program_;
  std::vector<double> scratch_, results_;
};

}  // namespace mechfmu
