#include "scene/svg.hpp"

#include <fmt/format.h>

#include <cmath>

#include "emit/template_text.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

// A tenth of a pixel is enough, and the same on every machine.
std::string pixel(double x) { return number_text(std::nearbyint(x * 10) / 10 + 0.0); }

std::string paint(const Mark& mark) {
  std::string classes, attributes;
  const auto add = [&](Paint p, const char* property) {
    if (p == Paint::none) attributes += fmt::format(" {}=\"none\"", property);
    if (p == Paint::color)
      attributes += fmt::format(" {}=\"{}\"", property, escape_xml(mark.color));
    if (p == Paint::ink || p == Paint::paper)
      classes += fmt::format("{}{}-{}", classes.empty() ? "" : " ",
                             p == Paint::ink ? "ink" : "paper", property);
  };
  add(mark.fill, "fill");
  if (mark.kind != Mark::Kind::text) add(mark.stroke, "stroke");
  if (mark.stroke != Paint::none)
    attributes += fmt::format(" stroke-width=\"{}\"", pixel(mark.width));
  if (mark.opacity < 1 && mark.fill != Paint::none)
    attributes += fmt::format(" fill-opacity=\"{}\"", number_text(mark.opacity));
  if (mark.dashed) attributes += " stroke-dasharray=\"6 4\"";
  return (classes.empty() ? "" : fmt::format(" class=\"{}\"", classes)) + attributes;
}

std::string element(const Mark& mark) {
  const Point2& first = mark.points.front();
  switch (mark.kind) {
    case Mark::Kind::circle:
      return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>", pixel(first.x), pixel(first.y),
                         pixel(mark.radius), paint(mark));
    case Mark::Kind::text:
      return fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>", pixel(first.x), pixel(first.y),
                         paint(mark), escape_xml(mark.text));
    case Mark::Kind::polygon:
    case Mark::Kind::polyline:
      break;
  }
  std::string points;
  for (const Point2& p : mark.points)
    points += fmt::format("{}{},{}", points.empty() ? "" : " ", pixel(p.x), pixel(p.y));
  return fmt::format("<{} points=\"{}\"{}/>",
                     mark.kind == Mark::Kind::polygon ? "polygon" : "polyline", points,
                     paint(mark));
}

}  // namespace

std::string make_svg(const Drawing& drawing, const std::string& title, double text_size) {
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" font-size=\"{}\" stroke-linecap=\"round\" "
      "stroke-linejoin=\"round\">\n<title>{}</title>\n",
      pixel(drawing.width), pixel(drawing.height), pixel(text_size), escape_xml(title));
  for (const Mark& mark : drawing.marks) svg += element(mark) + "\n";
  return svg + "</svg>";
}

}  // namespace mechfmu
