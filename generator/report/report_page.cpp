#include <bit>
#include <cmath>
#include <cstring>

#include "emit/template_text.hpp"
#include "report/report.hpp"
#include "support/embedded.hpp"
#include "support/json_writer.hpp"

namespace mechfmu {

namespace {

std::string make_base64(const std::string& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

class ReportJson {
 public:
  std::string write(const Report& report) {
    json_.begin_object();
    json_.member("format", "mechfmu-report").member("version", 1);
    json_.member("model", report.model).member("scene", report.scene);
    json_.list("notes", report.notes);
    write_texts("facts", report.facts);
    write_texts("versions", report.versions);
    json_.key("variables").begin_array();
    for (const ReportVariable& v : report.variables)
      json_.begin_object()
          .member("name", v.name)
          .member("unit", v.unit)
          .member("description", v.description)
          .member("shown", v.shown)
          .end_object();
    json_.end_array();
    json_.key("runs").begin_array();
    for (const ReportRun& run : report.runs) write_run(run);
    json_.end_array();
    write_poses(report);
    json_.key("parameters").begin_array();
    for (const ReportParameter& p : report.parameters)
      json_.begin_object()
          .member("name", p.name)
          .member("value", p.value)
          .member("unit", p.unit)
          .member("description", p.description)
          .end_object();
    json_.end_array();
    return json_.end_object().text();
  }

 private:
  void write_texts(const char* name, const LabelledTexts& texts) {
    json_.key(name).begin_array();
    for (const auto& [label, text] : texts)
      json_.begin_array().value(label).value(text).end_array();
    json_.end_array();
  }

  void write_run(const ReportRun& run) {
    json_.begin_object().member("name", run.label);
    json_.member("rows", static_cast<std::int64_t>(run.time.size()));
    json_.key("time");
    write_column(run.time);
    json_.key("columns").begin_array();
    for (const std::vector<double>& column : run.columns)
      if (column.empty())
        json_.null();
      else
        write_column(column);
    json_.end_array().end_object();
  }

  void write_poses(const Report& report) {
    if (report.poses.empty()) return;
    json_.key("poses").begin_array();
    for (const auto& body : report.poses) {
      json_.begin_array();
      for (const std::vector<double>& column : body) write_column(column);
      json_.end_array();
    }
    json_.end_array();
    json_.key("reactions").begin_array();
    for (const ReportReaction& reaction : report.reactions) {
      json_.begin_object().member("joint", reaction.joint).key("force").begin_array();
      for (const std::vector<double>& column : reaction.force) write_column(column);
      json_.end_array().end_object();
    }
    json_.end_array();
  }

  // The first value and 32-bit differences from it: short, and small changes of a large value are
  // kept. A constant is its value alone.
  void write_column(const std::vector<double>& values) {
    const double first = values.empty() || !std::isfinite(values[0]) ? 0 : values[0];
    std::string bytes;
    bool is_constant = true;
    for (const double value : values) {
      const double difference = value - first;
      is_constant = is_constant && difference == 0;
      auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(difference));
      for (int k = 0; k < 4; ++k, bits >>= 8U) bytes += static_cast<char>(bits & 0xffU);
    }
    json_.begin_object().member("o", first);
    if (!is_constant) json_.member("d", make_base64(bytes));
    json_.end_object();
  }

  JsonWriter json_;
};

// Inside <script> nothing may look like a tag; in JSON "<" stands in strings only.
std::string hide_tags(const std::string& json) {
  std::string text;
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

std::string embedded(std::string_view name) {
  return std::string(find_embedded(embedded_viewer(), name));
}

}  // namespace

std::string make_report_page(const Report& report) {
  const bool is_spatial = !report.scene.empty() && !report.is_planar;
  TemplateValues page;
  page.values = {{"title", escape_xml(report.model)},
                 {"description", escape_xml(report.description)},
                 {"version", MECHFMU_VERSION},
                 {"style", embedded("viewer.css")},
                 {"libraries", is_spatial ? "three and uPlot" : "uPlot"},
                 {"data", hide_tags(ReportJson().write(report))}};
  auto& scripts = page.lists["scripts"];
  if (is_spatial) scripts.push_back({{{"script", embedded("spatial.js")}}, {}});
  scripts.push_back({{{"script", embedded("viewer.js")}}, {}});
  return fill_template(find_embedded(embedded_templates(), "report.html.in"), page);
}

}  // namespace mechfmu
