#include "report/make_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "package/file_io.hpp"
#include "report/fmu_origin.hpp"
#include "report/pose_model.hpp"
#include "scene/scene_json.hpp"
#include "support/number_text.hpp"
#include "validation/validate.hpp"

namespace mechfmu {

namespace {

using Causality = FmuVariable::Causality;
using Type = FmuVariable::Type;

constexpr std::int64_t kMostExtraNumbers = 250'000;  // 1.3 MB of page

bool is_state_name(const std::string& name) {
  return name.starts_with("state.") || name.starts_with("der(");
}
bool tells_accuracy(const std::string& name) {
  return name.starts_with("constraint.") || name.starts_with("energy.") ||
         name.starts_with("solver.");
}

class ReportMaker {
 public:
  explicit ReportMaker(ReportSources sources) : sources_(std::move(sources)) {}

  Report make() {
    report_.notes = std::move(sources_.notes);
    report_.facts = std::move(sources_.facts);
    report_.model = std::filesystem::path(run().label).stem().string();
    report_.versions.emplace_back("mechfmu", MECHFMU_VERSION);
    if (report_.facts.empty())  // numbers of a run that is over
      report_.facts = {{"Time", fmt::format("{} to {} s", number_text(run().time.front()),
                                            number_text(run().time.back()))},
                       {"Rows", std::to_string(run().rows)}};
    if (!sources_.parts.empty()) add_parts();
    if (sources_.fmu != nullptr) {
      fmu_ = sources_.fmu;
      const ModelDescription& d = fmu_->description();
      report_.model = d.model_name;
      report_.description = d.description;
      add_origin(d);
      add_parameters(d);
      add_motion();
    }
    for (const Recording& recording : sources_.recordings) add_run(recording);
    return std::move(report_);
  }

 private:
  [[nodiscard]] const Recording& run() const { return sources_.recordings.front(); }
  // Of a variable of the FMU at hand.
  [[nodiscard]] const std::vector<double>* find_column(const std::string& name) const {
    return run().find(prefix_ + name);
  }

  void add_parts() {
    report_.model = sources_.title;
    for (const ReportPart& part : sources_.parts) {
      fmu_ = part.fmu;
      prefix_ = part.prefix;
      const ModelDescription& d = fmu_->description();
      report_.versions.emplace_back(
          part.prefix.substr(0, part.prefix.size() - 1),
          fmt::format("{}{}{}", d.model_name, d.generation_tool.empty() ? "" : ", made by ",
                      d.generation_tool));
      add_parameters(d);
      if (!report_.scene.empty()) continue;
      origin_ = read_origin(*fmu_);
      add_motion();
      if (!report_.scene.empty() && sources_.parts.size() > 1)
        report_.notes.push_back(
            fmt::format("The animation shows component '{}'.", report_.versions.back().first));
    }
    prefix_.clear();
  }

  void add_origin(const ModelDescription& d) {
    origin_ = read_origin(*sources_.fmu);
    const auto add = [&](const char* label, const std::string& text) {
      if (!text.empty()) report_.versions.emplace_back(label, text);
    };
    add("FMU", std::filesystem::path(sources_.fmu->path()).filename().string());
    add("FMU guid", d.guid);
    add("FMI", d.fmi_version);
    add("made by", d.generation_tool);
    add("made at", d.generation_time);
    add("author", d.author);
    add("model version", d.version);
    add("scheme", origin_.scheme);
    add("integrator", origin_.integrator);
    if (const FmuVariable* step = d.find("solver.step"); step != nullptr)
      add("internal step", fmt::format("{} {}", value_text(*step), step->unit));
    if (!origin_.scheme.empty()) {
      const auto with = origin_.integrator.empty() ? "" : ", " + origin_.integrator;
      report_.facts.insert(report_.facts.begin(), {"Scheme", origin_.scheme + with});
    }
  }

  // As it was in the run, else as the FMU proposes it.
  [[nodiscard]] std::string value_text(const FmuVariable& v) const {
    std::string text = v.start.value_or("");
    if (const auto* column = find_column(v.name)) text = number_text(column->front());
    for (const FmuVariable::Item& item : v.items)
      if (std::to_string(item.value) == text) text = item.name;
    return text;
  }

  void add_parameters(const ModelDescription& d) {
    for (const FmuVariable& v : d.variables)
      if (v.causality == Causality::parameter || v.causality == Causality::calculated_parameter)
        report_.parameters.push_back({prefix_ + v.name, value_text(v), v.unit, v.description});
  }

  void add_motion() {
    if (std::unique_ptr<PoseModel> poses = make_pose_model()) {
      add_poses(*poses);
      return;
    }
    const std::filesystem::path scene =
        std::filesystem::path(fmu_->folder()) / "resources/scene.json";
    constexpr std::uint64_t kLargestScene = std::uint64_t{64} << 20U;
    if (!read_file(scene.string(), kLargestScene, report_.scene).empty()) report_.scene.clear();
    report_.is_planar = report_.scene.find("\"planar\": true") != std::string::npos;
  }

  // Nothing if the mechanism is not there, is not the FMU's, or its states were not recorded.
  [[nodiscard]] std::unique_ptr<PoseModel> make_pose_model() const {
    if (!origin_.mechanism || origin_.mechanism->bodies.empty()) return nullptr;
    std::vector<std::pair<std::string, double>> values;
    for (const FmuVariable& v : fmu_->description().variables)
      if (v.causality == Causality::parameter && v.type == Type::real)
        if (const std::optional<double> value = parse_number(value_text(v)))
          values.emplace_back(v.name, *value);
    auto model = std::make_unique<PoseModel>(*origin_.mechanism, origin_.coordinates, values);
    const std::vector<std::string>& names = model->state_names();
    const ModelDescription& d = fmu_->description();
    const bool is_same = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      return d.find(name) != nullptr;
    });
    const auto is_recorded = [&](const std::string& name) { return find_column(name) != nullptr; };
    const auto count = static_cast<std::ptrdiff_t>(model->coordinate_count());
    if (!is_same || !std::all_of(names.begin(), names.begin() + count, is_recorded)) return nullptr;
    return model;
  }

  void add_poses(PoseModel& model) {
    std::vector<const std::vector<double>*> columns;
    for (std::size_t i = 0; i < model.coordinate_count(); ++i)
      columns.push_back(find_column(model.state_names()[i]));
    std::vector<double> q(columns.size());
    std::vector<std::pair<std::size_t, ReportReaction>> reactions = find_reactions(model);
    report_.poses.resize(model.mechanism().bodies.size());
    for (std::size_t row = 0; row < run().time.size(); ++row) {
      for (std::size_t i = 0; i < q.size(); ++i) q[i] = (*columns[i])[row];
      const PoseValues values = model.calc(q);
      for (std::size_t b = 0; b < values.bodies.size(); ++b) {
        const ScenePose& pose = values.bodies[b];
        for (std::size_t k = 0; k < 7; ++k)
          report_.poses[b][k].push_back(k < 3 ? pose.position[k] : pose.quaternion[k - 3]);
      }
      for (auto& [joint, reaction] : reactions)
        turn_reaction(values.joint_axes[joint], row, reaction);
      if (row == 0) {
        const Scene scene = model.scene(q);
        report_.scene = make_scene_json(report_.model, scene);
        report_.is_planar = scene.planar;
      }
    }
    for (auto& [joint, reaction] : reactions) report_.reactions.push_back(std::move(reaction));
  }

  // Joints whose reaction was recorded, with their place among the joints that connect frames.
  [[nodiscard]] std::vector<std::pair<std::size_t, ReportReaction>> find_reactions(
      const PoseModel& model) const {
    std::vector<std::pair<std::size_t, ReportReaction>> reactions;
    std::size_t place = 0;
    for (const Joint& joint : model.mechanism().joints) {
      if (!joint.connects_frames()) continue;
      ReportReaction reaction{joint.name.text, {}};
      bool is_complete = true;
      for (std::size_t i = 0; i < 3; ++i) {
        const auto* column = find_column(fmt::format("{}.force[{}]", reaction.joint, i + 1));
        is_complete = is_complete && column != nullptr;
        if (column != nullptr) reaction.force[i] = *column;
      }
      if (is_complete) reactions.emplace_back(place, std::move(reaction));
      ++place;
    }
    return reactions;
  }

  // From the axes of the joint's parent to the world's.
  static void turn_reaction(const std::array<double, 9>& axes, std::size_t row,
                            ReportReaction& reaction) {
    const std::array<double, 3> f = {reaction.force[0][row], reaction.force[1][row],
                                     reaction.force[2][row]};
    for (std::size_t i = 0; i < 3; ++i)
      reaction.force[i][row] = axes[3 * i] * f[0] + axes[3 * i + 1] * f[1] + axes[3 * i + 2] * f[2];
  }

  [[nodiscard]] const FmuVariable* describe(const std::string& name) const {
    for (const ReportPart& part : sources_.parts)
      if (name.starts_with(part.prefix))
        if (const auto* v = part.fmu->description().find(name.substr(part.prefix.size()))) return v;
    return sources_.fmu == nullptr ? nullptr : sources_.fmu->description().find(name);
  }

  // States move the bodies and parameters are in their table: neither is plotted.
  [[nodiscard]] bool is_plotted(const std::string& name) const {
    const FmuVariable* v = describe(name);
    if (v == nullptr) return true;
    const bool parameter =
        v->causality == Causality::parameter || v->causality == Causality::calculated_parameter;
    const bool is_ours = origin_.is_ours || !sources_.parts.empty();
    return !parameter && !(is_ours && is_state_name(v->name));
  }

  std::size_t find_variable(const std::string& name) {
    auto& all = report_.variables;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](auto& v) { return v.name == name; });
    if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
    const FmuVariable* v = describe(name);
    all.push_back({name, v == nullptr ? "" : v->unit, v == nullptr ? "" : v->description,
                   v == nullptr ? !is_state_name(name) && !tells_accuracy(name)
                                : v->causality == Causality::output});
    return all.size() - 1;
  }

  void add_run(const Recording& recording) {
    ReportRun shown{recording.label, recording.time, {}};
    for (std::size_t i = 0; i < recording.names.size(); ++i) {
      if (!is_plotted(recording.names[i])) continue;
      const std::size_t place = find_variable(recording.names[i]);
      if (shown.columns.size() <= place) shown.columns.resize(place + 1);
      shown.columns[place] = recording.columns[i];
    }
    const auto kept = static_cast<std::int64_t>(recording.time.size());
    if (kept < recording.rows)
      report_.notes.push_back(fmt::format("{}: {} of {} rows are shown, at equal distances.",
                                          recording.label, kept, recording.rows));
    report_.runs.push_back(std::move(shown));
    for (ReportRun& run : report_.runs) run.columns.resize(report_.variables.size());
  }

  ReportSources sources_;
  const Fmu* fmu_ = nullptr;  // at hand
  std::string prefix_;        // of its variables in the recording
  FmuOrigin origin_;
  Report report_;
};

}  // namespace

Observed choose_observed(const ModelDescription& description,
                         const std::vector<std::string>& asked_for, std::int64_t rows) {
  Observed observed;
  std::int64_t room = kMostExtraNumbers / std::max<std::int64_t>(1, std::min(rows, most_rows(1)));
  const bool is_ours = description.generation_tool.starts_with("mechfmu");
  for (const FmuVariable& v : description.variables) {
    if (v.type == Type::string || v.causality == Causality::independent) continue;
    const bool is_asked = std::find(asked_for.begin(), asked_for.end(), v.name) != asked_for.end();
    const bool is_derivative = is_ours && v.name.starts_with("der(");
    const bool is_needed = v.causality != Causality::local || tells_accuracy(v.name) ||
                           (is_ours && v.name.starts_with("state."));
    if (is_derivative && v.causality == Causality::local && !is_asked) continue;
    if (!is_needed && !is_asked && room-- <= 0)
      ++observed.left_out;
    else
      observed.variables.push_back(&v);
  }
  return observed;
}

Report make_report(ReportSources sources) { return ReportMaker(std::move(sources)).make(); }

}  // namespace mechfmu
