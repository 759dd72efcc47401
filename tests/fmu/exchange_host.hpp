// A host for the model exchange side of a built FMU, through its C interface: Dormand and Prince's
// method with error control, steps that end where an event indicator changes its sign, and event
// mode there and where fmi2CompletedIntegratorStep asks for it.
#pragma once
#include <dlfcn.h>

#include <cmath>
#include <cstdarg>

#include "fmu/built_fmu.hpp"

namespace mechfmu::testing {

struct ExchangeFunctions {
#define FUNCTION(name) fmi2##name##TYPE* name = nullptr;
#include "harness/validate/model_exchange_functions.def"
#undef FUNCTION
};

class ExchangeHost {
 public:
  using Vector = std::vector<double>;

  explicit ExchangeHost(const BuiltFmu& built, double tolerance = 1e-9)
      : built_(built), f_(built.fmu().library().functions()), tolerance_(tolerance) {
    const std::string& identifier = built.description().model_exchange.value().model_identifier;
    library_ = dlopen((built.fmu().folder() + "/binaries/linux64/" + identifier + ".so").c_str(),
                      RTLD_NOW);
    if (library_ == nullptr) throw std::runtime_error(dlerror());
#define FUNCTION(name) \
  me_.name = reinterpret_cast<fmi2##name##TYPE*>(dlsym(library_, "fmi2" #name));
#include "harness/validate/model_exchange_functions.def"
#undef FUNCTION
    callbacks_.logger = &ExchangeHost::log;
    callbacks_.componentEnvironment = this;
    component_ = f_.Instantiate("exchange", fmi2ModelExchange, built.description().guid.c_str(),
                                nullptr, &callbacks_, fmi2False, fmi2False);
    if (component_ == nullptr) throw std::runtime_error("no instance: " + said);
    x_.resize(built.description().derivatives.size());
    z_.resize(count_indicators(built));
  }
  ~ExchangeHost() {
    f_.FreeInstance(component_);
    dlclose(library_);
  }
  ExchangeHost(const ExchangeHost&) = delete;
  ExchangeHost& operator=(const ExchangeHost&) = delete;

  void initialize() {
    ASSERT_EQ(f_.SetupExperiment(component_, fmi2True, tolerance_, 0, fmi2False, 0), fmi2OK);
    ASSERT_EQ(f_.EnterInitializationMode(component_), fmi2OK);
    ASSERT_EQ(f_.ExitInitializationMode(component_), fmi2OK) << said;
    leave_event_mode();
  }

  void advance(double end) {
    while (t_ < end) {
      const bool last = t_ + h_ * (1 + 1e-9) >= end;
      double step = last ? end - t_ : h_, error = 0;
      Vector next = attempt(step, error);
      const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 4.0);
      if (!(error <= 1)) {
        h_ = step * std::min(factor, 0.5);
        ASSERT_GT(h_, 1e-13 * end) << "at " << t_ << " " << said;
        continue;
      }
      const Vector before = indicators(t_, x_);
      const bool event = passes(before, indicators(t_ + step, next));
      if (event) {
        double low = 0;
        while (step - low > 1e-13 * std::max(1.0, t_)) {
          const double middle = 0.5 * (low + step);
          (passes(before, indicators(t_ + middle, attempt(middle, error))) ? step : low) = middle;
        }
        next = attempt(step, error);
      } else if (!last) {
        h_ = step * factor;
      }
      t_ = last && !event ? end : t_ + step;
      x_ = next;
      place(t_, x_);
      fmi2Boolean wanted = fmi2False, stops = fmi2False;
      ASSERT_EQ(me_.CompletedIntegratorStep(component_, fmi2True, &wanted, &stops), fmi2OK);
      ASSERT_EQ(stops, fmi2False);
      if (!event && wanted == fmi2False) continue;
      events += event ? 1 : 0;
      projections += wanted != fmi2False ? 1 : 0;
      ASSERT_EQ(me_.EnterEventMode(component_), fmi2OK);
      leave_event_mode();
      for (const double z : indicators(t_, x_)) ASSERT_NE(z, 0);
    }
    place(t_, x_);
  }

  double get(const std::string& name) {
    const fmi2ValueReference reference = built_.reference(name);
    double value = 0;
    EXPECT_EQ(f_.GetReal(component_, &reference, 1, &value), fmi2OK) << name << ": " << said;
    return value;
  }
  fmi2Status set(const std::string& name, double value) {
    const fmi2ValueReference reference = built_.reference(name);
    return f_.SetReal(component_, &reference, 1, &value);
  }
  Vector rates(double t, const Vector& x) {
    place(t, x);
    Vector k(x.size());
    EXPECT_EQ(me_.GetDerivatives(component_, k.data(), k.size()), fmi2OK) << said;
    return k;
  }
  // As a host finds it: in modelDescription.xml.
  static std::size_t count_indicators(const BuiltFmu& built) {
    std::ifstream file(built.fmu().folder() + "/modelDescription.xml");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const std::string attribute = "numberOfEventIndicators=\"";
    return std::strtoul(text.c_str() + text.find(attribute) + attribute.size(), nullptr, 10);
  }

  int events = 0, projections = 0;
  std::string said;

 private:
  static void log(fmi2ComponentEnvironment environment, fmi2String, fmi2Status, fmi2String,
                  fmi2String format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    static_cast<ExchangeHost*>(environment)->said = text;
  }
  void place(double t, const Vector& x) {
    EXPECT_EQ(me_.SetTime(component_, t), fmi2OK);
    EXPECT_EQ(me_.SetContinuousStates(component_, x.data(), x.size()), fmi2OK);
  }
  Vector indicators(double t, const Vector& x) {
    place(t, x);
    EXPECT_EQ(me_.GetEventIndicators(component_, z_.data(), z_.size()), fmi2OK) << said;
    return z_;
  }
  static bool passes(const Vector& before, const Vector& after) {
    for (std::size_t i = 0; i < after.size(); ++i)
      if ((before[i] > 0) != (after[i] > 0)) return true;
    return false;
  }
  void leave_event_mode() {
    fmi2EventInfo info{};
    do {
      ASSERT_LE(me_.NewDiscreteStates(component_, &info), fmi2Warning) << said;
    } while (info.newDiscreteStatesNeeded != fmi2False);
    ASSERT_EQ(me_.EnterContinuousTimeMode(component_), fmi2OK);
    ASSERT_EQ(me_.GetContinuousStates(component_, x_.data(), x_.size()), fmi2OK);
  }
  Vector attempt(double h, double& error) {
    static constexpr double kPlaces[] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
    static constexpr double kWeights[7][6] = {
        {},
        {1. / 5},
        {3. / 40, 9. / 40},
        {44. / 45, -56. / 15, 32. / 9},
        {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
        {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
        {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
    static constexpr double kOff[] = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                      -17253. / 339200, 22. / 525, -1. / 40};
    Vector k[7], y;
    for (int stage = 0; stage < 7; ++stage) {
      y = x_;
      for (int j = 0; j < stage; ++j)
        for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * kWeights[stage][j] * k[j][i];
      k[stage] = rates(t_ + kPlaces[stage] * h, y);
    }
    error = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      double off = 0;
      for (int j = 0; j < 7; ++j) off += h * kOff[j] * k[j][i];
      error = std::max(error, std::fabs(off) / (tolerance_ * (1 + std::fabs(y[i]))));
    }
    return y;
  }

  const BuiltFmu& built_;
  const FmuFunctions& f_;
  ExchangeFunctions me_;
  void* library_ = nullptr;
  fmi2CallbackFunctions callbacks_{};
  fmi2Component component_ = nullptr;
  double tolerance_, t_ = 0, h_ = 1e-4;
  Vector x_, z_;
};

}  // namespace mechfmu::testing
