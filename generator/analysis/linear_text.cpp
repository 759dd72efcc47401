#include "analysis/linear_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/number_text.hpp"

namespace mechfmu {

using Eigen::MatrixXd;
using Eigen::VectorXcd;

namespace {

constexpr Eigen::Index kWidestMatrix = 10;  // in text
constexpr std::size_t kMostModes = 12, kMostEntries = 16;
constexpr double kRounding = 1e-13;  // of a row's largest entry
constexpr double kNoPart = 1e-6;     // of a mode's largest entry
constexpr double kPi = 3.14159265358979323846;

// Columns of text, the first ones left aligned.
class TextTable {
 public:
  explicit TextTable(std::size_t left) : left_(left) {}
  void add(std::vector<std::string> row) {
    widths_.resize(std::max(widths_.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], row[i].size());
    rows_.push_back(std::move(row));
  }
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const auto& row : rows_) {
      std::string line = " ";
      for (std::size_t i = 0; i < row.size(); ++i)
        line += i < left_ ? fmt::format(" {:<{}} ", row[i], widths_[i])
                          : fmt::format(" {:>{}} ", row[i], widths_[i]);
      line.erase(line.find_last_not_of(' ') + 1);
      all += line + '\n';
    }
    return all;
  }

 private:
  std::size_t left_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
};

std::string make_signal_table(const LinearModel& model) {
  TextTable table(2);
  table.add({"", "", "value", "rate", "unit"});
  const char* label = "state";
  for (const LinearState& s : model.states) {
    table.add({label, s.name, short_number(s.value), short_number(s.rate), s.unit});
    label = "";
  }
  label = "input";
  for (const LinearSignal& s : model.inputs) {
    table.add({label, s.name, short_number(s.value), "", s.unit});
    label = "";
  }
  label = "output";
  for (const LinearSignal& s : model.outputs) {
    table.add({label, s.name, short_number(s.value), "", s.unit});
    label = "";
  }
  return table.text();
}

template <class Rows, class Columns>
std::string make_matrix_text(const char* title, const MatrixXd& matrix, const Rows& rows,
                             const Columns& columns, const char* row_prefix) {
  if (matrix.size() == 0) return {};
  if (matrix.cols() > kWidestMatrix || matrix.rows() > 2 * kWidestMatrix)
    return fmt::format("{}: {} x {}, with --json or --output-file\n", title, matrix.rows(),
                       matrix.cols());
  TextTable table(1);
  std::vector<std::string> head = {""};
  for (const auto& c : columns) head.push_back(c.name);
  table.add(head);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const std::string& name = rows[static_cast<std::size_t>(i)].name;
    std::vector<std::string> line = {*row_prefix != 0 ? fmt::format("{}({})", row_prefix, name)
                                                      : name};
    // what rounding left of zero is only in the files
    const double least = kRounding * matrix.row(i).cwiseAbs().maxCoeff();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      line.push_back(short_number(std::fabs(matrix(i, j)) < least ? 0 : matrix(i, j)));
    table.add(line);
  }
  return fmt::format("{}\n{}", title, table.text());
}

std::string make_pole_table(const LinearModel& model) {
  if (model.poles.list.empty()) return {};
  TextTable table(0);
  table.add({"", "pole [1/s]", "natural frequency [Hz]", "damping ratio", "time constant [s]"});
  int number = 0;
  for (const Pole& p : model.poles.list) {
    const bool decays = std::isfinite(p.time_constant);
    table.add({fmt::format("{}", ++number), pole_text(p),
               p.is_pair() ? short_number(p.frequency) : "-",
               p.value == 0.0 ? "-" : short_number(p.damping),
               decays ? short_number(p.time_constant) : "-", p.of});
  }
  return table.text();
}

std::string make_mode_text(const LinearModel& model) {
  std::string text;
  int number = 0;
  std::size_t shown = 0;
  for (const Pole& pole : model.poles.list) {
    ++number;
    const ModeShape shape = make_shape(model, pole);
    if (shape.coordinates.size() == 0) continue;
    if (++shown > kMostModes) return text + "... more modes with --json\n";
    struct Entry {
      std::string name, unit;
      std::complex<double> value;
    };
    std::vector<Entry> entries;
    double largest = 0;
    for (Eigen::Index i = 0; i < shape.coordinates.size(); ++i) {
      const LinearSignal& c = model.coordinates[static_cast<std::size_t>(i)];
      entries.push_back({c.name, c.unit, shape.coordinates(i)});
    }
    for (Eigen::Index i = 0; i < shape.outputs.size(); ++i) {
      const LinearSignal& o = model.outputs[static_cast<std::size_t>(i)];
      entries.push_back({"output " + o.name, o.unit, shape.outputs(i)});
    }
    for (const Entry& e : entries) largest = std::max(largest, std::abs(e.value));
    TextTable table(1);
    std::size_t lines = 0;
    for (const Entry& e : entries) {
      if (std::abs(e.value) <= kNoPart * std::max(1.0, largest)) continue;
      if (++lines > kMostEntries) {
        table.add({"..."});
        break;
      }
      if (pole.is_pair())
        table.add({e.name, short_number(std::abs(e.value)), e.unit,
                   fmt::format("{:.1f} deg", std::arg(e.value) * 180 / kPi + 0.0)});
      else
        table.add({e.name, short_number(e.value.real()), e.unit});
    }
    text += fmt::format("mode {}: {} 1/s{}\n{}", number, pole_text(pole),
                        pole.is_pair() ? fmt::format(", {} Hz", short_number(pole.frequency)) : "",
                        table.text());
  }
  return text;
}

std::string describe_point(const LinearModel& m) {
  if (m.is_equilibrium()) return "an equilibrium";
  if (m.is_steady())
    return fmt::format("a steady motion: nothing accelerates, {} is {} in size", m.fastest,
                       short_number(m.largest_velocity));
  const std::string rest =
      fmt::format("|acceleration| is up to {} {} ({})", short_number(m.largest_acceleration),
                  m.acceleration_unit, m.most_accelerated);
  return fmt::format(
      "NOT an equilibrium: {}; the linear system is about this motion, and "
      "its poles depend on the coordinates chosen",
      rest);
}

}  // namespace

ModeShape make_shape(const LinearModel& model, const Pole& pole) {
  if (pole.shape.size() == 0) return {};
  ModeShape shape{model.shapes * pole.shape, model.C * pole.shape};
  std::complex<double> largest = 0;
  const auto look_at = [&](const VectorXcd& v) {
    for (const std::complex<double>& x : v)
      if (std::abs(x) > std::abs(largest) * (1 + 1e-9)) largest = x;
  };
  look_at(shape.coordinates);
  if (std::abs(largest) < 1e-12 * pole.shape.norm()) look_at(pole.shape);
  if (largest == 0.0) return {};
  shape.coordinates /= largest;
  shape.outputs /= largest;
  return shape;
}

std::string short_number(double value) { return value == 0 ? "0" : fmt::format("{:.6g}", value); }

std::string pole_text(const Pole& pole) {
  if (!pole.is_pair()) return short_number(pole.value.real());
  const std::string imaginary = short_number(pole.value.imag()) + "i";
  return pole.value.real() == 0
             ? "+-" + imaginary
             : fmt::format("{} +- {}", short_number(pole.value.real()), imaginary);
}

std::string_view word(Stability stability) {
  switch (stability) {
    case Stability::stable:
      return "stable";
    case Stability::neutral:
      return "neutral";
    case Stability::unstable:
      break;
  }
  return "unstable";
}

std::string stability_sentence(const Poles& poles) {
  int growing = 0, undamped = 0, zero = 0;
  for (const Pole& p : poles.list) {
    const int count = p.is_pair() ? 2 : 1;
    if (p.value == 0.0)
      zero += count;
    else if (p.value.real() > 0)
      growing += count;
    else if (p.value.real() == 0)
      undamped += count;
  }
  const auto poles_text = [](int n) { return fmt::format("{} {}", n, n == 1 ? "pole" : "poles"); };
  if (growing > 0) return fmt::format("unstable: {} with positive real part", poles_text(growing));
  if (poles.list.empty()) return "none, there is no freedom left";
  if (undamped + zero == 0) return "stable: all have negative real parts";
  std::string why;
  if (undamped > 0) why = fmt::format("{} undamped", poles_text(undamped));
  if (zero > 0) why += fmt::format("{}{} at zero", why.empty() ? "" : ", ", poles_text(zero));
  return fmt::format("neither stable nor unstable by them: {}", why);
}

std::string make_linear_text(const LinearModel& m) {
  const auto count = [](std::size_t n, const char* noun) {
    return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
  };
  std::string text =
      fmt::format("{} at t = {} s: {}, {}, {}{}\n", m.name, short_number(m.time),
                  count(m.states.size(), "state"), count(m.inputs.size(), "input"),
                  count(m.outputs.size(), "output"),
                  m.formulation.empty() ? "" : " (coordinates " + m.formulation + ")");
  text += "operating point: " + describe_point(m) + "\n";
  text += make_signal_table(m);
  for (const std::string& note : m.notes) text += "note: " + note + "\n";
  text += fmt::format("\npoles: {}\n", stability_sentence(m.poles)) + make_pole_table(m);
  text += "\n" + make_matrix_text("A", m.A, m.states, m.states, "der");
  text += make_matrix_text("B", m.B, m.states, m.inputs, "der");
  text += make_matrix_text("C", m.C, m.outputs, m.states, "");
  text += make_matrix_text("D", m.D, m.outputs, m.inputs, "");
  const std::string modes = make_mode_text(m);
  if (!modes.empty()) text += "\n" + modes;
  return text;
}

}  // namespace mechfmu
