// The figures on the page of each scheme (resources/docs/schemes) are those of a run today:
// four-bar without its damper and five-bar, 5 s at 1 ms. Reference of the angle: the same equations
// with projection, rk4 and a tenth of the step.
#include <cmath>
#include <map>
#include <sstream>

#include "schemes/scheme_run.hpp"

namespace mechfmu::testing {
namespace {

struct Figures {
  double angle_error = 0, phi = 0, phi_rate = 0, energy = 0;
};

struct Subject {
  const char* row;  // of the table on the page
  const char* example;
  const char* angle;
  bool has_damper;
};
constexpr Subject kSubjects[] = {{"four-bar", "four_bar", "crank_angle", true},
                                 {"five-bar", "five_bar", "angle1", false}};

MechanismRun start(const Subject& subject, const std::string& scheme, double step) {
  SystemOptions options = to_system_options({scheme, step, {}, {}, "joint"});
  if (!find_scheme_type(scheme)->steps_itself()) options.integrator = "rk4";
  MechanismRun run(example_text(subject.example), options);
  if (subject.has_damper) run.set("damping", 0);
  run.initialize();
  return run;
}

double find_angle(const Subject& subject) {
  MechanismRun run = start(subject, "projection", 1e-4);
  run.advance(5);
  return run.get(subject.angle);
}

Figures measure(const Subject& subject, const std::string& scheme, double angle) {
  MechanismRun run = start(subject, scheme, 1e-3);
  const double energy = run.get("energy.total");
  Figures figures;
  for (int i = 0; i < 5000; ++i) {
    run.advance(1e-3);
    figures.phi = std::max(figures.phi, run.get("constraint.residual"));
    figures.phi_rate = std::max(figures.phi_rate, run.get("constraint.residual_velocity"));
    figures.energy = std::max(figures.energy, std::fabs(run.get("energy.total") - energy));
  }
  figures.angle_error = std::fabs(run.get(subject.angle) - angle);
  return figures;
}

// "| four-bar | 1.9e-7 | 2.7e-10 | 4.3e-9 | 1.6e-8 of 1.51 |"
Figures read_figures(const std::string& page, const std::string& row) {
  const std::size_t begin = page.find("| " + row + " |");
  if (begin == std::string::npos) throw std::runtime_error("no row " + row);
  std::istringstream cells(page.substr(begin + row.size() + 4));
  Figures figures;
  char bar = 0;
  cells >> figures.angle_error >> bar >> figures.phi >> bar >> figures.phi_rate >> bar >>
      figures.energy;
  return figures;
}

// Three times more or less; what is rounding anyway only has to stay that.
void expect_near(double measured, double stated, double rounding, const std::string& what) {
  EXPECT_LT(measured, std::max(3 * stated, rounding)) << what;
  EXPECT_GT(std::max(measured, rounding), stated / 3) << what;
}

class Page : public ::testing::TestWithParam<Subject> {};

TEST_P(Page, StatesWhatIsMeasured) {
  const Subject& subject = GetParam();
  const double angle = find_angle(subject);
  for (const SchemeType& scheme : scheme_types()) {
    const std::string id(scheme.id);
    const Figures stated =
        read_figures(read_project_file("resources/docs/schemes/" + id + ".md"), subject.row);
    const Figures measured = measure(subject, id, angle);
    expect_near(measured.angle_error, stated.angle_error, 1e-11, id + ": angle");
    expect_near(measured.phi, stated.phi, 1e-12, id + ": phi");
    expect_near(measured.phi_rate, stated.phi_rate, 1e-14, id + ": phi'");
    expect_near(measured.energy, stated.energy, 1e-11, id + ": energy");
  }
}

INSTANTIATE_TEST_SUITE_P(All, Page, ::testing::ValuesIn(kSubjects),
                         [](const auto& test) { return std::string(test.param.example); });

}  // namespace
}  // namespace mechfmu::testing
