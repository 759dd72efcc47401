#include <fmt/format.h>

#include "compare/comparison.hpp"
#include "compare/work_precision.hpp"
#include "emit/template_text.hpp"
#include "support/embedded.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

constexpr int kColumns = 7;  // after the name

TemplateValues text_item(const std::string& text) { return {{{"text", escape_xml(text)}}, {}}; }

std::string make_cells(const Comparison& comparison, const MethodRun* run) {
  if (run == nullptr)
    return fmt::format(R"(<td class="text missed" colspan="{}">does not meet it</td>)", kColumns);
  const std::string setting =
      fmt::format("{} {:.3g}{}", comparison.methods[run->method].is_adaptive ? "tolerance" : "step",
                  run->setting, comparison.methods[run->method].is_adaptive ? "" : " s");
  if (!run->completed)
    return fmt::format(R"(<td>{}</td><td class="text missed" colspan="{}">{}</td>)", setting,
                       kColumns - 1, escape_xml(run->reason));
  return fmt::format(
      "<td>{}</td><td>{:.1e}</td><td>{:.1e}</td><td>{:.1e}</td><td>{:.1e}</td><td>{:.2g}</"
      "td><td>{:.0f}</td>",
      setting, run->error, run->residual, run->residual_velocity, run->energy_error, run->cost,
      1 / run->cost);
}

}  // namespace

std::string make_comparison_page(const Comparison& comparison, const Goal& goal) {
  const Advice advice = recommend(comparison, goal);
  TemplateValues page;
  auto& v = page.values;
  v["version"] = MECHFMU_VERSION;
  v["model"] = escape_xml(comparison.model);
  v["span"] =
      fmt::format("{} s to {} s, communication step {} s, {} runs of {} methods.",
                  number_text(comparison.start), number_text(comparison.stop),
                  number_text(comparison.step), comparison.runs.size(), comparison.methods.size());
  v["headline"] = advice.run == nullptr
                      ? std::string("Nothing met the goal")
                      : "Take " + escape_xml(name_of(comparison.methods[advice.run->method]));
  if (advice.run != nullptr)
    page.lists["command"].push_back(
        text_item(fmt::format("mechfmu build {} {} -o {}.fmu", comparison.file,
                              build_options(comparison, *advice.run), comparison.model)));
  else
    page.lists["command"];
  page.lists["reasons"];
  for (const std::string& reason : advice.reasons)
    page.lists["reasons"].push_back(text_item(reason));
  v["goal_error"] = fmt::format("{:.1e}", goal.error);
  v["goal_residual"] = fmt::format("{:.1e}", goal.residual);
  page.lists["methods"];
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    const MethodRun* run = find_sufficient(comparison, m, goal);
    page.lists["methods"].push_back(
        {{{"name", escape_xml(name_of(comparison.methods[m]))},
          {"class", run != nullptr && run == advice.run ? "chosen" : ""},
          {"cells", make_cells(comparison, run)}},
         {}});
  }
  page.lists["runs"];
  for (const MethodRun& run : comparison.runs)
    page.lists["runs"].push_back({{{"name", escape_xml(name_of(comparison.methods[run.method]))},
                                   {"cells", make_cells(comparison, &run)}},
                                  {}});
  page.lists["has_refused"];
  if (!comparison.refused.empty()) {
    TemplateValues part;
    for (const RefusedScheme& r : comparison.refused)
      part.lists["refused"].push_back(
          {{{"name", escape_xml(r.scheme)}, {"reason", escape_xml(r.reason)}}, {}});
    page.lists["has_refused"].push_back(part);
  }
  page.lists["notes"];
  for (const std::string& note : comparison.notes) page.lists["notes"].push_back(text_item(note));
  v["plot"] = make_work_precision_plot(comparison, goal);
  v["coordinates"] = fmt::format("{}", comparison.coordinates);
  v["size"] = fmt::format("{:.3g}", comparison.size);
  v["energy_size"] = fmt::format("{:.3g}", comparison.energy_size);
  v["reference"] = escape_xml(comparison.reference);
  v["reference_error"] =
      comparison.reference_error > 0
          ? fmt::format("The two agree to {:.1e}; errors below that say nothing.",
                        comparison.reference_error)
          : "";
  v["step"] = number_text(comparison.step);
  return fill_template(find_embedded(embedded_templates(), "comparison.html.in"), page);
}

}  // namespace mechfmu
