// A host of FMUs for tests: one instance and everything that it logged.
#pragma once
#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "fmi/instance.hpp"
#include "fmi2Functions.h"
#include "test_model.hpp"

namespace mechfmu::test {

struct Message {
  std::string instance;
  fmi2Status status;
  std::string category;
  std::string format;
  std::string text;
};

class Host {
 public:
  explicit Host(const char* name = "pendulum", bool logging_on = false,
                fmi2Type type = fmi2CoSimulation) {
    const fmi2CallbackFunctions callbacks = make_callbacks();
    component_ = fmi2Instantiate(name, type, kGuid, nullptr, &callbacks, fmi2False, logging_on);
  }
  ~Host() { fmi2FreeInstance(component_); }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  operator fmi2Component() const { return component_; }  // used like the component itself
  fmi::Instance& instance() { return *static_cast<fmi::Instance*>(component_); }

  fmi2CallbackFunctions make_callbacks() { return {&Host::log, nullptr, nullptr, nullptr, this}; }

  // Instantiated -> step complete at `start`.
  void initialize(double start = 0) {
    ASSERT_EQ(fmi2OK, fmi2SetupExperiment(component_, fmi2False, 0, start, fmi2False, 0));
    ASSERT_EQ(fmi2OK, fmi2EnterInitializationMode(component_));
    ASSERT_EQ(fmi2OK, fmi2ExitInitializationMode(component_));
  }

  fmi2Status set(fmi2ValueReference reference, double value) {
    return fmi2SetReal(component_, &reference, 1, &value);
  }
  double get(fmi2ValueReference reference) {
    double value = -12345;
    EXPECT_EQ(fmi2OK, fmi2GetReal(component_, &reference, 1, &value)) << last_text();
    return value;
  }
  std::vector<double> get_all() {
    std::vector<double> values;
    for (fmi2ValueReference r = kFirstComputed; r < kRealCount; ++r) values.push_back(get(r));
    return values;
  }
  // n steps of h from t on, with an input that changes; the state's values after each.
  std::vector<double> run(double t, double h, int n) {
    std::vector<double> trace;
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(fmi2OK, set(kForce, 0.3 * i));
      EXPECT_EQ(fmi2OK, fmi2DoStep(component_, t + i * h, h, fmi2True)) << last_text();
      for (double value : get_all()) trace.push_back(value);
    }
    return trace;
  }

  // Every byte that decides what happens next.
  std::string fingerprint() {
    std::string bytes(reinterpret_cast<const char*>(&instance().progress), sizeof(fmi::Progress));
    std::string physics(instance().simulation.state_bytes(), '\0');
    instance().simulation.save(physics.data());
    return bytes + physics;
  }

  std::vector<Message> messages;
  [[nodiscard]] std::string last_text() const {
    return messages.empty() ? "" : messages.back().text;
  }

 private:
  static void log(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                  fmi2String category, fmi2String format, ...) {
    char text[4096];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    static_cast<Host*>(environment)->messages.push_back({instance, status, category, format, text});
  }

  fmi2Component component_ = nullptr;
};

// Equal bit for bit, so that neither rounding nor the sign of zero hides.
inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace mechfmu::test
