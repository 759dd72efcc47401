// The page as text: offline, its data sound JSON, nothing that a name holds becomes markup.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <regex>

#include "report/report.hpp"
#include "support/embedded.hpp"
#include "support/json.hpp"

namespace mechfmu {
namespace {

Report sample() {
  Report report;
  report.model = "Sample";
  report.variables = {{"x", "m", "a length", true}, {"e", "J", "", false}};
  ReportRun run{"run", {}, {{}, {}}};
  for (int i = 0; i <= 100; ++i) {
    run.time.push_back(0.01 * i);
    run.columns[0].push_back(std::sin(0.1 * i));
    run.columns[1].push_back(1e6 + 1e-4 * i);
  }
  report.runs = {run};
  return report;
}

std::string data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return page.substr(from, page.find("</script>", from) - from);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

// What the viewer decodes: an offset and little-endian floats in base64.
std::vector<double> decode(const std::map<std::string, std::string>& json, const std::string& path,
                           std::size_t rows) {
  std::vector<double> values(rows, std::stod(json.at(path + ".o")));
  if (!json.contains(path + ".d")) return values;
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : json.at(path + ".d")) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<std::uint32_t>(digits.find(c));
    held += 6;
    if (held >= 8) bytes += static_cast<char>(bits >> (held -= 8) & 0xffU);
  }
  EXPECT_EQ(bytes.size(), 4 * rows);
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint32_t word = 0;
    for (std::size_t k = 4; k-- > 0;)
      word = word << 8U | static_cast<std::uint8_t>(bytes[4 * i + k]);
    values[i] += static_cast<double>(std::bit_cast<float>(word));
  }
  return values;
}

TEST(ReportPage, NumbersSurvive) {
  const Report report = sample();
  const auto json = test::read_json(data_of(make_report_page(report)));
  EXPECT_EQ(json.at("runs.0.rows"), "101");
  const auto x = decode(json, "runs.0.columns.0", 101);
  const auto e = decode(json, "runs.0.columns.1", 101);
  for (std::size_t i = 0; i < 101; ++i) {
    EXPECT_NEAR(x[i], report.runs[0].columns[0][i], 1e-7);
    // 24 bits of the change, not of the value: a drift of 1e-8 of the energy is still to be seen
    EXPECT_NEAR(e[i], report.runs[0].columns[1][i], 1e-9);
  }
}

TEST(ReportPage, ConstantsAreShort) {
  Report report = sample();
  report.runs[0].columns[0].assign(101, 7.25);
  const auto json = test::read_json(data_of(make_report_page(report)));
  EXPECT_EQ(json.at("runs.0.columns.0.o"), "7.25");
  EXPECT_FALSE(json.contains("runs.0.columns.0.d"));
}

TEST(ReportPage, LoadsNothing) {
  Report report = sample();
  report.scene = "{}";
  const std::string page = make_report_page(report);
  EXPECT_NE(page.find("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'"),
            std::string::npos);
  const std::string head = page.substr(0, page.find("<script"));
  for (const char* loader : {"<link", "@import", "url(", "<script src", "<img", "<iframe"})
    EXPECT_EQ(head.find(loader), std::string::npos) << loader;
  EXPECT_FALSE(std::regex_search(page, std::regex("<script[^>]* src")));
}

TEST(ReportPage, HostileNamesStayText) {
  const std::string evil =
      "</script><script>alert(1)</script><img src=x onerror=\"a()\">&{{title}}";
  const std::size_t scripts = count(make_report_page(sample()), "</script>");
  Report report = sample();
  report.model = report.description = evil;
  report.notes = {evil};
  report.facts = {{evil, evil}};
  report.variables[0] = {evil, evil, evil, true};
  report.runs[0].label = evil;
  report.parameters = {{evil, evil, evil, evil}};
  const std::string page = make_report_page(report);
  EXPECT_EQ(count(page, "</script>"), scripts);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_NE(page.find("<title>&lt;/script&gt;"), std::string::npos);
  EXPECT_NO_THROW(test::read_json(data_of(page)));
}

// What is bundled must not end the script it stands in, and carries its licence.
TEST(ReportPage, BundlesAreSoundAndLicensed) {
  for (const EmbeddedFile& file : embedded_viewer()) {
    EXPECT_EQ(file.content.find("</script"), std::string_view::npos) << file.name;
    EXPECT_EQ(file.content.find("</style"), std::string_view::npos) << file.name;
    EXPECT_NE(file.content.substr(0, 1200).find("Permission is hereby granted"),
              std::string_view::npos)
        << file.name;
    EXPECT_EQ(file.content.find("sourceMappingURL"), std::string_view::npos) << file.name;
  }
}

// Only what moves in space needs three; a page without it is a tenth.
TEST(ReportPage, PlanarPagesAreSmall) {
  Report report = sample();
  report.scene = "{}";
  const std::size_t spatial = make_report_page(report).size();
  report.is_planar = true;
  const std::size_t planar = make_report_page(report).size();
  EXPECT_LT(planar, 200'000u);
  EXPECT_LT(spatial, 900'000u);
  EXPECT_GT(spatial, planar);
}

TEST(ReportPage, NotANumberIsAGap) {
  Report report = sample();
  report.runs[0].columns[0][0] = std::nan("");
  report.runs[0].columns[0][5] = std::nan("");
  const auto json = test::read_json(data_of(make_report_page(report)));
  const auto x = decode(json, "runs.0.columns.0", 101);
  EXPECT_TRUE(std::isnan(x[0]));
  EXPECT_TRUE(std::isnan(x[5]));
  EXPECT_NEAR(x[6], std::sin(0.6), 1e-7);
}

}  // namespace
}  // namespace mechfmu
