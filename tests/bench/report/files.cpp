// Everything that was measured, for programs.
#include <fmt/format.h>

#include "problems/problem.hpp"
#include "report/results.hpp"
#include "support/json_writer.hpp"

namespace mechfmu::bench {
namespace {

void write_pair(JsonWriter& json, const Pair& pair) {
  json.begin_object().member("engine", pair.engine).member("problem", pair.problem);
  if (!pair.refused.empty()) json.member("refused", pair.refused);
  if (!pair.ended.empty()) json.member("ended", pair.ended);
  if (pair.out_of_time) json.member("out_of_time", true);
  if (pair.evaluation) json.member("evaluation_seconds", *pair.evaluation);
  json.key("cost").begin_array();
  for (const double tolerance : kTolerances) {
    const auto best = pair.best(tolerance);
    if (!best) continue;
    json.begin_object()
        .member("tolerance", tolerance)
        .member("method", best->method)
        .member("setting", best->cost.setting)
        .member("cpu_seconds_per_second", best->cost.cost)
        .end_object();
  }
  json.end_array();
  if (!pair.figures.empty()) {
    json.key("figures").begin_object();
    for (const auto& [key, value] : pair.figures) json.member(key, value);
    json.end_object();
  }
  json.key("methods").begin_array();
  for (const MethodResult& method : pair.methods) {
    json.begin_object()
        .member("name", method.name)
        .member("setting", method.by_tolerance ? "tolerance" : "step")
        .member("competes", method.competes);
    json.key("points").begin_array();
    for (const Point& point : method.points) {
      const double row[] = {point.setting, point.error, point.cost};
      json.numbers(row);
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

std::string quoted(const std::string& text) {
  return text.find(',') == std::string::npos ? text : "\"" + text + "\"";
}

}  // namespace

std::string make_json(const Results& results) {
  JsonWriter json;
  json.begin_object()
      .member("date", results.date)
      .member("machine", results.machine)
      .member("compiler", results.compiler)
      .member("command", results.command)
      .member("point", "setting [s or 1], largest error of the marker [m], CPU seconds per second");
  json.key("engines").begin_object();
  for (const auto& [engine, version] : results.versions) json.member(engine, version);
  json.end_object();
  json.key("missing").begin_object();
  for (const auto& [engine, why] : results.missing) json.member(engine, why);
  json.end_object();
  json.key("figures").begin_object();
  for (const auto& [key, value] : results.figures) json.member(key, value);
  json.end_object();
  json.key("pairs").begin_array();
  for (const Pair& pair : results.pairs) write_pair(json, pair);
  json.end_array().end_object();
  return json.text() + "\n";
}

std::string make_csv(const Results& results) {
  std::string text = "problem,engine,method,setting_kind,setting,error_m,cpu_seconds_per_second\n";
  for (const Pair& pair : results.pairs)
    for (const MethodResult& method : pair.methods)
      for (const Point& point : method.points)
        text += fmt::format("{},{},{},{},{:.10g},{:.6g},{:.6g}\n", pair.problem, pair.engine,
                            quoted(method.name), method.by_tolerance ? "tolerance" : "step",
                            point.setting, point.error, point.cost);
  return text;
}

}  // namespace mechfmu::bench
