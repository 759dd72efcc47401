#include "report/pose_model.hpp"

#include <algorithm>

#include "formulation/plane.hpp"
#include "formulation/rotation.hpp"
#include "formulation/state_names.hpp"
#include "scene/make_scene.hpp"
#include "topology/spanning_tree.hpp"
#include "validation/parameter_values.hpp"

namespace mechfmu {

namespace {

FormulationKind choose_kind(const std::string& coordinates, bool is_planar) {
  if (coordinates == "absolute_spatial") return FormulationKind::absolute_spatial;
  if (coordinates != "absolute") return FormulationKind::joint;
  return is_planar ? FormulationKind::absolute_planar : FormulationKind::absolute_spatial;
}

}  // namespace

PoseModel::PoseModel(Mechanism mechanism, const std::string& coordinates,
                     const std::vector<std::pair<std::string, double>>& values)
    : mechanism_(std::move(mechanism)) {
  for (Parameter& parameter : mechanism_.parameters)
    for (const auto& [name, value] : values)
      if (name == parameter.name.text)
        parameter.value = Expression::number(value, parameter.value.span);
  const SpanningTree tree = make_spanning_tree(mechanism_);
  plane_ = find_plane(mechanism_, tree);
  system_ = formulate(mechanism_, tree, choose_kind(coordinates, plane_.has_value()));
  for (const StateName& state : make_state_names(*system_, mechanism_))
    state_names_.push_back(state.name);

  const std::vector<double> all = calc_parameter_values(mechanism_);
  for (const int i : system_->independent_parameters)
    parameters_.push_back(all[static_cast<std::size_t>(i)]);
  std::vector<Expr> wanted;
  for (int b = 0; b < static_cast<int>(mechanism_.bodies.size()); ++b) {
    const Pose pose = system_->frame(mechanism_, b, kOriginFrame).pose;
    const Quaternion e = quaternion_from_rotation(pose.R);
    wanted.insert(wanted.end(), pose.p.e.begin(), pose.p.e.end());
    wanted.insert(wanted.end(), e.begin(), e.end());
  }
  for (const Joint& joint : mechanism_.joints) {
    if (!joint.connects_frames()) continue;
    const Pose pose = system_->frame(mechanism_, joint.parent.body, joint.parent.frame).pose;
    for (const auto& row : pose.R.e) wanted.insert(wanted.end(), row.begin(), row.end());
  }
  program_ = make_program(*system_->graph, wanted);
  results_.resize(wanted.size());
}

std::size_t PoseModel::coordinate_count() const { return static_cast<std::size_t>(system_->nq); }

PoseValues PoseModel::calc(const std::vector<double>& coordinates) {
  const double* in[runtime::kInputArrayCount] = {};
  in[runtime::kParameter] = parameters_.data();
  in[runtime::kPosition] = coordinates.data();
  interpret(program_, in, results_.data(), scratch_);
  PoseValues values;
  auto next = results_.begin();
  const auto take = [&](auto& target) {
    const auto size = static_cast<std::ptrdiff_t>(target.size());
    std::copy(next, next + size, target.begin());
    next += size;
  };
  values.bodies.resize(mechanism_.bodies.size());
  for (ScenePose& pose : values.bodies) {
    take(pose.position);
    take(pose.quaternion);
  }
  while (next != results_.end()) take(values.joint_axes.emplace_back());
  return values;
}

Scene PoseModel::scene(const std::vector<double>& coordinates) const {
  return make_scene(*system_, mechanism_, Interface{}, coordinates, plane_);
}

}  // namespace mechfmu
