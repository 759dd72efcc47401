// A mechanism under test at an operating point, and what is found there.
#pragma once
#include "analysis/linearize.hpp"
#include "support/mechanism_run.hpp"

namespace mechfmu::testing {

class Analysed {
 public:
  explicit Analysed(const std::string& xml, const std::string& coordinates = "") {
    SystemOptions options;
    if (!coordinates.empty()) options.coordinates = coordinates;
    std::string errors;
    system_ = make_test_system(xml, options, errors);
    if (!system_) throw std::runtime_error(errors);
    point_ = std::make_unique<OperatingPoint>(*system_);
  }
  [[nodiscard]] OperatingPoint& point() { return *point_; }
  [[nodiscard]] const Diagnostics& diagnostics() const { return diagnostics_; }
  void set(const std::string& name, double value) {
    point_->set(*system_->interface.find(name), value);
  }
  void start(double time = 0) {
    if (!point_->initialize(0)) throw std::runtime_error(point_->failure());
    if (time > 0 && !point_->advance_to(time)) throw std::runtime_error(point_->failure());
  }
  std::optional<LinearModel> try_linearize(const std::vector<std::string>& states = {}) {
    return linearize(*point_, {states}, diagnostics_);
  }
  LinearModel linear(double time = 0) {
    start(time);
    std::optional<LinearModel> model = try_linearize();
    if (!model) throw std::runtime_error(diagnostics_.all().back().message);
    return *model;
  }

 private:
  std::optional<SystemModel> system_;
  std::unique_ptr<OperatingPoint> point_;
  Diagnostics diagnostics_;
};

inline int index_of(const std::vector<LinearSignal>& signals, const std::string& name) {
  for (std::size_t i = 0; i < signals.size(); ++i)
    if (signals[i].name == name) return static_cast<int>(i);
  throw std::runtime_error("no signal " + name);
}
inline int state_of(const LinearModel& m, const std::string& name) {
  return index_of({m.states.begin(), m.states.end()}, name);
}

// All poles with their conjugates, by imaginary, then by real part.
inline std::vector<std::complex<double>> all_poles(const LinearModel& model) {
  std::vector<std::complex<double>> list;
  for (const Pole& p : model.poles.list) {
    list.push_back(p.value);
    if (p.is_pair()) list.push_back(std::conj(p.value));
  }
  std::sort(list.begin(), list.end(), [](std::complex<double> a, std::complex<double> b) {
    if (std::fabs(a.imag() - b.imag()) > 1e-7) return a.imag() < b.imag();
    return a.real() < b.real();
  });
  return list;
}

inline void expect_same_poles(const LinearModel& a, const LinearModel& b, double tolerance) {
  const auto p = all_poles(a), q = all_poles(b);
  ASSERT_EQ(p.size(), q.size());
  for (std::size_t i = 0; i < p.size(); ++i)
    EXPECT_NEAR(0, std::abs(p[i] - q[i]), tol(tolerance)) << p[i] << " and " << q[i];
}

}  // namespace mechfmu::testing
