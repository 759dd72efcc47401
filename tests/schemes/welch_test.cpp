// The schemes of document 000 against its tables.
#include <cmath>

#include "schemes/scheme_run.hpp"

namespace mechfmu::testing {
namespace {

const char* const kCoordinates[] = {"x1", "y1", "th1", "x2", "y2", "th2"};
const char* const kConstraints[] = {"pivot_x", "pivot_y", "elbow_x", "elbow_y"};

// The twenty numbers of a column of Table 1: q, q', lambda (half a step earlier), phi.
std::vector<double> table1_column(double step) {
  SchemeRun run(example_text("welch_double_pendulum"), {"taylor2", step});
  run.advance(10);
  std::vector<double> column;
  for (const char* q : kCoordinates) column.push_back(run.get(q));
  for (const char* q : kCoordinates) column.push_back(run.get("der(" + std::string(q) + ")"));
  for (int i = 1; i <= 4; ++i)
    column.push_back(run.get("scheme.multiplier[" + std::to_string(i) + "]"));
  for (const char* c : kConstraints) column.push_back(run.get(std::string(c) + ".residual"));
  EXPECT_NEAR(run.get("scheme.multiplier_time"), 10 - step / 2, 1e-9);
  return column;
}

// Reference: all 60 printed values.
TEST(WelchTable1, IsReproducedByTaylor2) {
  const std::pair<const char*, double> parts[] = {
      {"q", 1e-10}, {"qd", 1e-8}, {"lam", 1e-6}, {"Phi", 1e-5}};
  for (const auto& [name, step] : {std::pair("dt=0.005", 0.005), std::pair("dt=0.0025", 0.0025),
                                   std::pair("dt=0.00125", 0.00125)}) {
    const std::vector<double> column = table1_column(step);
    std::size_t next = 0;
    for (const auto& [part, tolerance] : parts)
      for (int i = 0; i < (next < 12 ? 6 : 4); ++i, ++next) {
        const double printed = regression(std::string("welch_double_pendulum_table1.values.") +
                                          name + "." + part + "." + std::to_string(i));
        EXPECT_NEAR(column[next], printed, tol(tolerance) * std::fabs(printed))
            << name << " " << part << " " << i;
      }
  }
}

// The "exact" column is Aitken's extrapolation of the three, n = log2((a - b) / (b - c)).
// Reference: the orders that the table shows: 2 for q and q', 3 for phi; the text says 2 for phi.
TEST(WelchTable1, HasTheOrdersThatTheTableShows) {
  const std::vector<double> a = table1_column(0.005), b = table1_column(0.0025),
                            c = table1_column(0.00125);
  for (std::size_t i = 0; i < 12; ++i)
    EXPECT_NEAR(std::log2((a[i] - b[i]) / (b[i] - c[i])), 2, tol(0.1)) << i;
  for (std::size_t i = 16; i < 20; ++i)
    EXPECT_NEAR(std::log2((a[i] - b[i]) / (b[i] - c[i])), 2.93, tol(0.05)) << i;
  // Reference: the true solution, from which the extrapolated positions differ by 1e-6
  SchemeRun exact(example_text("welch_double_pendulum"), {"projection", 2e-4});
  exact.advance(10);
  for (std::size_t i = 0; i < 6; ++i) {
    const double extrapolated =
        c[i] - (b[i] - c[i]) * (b[i] - c[i]) / ((a[i] - b[i]) - (b[i] - c[i]));
    EXPECT_NEAR(extrapolated, exact.get(kCoordinates[i]), tol(3e-6)) << kCoordinates[i];
  }
}

// (1/N) sum of |phi_n| for n = 1 .. N - 1, the rule of Table 2, from the rounded start as printed.
double table2_mean(const std::string& scheme, const std::string& integrator, double step) {
  std::string text = example_text("welch_slider_crank");
  const std::size_t begin = text.find("<solve "), end = text.find("/>", begin);
  text.replace(begin, end - begin, "<solve start=\"as_given\"");
  SchemeRun run(text, {scheme, step, {}, integrator});
  const int n = static_cast<int>(std::lround(10 / step));
  double sum = 0;
  for (int i = 1; i < n; ++i) {
    run.advance(step);
    sum += run.get("constraint.residual");
  }
  return sum / n;
}

TEST(WelchTable2, IsReproducedToThePrintedDigits) {
  const std::string path = "welch_slider_crank_table2.";
  for (int k = 0; k < 2; ++k) {
    const std::string column = "." + std::to_string(k);
    const double step = k == 0 ? 0.02 : 0.01;
    const auto expect = [&](double mean, const char* row) {
      const double printed = regression(path + row + column);
      EXPECT_NEAR(mean, printed, tol(1e-5) * printed) << row << column;
    };
    expect(table2_mean("taylor2", "", step), "second_order");
    expect(table2_mean("taylor1", "", step), "first_order");
    expect(table2_mean("baumgarte", "heun", step), "baumgarte_heun_alpha_beta_1_over_dt");
  }
}

// Three links 1, 2 and 2.5 m long, square sections of a tenth, density 1 / 0.01; two ball joints,
// then a hinge whose pin is the z axis of the links, all hanging down, gravity askew.
std::string three_links() {
  std::string text =
      "<mechanism name=\"Links\" gravity=\"-5 -7.0710678118654755 -5\">\n"
      "<parameter name=\"d\" value=\"1\"/>\n";
  for (const char* l : {"1", "2", "2.5"}) {
    const std::string L = l, name = L == "1" ? "one" : L == "2" ? "two" : "three";
    const std::string mass = "(" + L + "^3)", side = mass + "*(" + L + "^2)*1.01/12";
    text += "<body name=\"" + name + "\"><inertial mass=\"" + mass + "\" com=\"" + L +
            "/2 0 0\" inertia=\"" + mass + "*(" + L + "^2)*0.02/12 " + side + " " + side +
            "\"/><frame name=\"tip\" xyz=\"" + L + " 0 0\"/></body>\n";
  }
  return text + R"xml(
    <joint name="A" type="spherical" parent="ground" child="one"><start rpy="0 90 0 deg" angular_velocity="0 0 0" fixed="true"/></joint>
    <joint name="B" type="spherical" parent="one.tip" child="two"><start rpy="0 0 0" angular_velocity="0 0 0" fixed="true"/></joint>
    <joint name="C" type="revolute" parent="two.tip" child="three" axis="0 0 1"><start position="0" velocity="0" fixed="true"/></joint>
  </mechanism>)xml";
}

struct Means {
  double phi = 0, energy = 0;
};
Means run_links(const SchemeOptions& options) {
  SchemeRun run(three_links(), options);
  const int n = static_cast<int>(std::lround(2 / options.step));
  const double start = run.get("energy.total");
  Means means;
  for (int i = 1; i <= n; ++i) {
    run.advance(options.step);
    if (i < n) means.phi += run.get("constraint.residual") / n;
    means.energy = std::max(means.energy, std::fabs((run.get("energy.total") - start) / start));
  }
  return means;
}

// Reference: a prototype of the printed scheme; its rows of the hinge are written differently,
// which changes the mean residual by half a percent.
TEST(ThreeLinks, PrintedSchemeIsOfFirstOrderAndTheCorrectedOneOfSecond) {
  const std::string path = "welch_three_link_density_pinx_T2.";
  Means printed[2], corrected[2];
  for (int k = 0; k < 2; ++k) {
    const double step = k == 0 ? 4e-4 : 2e-4;
    printed[k] = run_links({"taylor2", step, {{"literal", "yes"}}, "", "absolute_spatial"});
    corrected[k] = run_links({"taylor2", step, {}, "", "absolute_spatial"});
    const std::string column = "." + std::to_string(k);
    const double phi = regression(path + "paper_scheme.mean_phi" + column);
    const double energy = regression(path + "paper_scheme.max_rel_energy" + column);
    EXPECT_NEAR(printed[k].phi, phi, tol(0.01) * phi);
    EXPECT_NEAR(corrected[k].phi, phi, tol(0.01) * phi);
    EXPECT_NEAR(printed[k].energy, energy, tol(0.02) * energy);
  }
  EXPECT_NEAR(std::log2(printed[0].energy / printed[1].energy), 1, tol(0.05));
  EXPECT_NEAR(std::log2(corrected[0].energy / corrected[1].energy), 2, tol(0.05));
  EXPECT_NEAR(std::log2(corrected[0].phi / corrected[1].phi), 3, tol(0.05));
}

// The two gain choices: order 2 of phi with alpha = 0.5 / h, 3 with alpha = 1 / h.
TEST(ThreeLinks, BaumgarteIsOfTheOrderThatItsGainsAllow) {
  for (const double a : {0.5, 1.0}) {
    const std::string row = a == 1 ? "baumgarte_heun_a1_b1" : "baumgarte_heun_a05_b1";
    double phi[2];
    for (int k = 0; k < 2; ++k) {
      const double step = k == 0 ? 4e-4 : 2e-4;
      const Means means =
          run_links({"baumgarte",
                     step,
                     {{"alpha", std::to_string(a / step)}, {"beta", std::to_string(1 / step)}},
                     "heun",
                     "absolute_spatial"});
      phi[k] = means.phi;
      const std::string path = "welch_three_link_density_pinx_T2." + row;
      const double expected = regression(path + ".mean_phi." + std::to_string(k));
      const double energy = regression(path + ".max_rel_energy." + std::to_string(k));
      EXPECT_NEAR(phi[k], expected, tol(0.02) * expected);
      EXPECT_NEAR(means.energy, energy, tol(0.01) * energy);
    }
    EXPECT_NEAR(std::log2(phi[0] / phi[1]), a == 1 ? 3 : 2, tol(0.05)) << a;
  }
}

// Propagator of constraint errors, eigenvalues 0 and -1: a position error ends in one step, a
// velocity error changes its sign and stays; project_velocity takes it out.
TEST(Taylor2, KeepsVelocityErrorsUnlessTheyAreProjected) {
  const std::string text = R"xml(<equations name="E">
    <coordinate name="x" start="0.01" velocity="0.1" mass="1"/> <coordinate name="y" mass="1"/>
    <holonomic name="wall" value="x"/><solve start="as_given"/></equations>)xml";
  SchemeRun plain(text, {"taylor2", 0.01});
  for (int i = 1; i <= 5; ++i) {
    plain.advance(0.01);
    EXPECT_NEAR(plain.get("x"), 0, tol(1e-15));
  }
  const double before = plain.get("der(x)");
  plain.advance(0.01);
  EXPECT_NEAR(plain.get("der(x)"), -before, tol(1e-12));
  EXPECT_GT(std::fabs(before), 0.05);
  SchemeRun projected(text, {"taylor2", 0.01, {{"project_velocity", "yes"}}});
  projected.advance(0.01);
  EXPECT_NEAR(projected.get("der(x)"), 0, tol(1e-15));
}

}  // namespace
}  // namespace mechfmu::testing
