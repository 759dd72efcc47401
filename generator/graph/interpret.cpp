// Running a Program as it is, with the sine and cosine that printed kernels compute.
#include <algorithm>
#include <cmath>

#include "graph/program.hpp"
#include "platform/elementary.hpp"
#include "support/assert.hpp"

namespace mechfmu {

namespace {

double apply_scalar(Op op, double a, double b, double c) { return apply(op, a, b, c); }

void apply_sine_pair(double x, double& sine, double& cosine) {
  sine = runtime::calc_sine(x);
  cosine = runtime::calc_cosine(x);
}

// Complex step: |imag| is tiny, comparisons and rounding look at the real part. atan2 and power are
// value and slope, because their complex forms are not analytic or leave the real axis for a
// negative base.
std::complex<double> apply_scalar(Op op, std::complex<double> a, std::complex<double> b,
                                  std::complex<double> c) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::negate:
      return -a;
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::atan2:
      return {std::atan2(a.real(), b.real()), (b.real() * a.imag() - a.real() * b.imag()) /
                                                  (a.real() * a.real() + b.real() * b.real())};
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::abs:
      return a.real() < 0 ? -a : a;
    case Op::power: {
      const double value = std::pow(a.real(), b.real());
      double slope = 0;
      if (a.imag() != 0) slope += b.real() * std::pow(a.real(), b.real() - 1) * a.imag();
      if (b.imag() != 0 && a.real() != 0) slope += std::log(a.real()) * value * b.imag();
      return {value, slope};
    }
    case Op::min:
      return a.real() < b.real() ? a : b;
    case Op::max:
      return a.real() > b.real() ? a : b;
    case Op::round:
      return std::nearbyint(a.real());
    case Op::less:
      return a.real() < b.real() ? 1.0 : 0.0;
    case Op::less_equal:
      return a.real() <= b.real() ? 1.0 : 0.0;
    case Op::equal:
      return a.real() == b.real() ? 1.0 : 0.0;
    case Op::select:
      return a.real() != 0 ? b : c;
    case Op::constant:
    case Op::symbol:
    case Op::table:
      break;
  }
  MECHFMU_ASSERT(false, "constants, symbols and tables are not applied");
}

double look_up(const runtime::Table& table, int order, double x) {
  return runtime::evaluate_table(table, order, x);
}

std::complex<double> look_up(const runtime::Table& table, int order, std::complex<double> x) {
  return {runtime::evaluate_table(table, order, x.real()),
          order < 3 ? runtime::evaluate_table(table, order + 1, x.real()) * x.imag() : 0};
}

void apply_sine_pair(std::complex<double> x, std::complex<double>& sine,
                     std::complex<double>& cosine) {
  sine = std::sin(x);
  cosine = std::cos(x);
}

}  // namespace

template <class Scalar>
void interpret(const Program& program, const Scalar* const* in, Scalar* out,
               std::vector<Scalar>& scratch) {
  scratch.resize(std::max(scratch.size(), program.instructions.size()));
  Scalar* slot = scratch.data();
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& x = program.instructions[i];
    if (x.op == Op::constant) {
      slot[i] = x.value;
    } else if (x.op == Op::symbol) {
      slot[i] = in[x.a][x.b];
    } else if (program.is_sine_pair(i)) {
      apply_sine_pair(slot[x.a], slot[i], slot[i + 1]);
      ++i;
    } else if (x.op == Op::table) {
      slot[i] = look_up(program.tables[x.b].view(), static_cast<int>(x.c), slot[x.a]);
    } else {
      const int count = operand_count(x.op);
      slot[i] = apply_scalar(x.op, slot[x.a], count > 1 ? slot[x.b] : Scalar{},
                             count > 2 ? slot[x.c] : Scalar{});
    }
  }
  for (std::size_t k = 0; k < program.results.size(); ++k) out[k] = slot[program.results[k]];
}
template void interpret<double>(const Program&, const double* const*, double*,
                                std::vector<double>&);
template void interpret<std::complex<double>>(const Program&, const std::complex<double>* const*,
                                              std::complex<double>*,
                                              std::vector<std::complex<double>>&);

}  // namespace mechfmu
