// mechfmu compare as a user runs it. References: the classical Runge-Kutta method on an oscillator,
// done here; the cosine; orders of the methods.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/json.hpp"
#include "support/run_program.hpp"
#include "support/test_folder.hpp"

namespace mechfmu::test {
namespace {

// x'' = -x
const char* const kOscillator = R"xml(<equations name="O">
  <coordinate name="x" start="1" velocity="0" mass="1"/><force on="x" value="-x"/>
  <energy value="(der(x)^2 + x^2)/2"/><experiment stop="6 s" step="0.2 s"/></equations>)xml";

// A pendulum in two coordinates.
const char* const kPendulum = R"xml(<equations name="P">
  <coordinate name="x" start="0.6" mass="2"/><coordinate name="z" start="-0.8" velocity="0" mass="2"/>
  <force on="z" value="-19.62"/><holonomic name="rod" value="(x^2 + z^2 - 1)/2"/>
  <energy value="der(x)^2 + der(z)^2 + 19.62*z"/><experiment stop="2 s" step="0.02 s"/></equations>)xml";

class Compare : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  RunResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    RunOptions options;
    options.folder = folder_.path();
    return run_mechfmu(arguments, options);
  }
  TestFolder folder_;
};

// A number of the first run of JSON after `from` that has all of `words`.
double number_of(const std::string& json, const std::vector<std::string>& words,
                 const std::string& key) {
  for (std::size_t at = json.find('{'); at != std::string::npos; at = json.find('{', at + 1)) {
    const std::string object = json.substr(at, json.find('}', at) - at);
    if (!std::all_of(words.begin(), words.end(),
                     [&](const std::string& w) { return object.find(w) != std::string::npos; }))
      continue;
    const std::size_t value = object.find("\"" + key + "\": ");
    if (value != std::string::npos) return std::stod(object.substr(value + key.size() + 4));
  }
  ADD_FAILURE() << key;
  return std::nan("");
}

TEST_F(Compare, ErrorsAreThoseOfTheMethod) {
  const RunResult r =
      run({write("o.xml", kOscillator), "--integrators", "rk4", "--steps", "0.2,0.1", "--json"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  for (const double h : {0.2, 0.1}) {
    double x = 1, v = 0, error = 0;
    for (int i = 1; i <= static_cast<int>(std::lround(6 / h)); ++i) {
      const double k1 = v, l1 = -x, k2 = v + h / 2 * l1, l2 = -(x + h / 2 * k1);
      const double k3 = v + h / 2 * l2, l3 = -(x + h / 2 * k2), k4 = v + h * l3, l4 = -(x + h * k3);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
      // compared at the communication points
      if (h > 0.15 || i % 2 == 0) error = std::max(error, std::fabs(x - std::cos(i * h)));
    }
    const std::string step = h > 0.15 ? "\"step\": 0.2" : "\"step\": 0.1";
    EXPECT_NEAR(number_of(r.out, {"rk4", step}, "error"), error, 1e-3 * error) << h;
  }
}

TEST_F(Compare, SchemesOnAPendulum) {
  const std::string file = write("p.xml", kPendulum);
  const RunResult r = run({file, "--json", "--report", folder_ / "page.html"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  const auto error = [&](const std::string& scheme, const std::string& step) {
    return number_of(r.out, {"\"" + scheme + "\"", "\"step\": " + step, "\"error\""}, "error");
  };
  const auto order = [&](const std::string& scheme) {
    return std::log2(error(scheme, "0.00125") / error(scheme, "0.000625"));
  };
  EXPECT_NEAR(order("velocity"), 1, 0.2);
  EXPECT_NEAR(order("taylor2"), 2, 0.2);
  EXPECT_NEAR(std::log2(error("projection", "0.02") / error("projection", "0.01")), 4, 0.4);
  const auto residual = [&](const std::string& scheme) {
    return number_of(r.out, {"\"" + scheme + "\"", "rk4", "\"step\": 0.01,"}, "residual");
  };
  EXPECT_LT(residual("projection"), 1e-9);
  EXPECT_GT(residual("none"), 100 * residual("projection"));
  EXPECT_LT(number_of(r.out, {"reference_error"}, "reference_error"), 1e-8);

  // what it advises can be built as it stands, and the page holds the same command
  const std::size_t begin = r.out.find("\"command\": \"mechfmu ") + 20;
  ASSERT_LT(begin, r.out.size());
  std::istringstream words(r.out.substr(begin, r.out.find('"', begin) - begin));
  std::vector<std::string> command;
  for (std::string word; words >> word;) command.push_back(word);
  RunOptions here;
  here.folder = folder_.path();
  const RunResult built = run_mechfmu(command, here);
  EXPECT_EQ(built.exit_code, 0) << built.err;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "P.fmu"));
  std::ifstream page(folder_ / "page.html");
  const std::string html((std::istreambuf_iterator<char>(page)), {});
  EXPECT_NE(html.find("<svg"), std::string::npos);
  EXPECT_NE(html.find("mechfmu build"), std::string::npos);
  EXPECT_EQ(html.find("{{"), std::string::npos);
  EXPECT_EQ(html.find("http-equiv=\"refresh"), std::string::npos);
}

// Reference: the error that the same step has when projection is among the methods.
TEST_F(Compare, TheReferenceDoesNotDependOnWhatIsCompared) {
  const std::string file = write("p.xml", kPendulum);
  const RunResult alone = run({file, "--schemes", "velocity", "--steps", "2.5 ms", "--json"});
  const RunResult both =
      run({file, "--schemes", "velocity,projection", "--steps", "2.5 ms", "--json"});
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  const double error = number_of(both.out, {"\"velocity\"", "\"error\""}, "error");
  EXPECT_GT(error, 1e-4);
  EXPECT_NEAR(number_of(alone.out, {"\"velocity\"", "\"error\""}, "error"), error, 1e-9);
}

TEST_F(Compare, WhatIsNotPossibleIsToldWithItsReason) {
  const RunResult r = run({write("s.xml", R"xml(<equations name="S">
    <coordinate name="x" velocity="3" mass="2"/><coordinate name="z" mass="2"/>
    <coordinate name="a" velocity="6" fixed="true" mass="0.1"/><force on="x" value="30"/>
    <nonholonomic name="edge" value="der(z)*cos(a) - der(x)*sin(a)"/>
    <experiment stop="1 s" step="0.02 s"/></equations>)xml"),
                           "--integrators", "rk4"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_NE(r.out.find("not possible:"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("edge"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("advice: "), std::string::npos) << r.out;
}

TEST_F(Compare, TwoResults) {
  const std::string a = write("a.csv", "time,x\n0,1\n1,2\n");
  const std::string b = write("b.csv", "time,x\n0,1\n1,2.001\n");
  EXPECT_EQ(run({a, a}).exit_code, 0);
  const RunResult differ = run({a, b});
  EXPECT_EQ(differ.exit_code, 4);
  EXPECT_NE(differ.out.find("they differ"), std::string::npos);
  EXPECT_EQ(run({a, b, "--rtol", "0.01"}).exit_code, 0);
  EXPECT_EQ(run({a, b, "--rtol", "0", "--atol", "0.0011"}).exit_code, 0);
  EXPECT_EQ(run({a, folder_ / "none.csv"}).exit_code, 1);
}

TEST_F(Compare, WrongUsage) {
  const std::string file = write("o.xml", kOscillator);
  const RunResult scheme = run({file, "--schemes", "projektion"});
  EXPECT_EQ(scheme.exit_code, 2);
  EXPECT_NE(scheme.err.find("did you mean 'projection'"), std::string::npos) << scheme.err;
  EXPECT_EQ(run({file, "--error", "0"}).exit_code, 2);
  EXPECT_EQ(run({file, "--steps", "-1"}).exit_code, 2);
  EXPECT_EQ(run({file, file}).exit_code, 2);
  EXPECT_EQ(run({file, "--report", folder_ / "no/where.html"}).exit_code, 5);
}

}  // namespace
}  // namespace mechfmu::test
