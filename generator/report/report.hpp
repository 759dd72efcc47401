// What a report shows, as plain data: make_report() gathers it, make_report_page() writes the page,
// the viewer (resources/viewer) draws it.
#pragma once
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "report/recording.hpp"

namespace mechfmu {

struct ReportVariable {
  std::string name, unit, description;
  bool shown = false;  // plotted at first
};

struct ReportRun {
  std::string label;
  std::vector<double> time;
  std::vector<std::vector<double>> columns;  // one per variable; empty where it was not recorded
};

struct ReportReaction {
  std::string joint;
  std::array<std::vector<double>, 3> force;  // on the child, world axes [N]
};

struct ReportParameter {
  std::string name, value, unit, description;
};

using LabelledTexts = std::vector<std::pair<std::string, std::string>>;

struct Report {
  std::string model, description;
  std::vector<std::string> notes;  // sentences about what is not shown
  LabelledTexts facts, versions;
  std::vector<ReportVariable> variables;
  std::vector<ReportRun> runs;  // the first one moves the mechanism; at least one with a row
  std::string scene;            // text of a scene.json; "": nothing to animate
  bool is_planar = false;
  std::vector<std::array<std::vector<double>, 7>> poses;  // per body of the scene, or none
  std::vector<ReportReaction> reactions;
  std::vector<ReportParameter> parameters;
};

// The whole HTML page; it loads nothing.
std::string make_report_page(const Report& report);

}  // namespace mechfmu
