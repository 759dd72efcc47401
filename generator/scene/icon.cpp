#include "scene/icon.hpp"

#include <array>
#include <cctype>

namespace mechfmu {

namespace {

constexpr Color kPaper = {255, 255, 255};
constexpr Color kInk = {40, 46, 52};
constexpr const char* kFrame = "#3b7dbd";

// Letters of 5 x 7 dots, column by column, the lowest bit at the top.
using Glyph = std::array<unsigned, 5>;
constexpr std::array<Glyph, 26> kLetters = {{
    {0x7e, 0x11, 0x11, 0x11, 0x7e}, {0x7f, 0x49, 0x49, 0x49, 0x36}, {0x3e, 0x41, 0x41, 0x41, 0x22},
    {0x7f, 0x41, 0x41, 0x22, 0x1c}, {0x7f, 0x49, 0x49, 0x49, 0x41}, {0x7f, 0x09, 0x09, 0x09, 0x01},
    {0x3e, 0x41, 0x49, 0x49, 0x7a}, {0x7f, 0x08, 0x08, 0x08, 0x7f}, {0x00, 0x41, 0x7f, 0x41, 0x00},
    {0x20, 0x40, 0x41, 0x3f, 0x01}, {0x7f, 0x08, 0x14, 0x22, 0x41}, {0x7f, 0x40, 0x40, 0x40, 0x40},
    {0x7f, 0x02, 0x0c, 0x02, 0x7f}, {0x7f, 0x04, 0x08, 0x10, 0x7f}, {0x3e, 0x41, 0x41, 0x41, 0x3e},
    {0x7f, 0x09, 0x09, 0x09, 0x06}, {0x3e, 0x41, 0x51, 0x21, 0x5e}, {0x7f, 0x09, 0x19, 0x29, 0x46},
    {0x46, 0x49, 0x49, 0x49, 0x31}, {0x01, 0x01, 0x7f, 0x01, 0x01}, {0x3f, 0x40, 0x40, 0x40, 0x3f},
    {0x1f, 0x20, 0x40, 0x20, 0x1f}, {0x3f, 0x40, 0x38, 0x40, 0x3f}, {0x63, 0x14, 0x08, 0x14, 0x63},
    {0x07, 0x08, 0x70, 0x08, 0x07}, {0x61, 0x51, 0x49, 0x45, 0x43},
}};

void add_rectangle(std::vector<Mark>& marks, double x, double y, double width, double height,
                   double border) {
  Mark mark;
  mark.kind = Mark::Kind::polygon;
  mark.points = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
  mark.color = kFrame;
  (border > 0 ? mark.stroke : mark.fill) = Paint::color;
  mark.width = border;
  marks.push_back(std::move(mark));
}

std::vector<Mark> draw_initials(const std::string& initials) {
  std::vector<Mark> marks;
  add_rectangle(marks, 10, 10, kIconWidth - 20, kIconHeight - 20, 3);
  constexpr double kDot = 8;
  const double wide = (6 * static_cast<double>(initials.size()) - 1) * kDot;
  const double left = (kIconWidth - wide) / 2, top = (kIconHeight - 7 * kDot) / 2;
  for (std::size_t i = 0; i < initials.size(); ++i)
    for (std::size_t column = 0; column < 5; ++column)
      for (unsigned row = 0; row < 7; ++row)
        if (((kLetters[static_cast<std::size_t>(initials[i] - 'A')][column] >> row) & 1U) != 0)
          add_rectangle(marks, left + kDot * static_cast<double>(6 * i + column), top + kDot * row,
                        kDot, kDot, 0);
  return marks;
}

}  // namespace

std::string find_initials(const std::string& model_name) {
  std::string initials;
  bool begins = true;  // a word: after '_', at a capital, at the beginning
  for (const char c : model_name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_letter && (begins || (c >= 'A' && c <= 'Z')) && initials.size() < 2)
      initials += static_cast<char>(c >= 'a' ? c - 'a' + 'A' : c);
    begins = !is_letter;
  }
  return initials;
}

Image draw_icon(const std::string& model_name, const Scene& scene) {
  Image image(kIconWidth, kIconHeight, kPaper);
  DrawingStyle style;
  style.width = kIconWidth;
  style.smallest_height = style.largest_height = kIconHeight;
  style.margin = 18;
  style.symbol = 4;
  style.line = 5;
  style.text = 0;
  draw_marks(image,
             scene.bodies.empty() ? draw_initials(find_initials(model_name))
                                  : draw_scene(scene, style).marks,
             kInk, kPaper);
  return image;
}

}  // namespace mechfmu
