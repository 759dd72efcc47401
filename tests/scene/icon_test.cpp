// model.png. Reference: the PNG specification (signature, chunks, checksums), read here byte by
// byte with zlib's inflate.
#include "scene/icon.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <set>
#include <tuple>

#include "scene/png.hpp"
#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

std::uint32_t number(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = (value << 8U) | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

struct Decoded {
  std::uint32_t width = 0, height = 0;
  std::string rows;  // with their filter bytes
};

Decoded decode(const std::string& png) {
  Decoded image;
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string last, packed;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t size = number(png, at);
    const std::string type = png.substr(at + 4, 4), data = png.substr(at + 8, size);
    const auto* checked = reinterpret_cast<const Bytef*>(png.data() + at + 4);
    EXPECT_EQ(crc32(0, checked, static_cast<uInt>(size + 4)), number(png, at + 8 + size)) << type;
    if (type == "IHDR") {
      image.width = number(data, 0);
      image.height = number(data, 4);
      EXPECT_EQ(data.substr(8), std::string("\x08\x02\0\0\0", 5));
    }
    if (type == "IDAT") packed += data;
    last = type;
    at += 12 + size;
  }
  EXPECT_EQ(last, "IEND");
  uLongf size = image.height * (3 * image.width + 1);
  image.rows.resize(size);
  EXPECT_EQ(
      uncompress(reinterpret_cast<Bytef*>(image.rows.data()), &size,
                 reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size())),
      Z_OK);
  EXPECT_EQ(size, image.rows.size());
  return image;
}

TEST(Png, HoldsThePixelsOfTheImage) {
  Image image(2, 3, {1, 2, 3});
  image.at(1, 2) = {250, 128, 7};
  const Decoded decoded = decode(make_png(image));
  EXPECT_EQ(decoded.width, 2u);
  EXPECT_EQ(decoded.height, 3u);
  EXPECT_EQ(decoded.rows, std::string("\0\1\2\3\1\2\3\0\1\2\3\1\2\3\0\1\2\3\xfa\x80\7", 21));
}

TEST(Icon, OfEveryExampleDecodesIsNotBlankAndIsTheSameEveryTime) {
  for (const std::string& name : example_names()) {
    std::string errors;
    const std::optional<SystemModel> system = make_test_system(example_text(name), {}, errors);
    ASSERT_TRUE(system) << errors;
    const std::string png = make_png(draw_icon(system->name, system->scene));
    const Decoded decoded = decode(png);
    EXPECT_EQ(decoded.width, 160u);
    EXPECT_EQ(decoded.height, 120u);
    int drawn = 0;
    for (const Color& c : draw_icon(system->name, system->scene).pixels)
      drawn += c == Color{255, 255, 255} ? 0 : 1;
    EXPECT_GT(drawn, 300) << name;
    EXPECT_LT(drawn, 160 * 120 / 2) << name;
    EXPECT_EQ(png, make_png(draw_icon(system->name, system->scene))) << name;
  }
}

TEST(Raster, EdgesAreSmoothAndAreasAreRight) {
  Image image(20, 20, {255, 255, 255});
  Mark mark;
  mark.kind = Mark::Kind::circle;
  mark.points = {{10, 10}};
  mark.radius = 8;
  mark.fill = Paint::ink;
  draw_marks(image, {mark}, {0, 0, 0}, {255, 255, 255});
  double area = 0;
  std::set<int> shades;
  for (const Color& c : image.pixels) {
    area += (255 - c.red) / 255.0;
    shades.insert(c.red);
  }
  EXPECT_NEAR(area, 3.14159 * 64, 1.5);  // 16 samples per pixel on a rim of 50 pixels
  EXPECT_GT(shades.size(), 6u);
}

TEST(Icon, InitialsAreThoseOfTheWordsOfTheName) {
  EXPECT_EQ(find_initials("SqueezerEquations"), "SE");
  EXPECT_EQ(find_initials("ball_in_bowl"), "BI");
  EXPECT_EQ(find_initials("biped"), "B");
  EXPECT_EQ(find_initials("_1x"), "X");
}

}  // namespace
}  // namespace mechfmu::testing
