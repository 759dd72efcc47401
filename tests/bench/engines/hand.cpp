// Code written by hand for one mechanism in minimal coordinates, with its own integrators.
#include "engines/engine.hpp"
#include "exact/hand_written.hpp"
#include "exact/integrators.hpp"
#include "measure/clock.hpp"

namespace mechfmu::bench {
namespace {

template <int kFixed, class Equations>
class HandRun : public Run {
 public:
  struct Rates {
    Equations equations;
    void operator()(const double* q, const double* v, double* a) {
      equations.accelerations(q, v, a);
    }
  };

  HandRun(Equations equations, int n, double q, double v, bool by_tolerance, double setting)
      : equations_(equations),
        ode_(n, Rates{equations}),
        by_tolerance_(by_tolerance),
        setting_(setting) {
    for (int i = 0; i < n; ++i) {
      ode_.y[static_cast<std::size_t>(i)] = q;
      ode_.y[static_cast<std::size_t>(n + i)] = v;
    }
  }
  bool advance_to(double time) override {
    const double length = time - time_;
    if (by_tolerance_) {
      ode_.run_dopri5(length, setting_);
    } else {
      const int steps = std::max(1, static_cast<int>(std::lround(length / setting_)));
      ode_.run_rk4(length / steps, steps);
    }
    time_ = time;
    return std::isfinite(ode_.y[0]);
  }
  Vector3d marker() override {
    Vector3d marker = Vector3d::Zero();
    equations_.marker(ode_.y.data(), marker.data());
    return marker;
  }
  void run_rk4(double h, int steps) { ode_.run_rk4(h, steps); }

 private:
  Equations equations_;
  SecondOrder<kFixed, Rates> ode_;
  bool by_tolerance_;
  double setting_, time_ = 0;
};

struct Start {
  int n;
  double q, v;
};

template <int kFixed, class Equations>
std::vector<Method> methods_of(Equations equations, Start s, const std::string& suffix,
                               bool competes) {
  const auto start = [equations, s](bool by_tolerance) {
    return [equations, s, by_tolerance](double setting) -> std::unique_ptr<Run> {
      return std::make_unique<HandRun<kFixed, Equations>>(equations, s.n, s.q, s.v, by_tolerance,
                                                          setting);
    };
  };
  return {{"rk4" + suffix, false, start(false), competes},
          {"dopri5" + suffix, true, start(true), competes}};
}

// One evaluation inside of rk4, with all that rk4 does around it: as our FMUs are measured.
template <int kFixed, class Equations>
double seconds_in_rk4(Equations equations, Start s) {
  HandRun<kFixed, Equations> run(equations, s.n, s.q, s.v, false, 1);
  return time_per_call([&] { run.run_rk4(1e-4, 25); }) / 100;
}

int count_of(const Problem& problem) { return static_cast<int>(problem.bodies.size()); }

class Hand : public Engine {
 public:
  [[nodiscard]] std::string version() const override { return "g++ " __VERSION__ " -O2"; }

  std::vector<Method> methods(const Problem& problem) override {
    const double q = problem.joints.front().start[0];
    const std::string& name = problem.name;
    if (name == "four_bar") {
      std::vector<Method> methods = methods_of<2>(FourBarByHand(), {1, q, 0}, "", true);
      for (const Method& method :
           methods_of<2>(FourBarWithAngles(), {1, q, 0}, ", by angles", false))
        methods.push_back(method);
      return methods;
    }
    if (name == "slider_crank") return methods_of<2>(SliderCrankByHand(), {1, q, 0}, "", true);
    if (name.rfind("n_four_bar", 0) == 0)
      return methods_of<2>(ParallelogramsByHand((count_of(problem) - 1) / 2), {1, 0, 1}, "", true);
    if (name.rfind("chain", 0) == 0)
      return methods_of<-1>(ChainByHand(count_of(problem)), {count_of(problem), 0, 0}, "", true);
    throw Refused("no equations by hand for this one");
  }

  std::optional<double> evaluation_seconds(const Problem& problem) override {
    const double q = problem.joints.front().start[0];
    if (problem.name == "four_bar") return seconds_in_rk4<2>(FourBarByHand(), {1, q, 0});
    if (problem.name == "slider_crank") return seconds_in_rk4<2>(SliderCrankByHand(), {1, q, 0});
    if (problem.name.rfind("chain", 0) == 0)
      return seconds_in_rk4<-1>(ChainByHand(count_of(problem)), {count_of(problem), 0, 0});
    return {};
  }

  std::vector<std::pair<std::string, double>> figures(const Problem& problem) override {
    if (problem.name != "four_bar") return {};
    const double q = problem.joints.front().start[0];
    return {{"evaluation_by_angles", seconds_in_rk4<2>(FourBarWithAngles(), {1, q, 0})}};
  }
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Settings& /*settings*/) {
  return std::make_unique<Hand>();
}

}  // namespace mechfmu::bench
