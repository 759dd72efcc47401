// A small picture in memory and a rasteriser for marks: what an icon needs, with smooth edges.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scene/drawing.hpp"

namespace mechfmu {

struct Color {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Color&, const Color&) = default;
};
Color parse_color(const std::string& text);  // "#rrggbb"

struct Image {
  Image(int w, int h, Color paper)
      : width(w),
        height(h),
        pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), paper) {}
  int width, height;
  std::vector<Color> pixels;  // by rows, from the top
  [[nodiscard]] Color& at(int x, int y) {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

bool is_inside(const Mark& mark, const Point2& p);  // of a polygon or a circle

// Texts are not drawn.
void draw_marks(Image& image, const std::vector<Mark>& marks, Color ink, Color paper);

}  // namespace mechfmu
