#include "analysis/linearize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/did_you_mean.hpp"

namespace mechfmu {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int kMostCoordinates = 500;
constexpr double kOnTheEdge = 1e-9;  // an event indicator: the equations branch here

class Linearizer {
 public:
  Linearizer(OperatingPoint& point, TangentSpace& space)
      : point_(point), space_(space), s_(point.simulation()), m_(point.model()) {}

  std::optional<LinearModel> run(Diagnostics& diagnostics) {
    result_.name = point_.system().name;
    result_.formulation = point_.system().analysis.formulation;
    result_.time = s_.time();
    result_.freedoms = static_cast<int>(space_.velocities().size());
    list_states();
    list_inputs();
    for (const InterfaceVariable& v : point_.system().interface.variables)
      if (v.causality == Causality::output) {
        result_.outputs.push_back({v.name, v.unit, point_.value(v)});
        outputs_.push_back(static_cast<int>(v.value_reference) - s_.first_computed());
      }
    list_coordinates();
    if (!fill_matrices()) {
      diagnostics.error("E313", std::nullopt,
                        fmt::format("the derivatives at t = {:.6g} s are not finite: {}", s_.time(),
                                    point_.failure()));
      return std::nullopt;
    }
    describe_point();
    find_poles();
    if (!result_.poles.found) result_.notes.push_back("the poles could not be computed");
    return std::move(result_);
  }

 private:
  void list_states() {
    const double* a = s_.acceleration();
    for (const int i : space_.positions()) {
      const int q = m_.position_of_velocity[i];
      result_.states.push_back(
          {{coordinate_name(point_, i), coordinate_unit(point_, i), q >= 0 ? s_.position()[q] : 0},
           s_.velocity()[i]});
    }
    for (const int i : space_.velocities())
      result_.states.push_back(
          {{velocity_name(point_, i), velocity_unit(point_, i), s_.velocity()[i]}, a[i]});
    first_filter_ = static_cast<int>(result_.states.size());
    if (point_.follows_directly()) return;
    for (int k = 0; k < 3 * m_.n_followed; ++k) {
      const std::string full = m_.reals[m_.first_state + m_.nq + m_.nv + k].name;
      const InterfaceVariable* v = point_.system().interface.find(full);
      result_.states.push_back({{full.substr(full.find('.') + 1), v == nullptr ? "" : v->unit,
                                 s_.values()[m_.first_state + m_.nq + m_.nv + k]},
                                s_.values()[m_.first_derivative + m_.nq + m_.nv + k]});
      filters_.push_back(m_.first_state + m_.nq + m_.nv + k);
    }
  }

  void list_inputs() {
    for (int i = 0; i < m_.nu; ++i) {
      const int reference = point_.first_input() + i;
      const InterfaceVariable* v = point_.system().interface.find(m_.reals[reference].name);
      const std::string unit = v == nullptr ? "" : v->unit;
      result_.inputs.push_back({m_.reals[reference].name, unit, s_.values()[reference]});
      inputs_.push_back(reference);
      for (int k = 0; k < m_.n_followed && point_.follows_directly(); ++k) {
        if (m_.followed[k] != i) continue;
        const std::string name = m_.reals[reference].name;
        const auto per = [&](const char* what) { return unit.empty() ? "" : unit + what; };
        result_.inputs.push_back({"der(" + name + ")", per("/s"), 0});
        result_.inputs.push_back({"der(" + name + ",2)", per("/s2"), 0});
        for (const int order : {1, 2})
          inputs_.push_back(m_.first_state + m_.nq + m_.nv + 3 * k + order);
      }
    }
  }

  void list_coordinates() {
    for (int i = 0; i < m_.nv; ++i) {
      const int q = m_.position_of_velocity[i];
      result_.coordinates.push_back(
          {coordinate_name(point_, i), coordinate_unit(point_, i), q >= 0 ? s_.position()[q] : 0});
    }
  }

  bool fill_matrices() {
    const auto n = static_cast<int>(result_.states.size());
    const auto inputs = static_cast<int>(result_.inputs.size());
    const auto outputs = static_cast<int>(result_.outputs.size());
    const auto nq = static_cast<int>(space_.positions().size());
    const auto nv = static_cast<int>(space_.velocities().size());
    result_.A = MatrixXd::Zero(n, n);
    result_.B = MatrixXd::Zero(n, inputs);
    result_.C = MatrixXd::Zero(outputs, n);
    result_.D = MatrixXd::Zero(outputs, inputs);
    result_.shapes = MatrixXd::Zero(m_.nv, n);
    VectorXd x = VectorXd::Zero(nq), v = VectorXd::Zero(nv);
    for (int j = 0; j < n + inputs; ++j) {
      x.setZero();
      v.setZero();
      int known = -1;
      if (j < nq)
        x(j) = 1;
      else if (j < nq + nv)
        v(j - nq) = 1;
      else if (j < n)
        known = filters_[static_cast<std::size_t>(j - first_filter_)];
      else
        known = inputs_[static_cast<std::size_t>(j - n)];
      const std::optional<TangentMotion> motion = space_.move(x, v, known);
      if (!motion) return false;
      Eigen::Ref<MatrixXd> rates = j < n ? result_.A : result_.B;
      Eigen::Ref<MatrixXd> values = j < n ? result_.C : result_.D;
      const int column = j < n ? j : j - n;
      rates.col(column) = state_rates(*motion);
      for (int i = 0; i < outputs; ++i)
        values(i, column) = motion->computed(outputs_[static_cast<std::size_t>(i)]);
      if (j < n) result_.shapes.col(j) = motion->dq;
    }
    // -0 is 0
    for (MatrixXd* matrix : {&result_.A, &result_.B, &result_.C, &result_.D, &result_.shapes})
      matrix->array() += 0.0;
    return result_.A.allFinite() && result_.B.allFinite() && result_.C.allFinite() &&
           result_.D.allFinite();
  }

  VectorXd state_rates(const TangentMotion& motion) const {
    VectorXd rates(static_cast<int>(result_.states.size()));
    int row = 0;
    const VectorXd position_rates = calc_position_rates(motion);
    for (const int i : space_.positions()) rates(row++) = position_rates(i);
    for (const int i : space_.velocities()) rates(row++) = motion.da(i);
    for (std::size_t k = 0; k < filters_.size(); ++k)
      rates(row++) = motion.computed(m_.first_derivative + m_.nq + m_.nv + static_cast<int>(k) -
                                     s_.first_computed());
    return rates;
  }

  // Velocities, and for rotations about axes that turn with the body d' = dw - w x d.
  VectorXd calc_position_rates(const TangentMotion& motion) const {
    VectorXd rates = motion.dv;
    for (int k = 0; k < m_.n_quaternions; ++k) {
      const int first = m_.quaternions[k].v;
      const Eigen::Vector3d w(s_.velocity()[first], s_.velocity()[first + 1],
                              s_.velocity()[first + 2]);
      const Eigen::Vector3d d = motion.dq.segment<3>(first);
      rates.segment<3>(first) -= w.cross(d);
    }
    return rates;
  }

  // Filters follow nothing but their inputs, so A is block triangular: their poles, three equal
  // ones each, are read off instead of being torn apart by rounding.
  void find_poles() {
    const auto n = static_cast<Eigen::Index>(result_.states.size());
    const Eigen::Index own = first_filter_;
    result_.poles = calc_poles(result_.A.topLeftCorner(own, own));
    for (Pole& pole : result_.poles.list)
      if (pole.shape.size() > 0) pole.shape.conservativeResizeLike(Eigen::VectorXcd::Zero(n));
    for (Eigen::Index k = own; k + 2 < n; k += 3)
      add_poles(result_.poles, result_.A(k + 2, k + 2) / 3, 3,
                result_.states[static_cast<std::size_t>(k)].name);
  }

  void describe_point() {
    for (int i = 0; i < m_.nv; ++i) {
      const double v = std::fabs(s_.velocity()[i]), a = std::fabs(s_.acceleration()[i]);
      if (v > result_.largest_velocity) {
        result_.largest_velocity = v;
        result_.fastest = velocity_name(point_, i);
      }
      if (a > result_.largest_acceleration) {
        result_.largest_acceleration = a;
        result_.most_accelerated = coordinate_name(point_, i);
        result_.acceleration_unit = velocity_unit(point_, i);
        if (!result_.acceleration_unit.empty())
          result_.acceleration_unit =
              result_.acceleration_unit.substr(0, result_.acceleration_unit.rfind("/s")) + "/s2";
      }
    }
    runtime::System& system = s_.system();
    system.evaluate_kinematics(s_.time(), s_.position(), s_.velocity());
    result_.constraint_residual = runtime::largest(system.phi(), m_.nc);
    const double* z = system.evaluate_indicators(s_.time(), s_.position(), s_.velocity());
    for (int i = 0; i < m_.n_indicators; ++i)  // conditions come after
      if (std::fabs(z[i]) < kOnTheEdge) {
        result_.notes.push_back(
            "the equations branch at this very point (a condition of if(), a stop, or the bend of "
            "min, max or abs): the derivatives are those of one side");
        break;
      }
    if (!filters_.empty())
      result_.notes.push_back(
          "inputs that drives follow go through the FMU's reference filters, whose poles are among "
          "these; --no-filter gives such inputs with their derivatives instead");
  }

  OperatingPoint& point_;
  TangentSpace& space_;
  runtime::Simulation& s_;
  const runtime::Model& m_;
  std::vector<int> filters_, inputs_;  // value references
  std::vector<int> outputs_;           // among the computed values
  int first_filter_ = 0;
  LinearModel result_;
};

}  // namespace

std::vector<int> find_coordinates(const OperatingPoint& point,
                                  const std::vector<std::string>& names, const std::string& option,
                                  Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (int i = 0; i < point.model().nv; ++i) known.push_back(coordinate_name(point, i));
  std::vector<int> found;
  for (const std::string& name : names) {
    const auto place = std::find(known.begin(), known.end(), name);
    if (place != known.end())
      found.push_back(static_cast<int>(place - known.begin()));
    else
      diagnostics.error("E312", std::nullopt,
                        fmt::format("{}: there is no coordinate '{}'", option, name),
                        did_you_mean(name, {known.begin(), known.end()}, "coordinates"));
  }
  return found;
}

std::vector<int> find_fixed_coordinates(const OperatingPoint& point) {
  const runtime::Model& m = point.model();
  std::vector<int> found;
  for (int i = 0; i < m.nv; ++i)
    for (int c = 0; c < m.n_conditions; ++c)
      if (m.conditions[c].fixed && !m.conditions[c].velocity &&
          coordinate_name(point, i) == m.conditions[c].name)
        found.push_back(i);
  return found;
}

std::optional<LinearModel> linearize(OperatingPoint& point, const LinearizeOptions& options,
                                     Diagnostics& diagnostics) {
  const std::vector<int> wanted = find_coordinates(point, options.states, "--states", diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  if (point.model().nv > kMostCoordinates) {
    diagnostics.error("E314", std::nullopt,
                      fmt::format("{} coordinates are too many for dense matrices (at most {})",
                                  point.model().nv, kMostCoordinates));
    return std::nullopt;
  }
  std::optional<TangentSpace> space =
      TangentSpace::make(point, wanted, find_fixed_coordinates(point), diagnostics);
  if (!space) return std::nullopt;
  return Linearizer(point, *space).run(diagnostics);
}

}  // namespace mechfmu
