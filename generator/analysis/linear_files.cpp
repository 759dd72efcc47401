#include <fmt/format.h>

#include <cmath>

#include "analysis/linear_text.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

using Eigen::MatrixXd;
using Eigen::VectorXcd;

namespace {

template <class Signals>
void write_signals(JsonWriter& json, const char* name, const Signals& signals) {
  json.key(name).begin_array();
  for (const auto& s : signals) {
    json.begin_object().member("name", s.name).member("unit", s.unit).member("value", s.value);
    if constexpr (requires { s.rate; }) json.member("rate", s.rate);
    json.end_object();
  }
  json.end_array();
}

void write_matrix(JsonWriter& json, const char* name, const MatrixXd& matrix) {
  json.key(name).begin_array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const Eigen::VectorXd row = matrix.row(i);
    json.numbers({row.data(), static_cast<std::size_t>(row.size())});
  }
  json.end_array();
}

void write_shape(JsonWriter& json, const char* name, const VectorXcd& shape) {
  json.key(name).begin_object();
  const Eigen::VectorXd real = shape.real(), imag = shape.imag();
  const auto n = static_cast<std::size_t>(shape.size());
  json.key("real").numbers({real.data(), n});
  json.key("imag").numbers({imag.data(), n});
  json.end_object();
}

std::string matlab_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

std::string matlab_matrix(const char* name, const MatrixXd& matrix) {
  if (matrix.size() == 0)
    return fmt::format("{} = zeros({}, {});\n", name, matrix.rows(), matrix.cols());
  std::string text = fmt::format("{} = [\n", name);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    text += "  ";
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      text += (j > 0 ? ", " : "") + number_text(matrix(i, j));
    text += ";\n";
  }
  return text + "];\n";
}

template <class Signals>
std::string matlab_signals(const char* name, const char* value, const Signals& signals) {
  std::string names, units;
  Eigen::VectorXd values(static_cast<Eigen::Index>(signals.size()));
  for (std::size_t i = 0; i < signals.size(); ++i) {
    names += (i > 0 ? "; " : "") + matlab_text(signals[i].name);
    units += (i > 0 ? "; " : "") + matlab_text(signals[i].unit);
    values(static_cast<Eigen::Index>(i)) = signals[i].value;
  }
  if (signals.empty())
    return fmt::format("{0}_names = cell(0, 1);\n{0}_units = cell(0, 1);\n{1} = zeros(0, 1);\n",
                       name, value);
  return fmt::format("{0}_names = {{{1}}};\n{0}_units = {{{2}}};\n", name, names, units) +
         matlab_matrix(value, values);
}

std::string csv_text(const std::string& text) {
  return text.find(',') == std::string::npos ? text : "\"" + text + "\"";
}

}  // namespace

void write_poles(JsonWriter& json, const LinearModel& m) {
  json.member("stability", word(m.poles.stability)).key("poles").begin_array();
  for (const Pole& p : m.poles.list) {
    json.begin_object()
        .member("real", p.value.real())
        .member("imag", p.value.imag())
        .member("pair", p.is_pair())
        .member("frequency", p.frequency)
        .member("damping_ratio", p.damping);
    if (!p.of.empty()) json.member("of", p.of);
    if (std::isfinite(p.time_constant))
      json.member("time_constant", p.time_constant);
    else
      json.key("time_constant").null();
    const ModeShape shape = make_shape(m, p);
    if (shape.coordinates.size() + shape.outputs.size() > 0) {
      write_shape(json, "coordinates", shape.coordinates);
      write_shape(json, "outputs", shape.outputs);
    }
    json.end_object();
  }
  json.end_array();
}

void write_linear(JsonWriter& json, const LinearModel& m) {
  json.member("name", m.name).member("formulation", m.formulation).member("time", m.time);
  json.key("operating_point")
      .begin_object()
      .member("equilibrium", m.is_equilibrium())
      .member("steady", m.is_steady())
      .member("largest_velocity", m.largest_velocity)
      .member("largest_acceleration", m.largest_acceleration)
      .member("constraint_residual", m.constraint_residual)
      .end_object();
  write_signals(json, "states", m.states);
  write_signals(json, "inputs", m.inputs);
  write_signals(json, "outputs", m.outputs);
  write_matrix(json, "A", m.A);
  write_matrix(json, "B", m.B);
  write_matrix(json, "C", m.C);
  write_matrix(json, "D", m.D);
  write_signals(json, "coordinates", m.coordinates);
  write_matrix(json, "coordinates_by_states", m.shapes);
  write_poles(json, m);
  json.list("notes", m.notes);
}

std::string make_linear_json(const LinearModel& model) {
  JsonWriter json;
  json.begin_object();
  write_linear(json, model);
  return json.end_object().text() + "\n";
}

std::string make_matlab_script(const LinearModel& m) {
  std::string text = fmt::format(
      "% {} at t = {} s as a linear system, x' = A x + B u, y = C x + D u, where x, u, y are\n"
      "% changes from x0, u0, y0; made by mechfmu linearize. For MATLAB (Control System Toolbox)\n"
      "% and Octave (package control):\n"
      "%   system = ss(A, B, C, D, 'StateName', state_names, 'InputName', input_names, ...\n"
      "%               'OutputName', output_names);\n",
      m.name, number_text(m.time));
  if (!m.is_equilibrium())
    text += fmt::format("% x0 is {}: x0_rate is the derivative there\n",
                        m.is_steady() ? "a steady motion" : "no equilibrium");
  text += matlab_matrix("A", m.A) + matlab_matrix("B", m.B) + matlab_matrix("C", m.C) +
          matlab_matrix("D", m.D);
  text += matlab_signals("state", "x0", m.states);
  Eigen::VectorXd rates(static_cast<Eigen::Index>(m.states.size()));
  for (std::size_t i = 0; i < m.states.size(); ++i)
    rates(static_cast<Eigen::Index>(i)) = m.states[i].rate;
  text += matlab_matrix("x0_rate", rates);
  text += matlab_signals("input", "u0", m.inputs);
  text += matlab_signals("output", "y0", m.outputs);
  return text;
}

std::string make_matrix_csv(const LinearModel& m) {
  std::string text;
  for (const LinearState& s : m.states) text += "," + csv_text(s.name);
  for (const LinearSignal& s : m.inputs) text += "," + csv_text(s.name);
  text += "\n";
  const auto add = [&](const std::string& name, const MatrixXd& left, const MatrixXd& right,
                       Eigen::Index i) {
    text += csv_text(name);
    for (Eigen::Index j = 0; j < left.cols(); ++j) text += "," + number_text(left(i, j));
    for (Eigen::Index j = 0; j < right.cols(); ++j) text += "," + number_text(right(i, j));
    text += "\n";
  };
  for (std::size_t i = 0; i < m.states.size(); ++i)
    add("der(" + m.states[i].name + ")", m.A, m.B, static_cast<Eigen::Index>(i));
  for (std::size_t i = 0; i < m.outputs.size(); ++i)
    add(m.outputs[i].name, m.C, m.D, static_cast<Eigen::Index>(i));
  return text;
}

}  // namespace mechfmu
