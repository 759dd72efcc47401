// Inputs as functions of time. A host gives numbers at communication points; forces want them in
// between, and a driven joint wants their first and second derivatives, too.
//
// u(t), what forces and outputs read: the value that was set, and the polynomial
// u + u' s + u'' s^2 / 2 when the host has given derivatives (fmi2SetRealInputDerivatives). They
// refer to the beginning of the coming step and end with it.
//
// r(t), r'(t), r''(t), what constraints read (a position drive by an input): the same polynomial
// when derivatives were given; if only the first was, r'' is estimated from the last two of them,
// so that a driven body does not lose its inertia. Otherwise r follows u through the filter 1 / (1
// + s T/3)^3, whose second derivative is continuous and which lags by T. Held inputs make its
// response a polynomial times an exponential, so r is exact at every time of a step and no
// integrator sees it.
#pragma once
#include "system/model.hpp"

namespace mechfmu::runtime {

class InputSignals {
 public:
  static constexpr int kStateSize = 13;  // numbers per input, part of the saved state

  InputSignals(const Model& model, const double* values, double* state)
      : model_(model), values_(values), state_(state) {}

  void initialize(double t);  // filters rest at the present values
  bool end_polynomial(
      int input);  // the host has set a value: derivatives of the last step are over
  void set_derivative(int input, int order, double d);  // order 1 or 2, for the coming step
  void begin_step(double t);
  void end_step(double t);

  // u [nu] and r [3 nu]: value, first and second derivative of each; and the third [nu].
  [[nodiscard]] bool are_steady() const;  // none changes with time until the next step
  void evaluate(double t, double* u, double* reference, double* third) const;
  // Model exchange: the filter's three numbers are states of the host's integrator.
  void get_filter(int input, double* r) const;
  void set_filter(int input, const double* r);
  void set_time(double t);                                    // of all filters
  [[nodiscard]] double find_rate(int input, double t) const;  // u'(t)
  [[nodiscard]] bool is_given(int input) const;               // derivatives, by the host
  // how the third derivative changes with r, its rates and u: the filter's own equation, zero
  // without one.
  [[nodiscard]] double calc_third_rate(int input, const double* r, double u) const;

 private:
  struct Signal;
  [[nodiscard]] Signal& signal(int input) const;
  [[nodiscard]] const double* values() const;

  const Model& model_;
  const double* values_;  // the instance's value array
  double* state_;
};

}  // namespace mechfmu::runtime
