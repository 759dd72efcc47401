#include "system/input_signals.hpp"

#include <cmath>

#include "platform/portable_math.hpp"

namespace mechfmu::runtime {

struct InputSignals::Signal {
  double first, second;  // derivatives that the host gave
  double begin;          // [s] time they refer to
  double given;          // 1: they hold
  double used;           // 1: the step they were given for is over
  double second_given;   // 1: the second is the host's own
  double estimate;       // of the second, from this first derivative and the one before
  double last_first;     // first derivative of the step before
  double last_begin;     // [s] its time; -infinity: there was none
  double r, r_dot, r_ddot;
  double r_time;  // [s] time of these three
};

namespace {

// The filter's answer to a target that is held: with y = r - u and w = 3 / T
//     y(s) = exp(-w s) (c0 + c1 s + c2 s^2)
void follow(double target, double time_constant, double s, double& r, double& r_dot,
            double& r_ddot) {
  const double w = 3 / time_constant;
  const double y = r - target;
  const double c0 = y;
  const double c1 = r_dot + w * y;
  const double c2 = 0.5 * (r_ddot + 2 * w * r_dot + w * w * y);
  const double decay = std::exp(-w * s);
  const double p = c0 + s * (c1 + s * c2);
  const double p_dot = c1 + 2 * s * c2;
  const double p_ddot = 2 * c2;
  r = target + decay * p;
  r_dot = decay * (p_dot - w * p);
  r_ddot = decay * (p_ddot - 2 * w * p_dot + w * w * p);
}

}  // namespace

InputSignals::Signal& InputSignals::signal(int input) const {
  static_assert(sizeof(Signal) == kStateSize * sizeof(double));
  return *reinterpret_cast<Signal*>(state_ + input * kStateSize);
}

const double* InputSignals::values() const {
  return values_ + model_.n_parameters + model_.n_starts + model_.n_settings;
}

void InputSignals::initialize(double t) {
  for (int i = 0; i < model_.nu; ++i) {
    Signal& s = signal(i);
    if (s.given != 0) s.begin = t;
    s.last_begin = -HUGE_VAL;
    s.estimate = 0;
    s.r = values()[i];
    s.r_dot = s.given * s.first;
    s.r_ddot = s.given * s.second;
    s.r_time = t;
  }
}

bool InputSignals::end_polynomial(int input) {
  Signal& s = signal(input);
  if (s.used == 0) return false;
  s.given = s.used = s.first = s.second = s.second_given = s.estimate = 0;
  return true;
}

void InputSignals::set_derivative(int input, int order, double d) {
  Signal& s = signal(input);
  end_polynomial(input);
  s.given = 1;
  s.begin = s.r_time;
  if (order == 2) {
    s.second = d;
    s.second_given = 1;
    return;
  }
  s.first = d;
  s.estimate = s.begin > s.last_begin ? (d - s.last_first) / (s.begin - s.last_begin) : 0;
}

void InputSignals::begin_step(double t) {
  for (int i = 0; i < model_.nu; ++i) {
    end_polynomial(i);
    signal(i).begin = t;
  }
}

void InputSignals::end_step(double t) {
  for (int i = 0; i < model_.nu; ++i) {
    Signal& s = signal(i);
    if (s.given != 0) {
      const double h = t - s.begin;
      s.r = values()[i] + h * (s.first + 0.5 * h * s.second);
      s.r_dot = s.first + h * s.second;
      s.r_ddot = s.second_given != 0 ? s.second : s.estimate;
      s.used = 1;
      s.last_first = s.first;
      s.last_begin = s.begin;
    } else if (model_.filter_setting[i] >= 0) {
      follow(values()[i], values_[model_.filter_setting[i]], t - s.r_time, s.r, s.r_dot, s.r_ddot);
    }
    if (s.given == 0) s.last_begin = -HUGE_VAL;
    s.r_time = t;
  }
}

bool InputSignals::are_steady() const {
  for (int i = 0; i < model_.nu; ++i)
    if (signal(i).given != 0 || model_.filter_setting[i] >= 0) return false;
  return true;
}

void InputSignals::evaluate(double t, double* u, double* reference, double* third) const {
  const double* value = values();
  for (int i = 0; i < model_.nu; ++i) {
    const Signal& s = signal(i);
    double* r = reference + 3 * i;
    u[i] = value[i];
    if (s.given != 0) {
      const double h = t - s.begin;
      u[i] += h * (s.first + 0.5 * h * s.second);
      r[0] = u[i];
      r[1] = s.first + h * s.second;
      r[2] = s.second_given != 0 ? s.second : s.estimate;
    } else if (model_.filter_setting[i] >= 0) {
      r[0] = s.r;
      r[1] = s.r_dot;
      r[2] = s.r_ddot;
      const double time_constant = values_[model_.filter_setting[i]];
      if (t != s.r_time) follow(value[i], time_constant, t - s.r_time, r[0], r[1], r[2]);
      third[i] = calc_third_rate(i, r, value[i]);
      continue;
    }
    third[i] = 0;
  }
}

void InputSignals::get_filter(int input, double* r) const {
  const Signal& s = signal(input);
  r[0] = s.r;
  r[1] = s.r_dot;
  r[2] = s.r_ddot;
}

void InputSignals::set_filter(int input, const double* r) {
  Signal& s = signal(input);
  s.r = r[0];
  s.r_dot = r[1];
  s.r_ddot = r[2];
}

void InputSignals::set_time(double t) {
  for (int i = 0; i < model_.nu; ++i) signal(i).r_time = t;
}

double InputSignals::find_rate(int input, double t) const {
  const Signal& s = signal(input);
  return s.given != 0 ? s.first + (t - s.begin) * s.second : 0;
}

// (s + w)^3 r = w^3 u with w = 3 / T
double InputSignals::calc_third_rate(int input, const double* r, double u) const {
  if (model_.filter_setting[input] < 0 || is_given(input)) return 0;
  const double w = 3 / values_[model_.filter_setting[input]];
  return -w * (3 * r[2] + w * (3 * r[1] + w * (r[0] - u)));
}

bool InputSignals::is_given(int input) const { return signal(input).given != 0; }

}  // namespace mechfmu::runtime
