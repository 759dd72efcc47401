// The dialect <controller>: blocks become expressions of one sample,
//
//     x+ = f(x, u, p, t_k)      y = g(x, u, p, t_k)
//
// sorted so that every block comes after what it follows at once. In the model all of it is memory:
// first the states x, then what is held until the next sample, the outputs of blocks and of the
// controller. There are no continuous states.
//
//   pid         d+ = (Tf d + kd (e - e_last)) / (Tf + T);  i+ = i + ki T e;  y = limit(kp e + i+ +
//   d+)
//               Anti-windup: i stays where it is while y is beyond a limit and e pushes further.
//   lead_lag    x' = (u - x) / T2,  y = K (T1/T2 u + (1 - T1/T2) x):  exact for a held input
//   state_space continuous: [Ad Bd; 0 I] = exp([A B; 0 0] T), exact for held inputs
#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <unsupported/Eigen/MatrixFunctions>

#include "formulation/formulated.hpp"
#include "formulation/sensor_expressions.hpp"
#include "support/assert.hpp"
#include "validation/block_order.hpp"

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class ControllerBuilder {
 public:
  explicit ControllerBuilder(const Mechanism& mechanism)
      : mechanism_(mechanism),
        controller_(*mechanism.controller),
        system_(std::make_unique<Formulated>()),
        g_(*system_->graph) {}

  std::unique_ptr<Formulated> build() {
    Formulated& s = *system_;
    s.kind = FormulationKind::controller;
    add_parameters(s, mechanism_);
    const BlockOrder order = find_block_order(controller_);
    MECHFMU_ASSERT(order.circles.empty(), "validation let an algebraic loop of blocks pass");
    outputs_.resize(controller_.blocks.size());
    // states first: blocks that do not follow at once are read before their own turn
    for (std::size_t b = 0; b < controller_.blocks.size(); ++b)
      if (!follows_at_once(controller_.blocks[b])) add_block(b);
    for (const std::size_t b : order.order)
      if (follows_at_once(controller_.blocks[b])) add_block(b);
    for (const std::function<void()>& update : updates_) update();
    s.discrete_states = static_cast<int>(s.memory.size());
    for (const std::vector<Expr>& outputs : outputs_)
      for (const Expr& output : outputs) hold(output);
    for (const Output& output : mechanism_.outputs)
      hold(resolve(g_, output.value, s.tables, meaning()));
    s.kinetic_energy = s.potential_energy = g_.number(0);
    return std::move(system_);
  }

 private:
  NameMeaning meaning() const {
    return [this](const std::string& name) -> std::optional<std::vector<Expr>> {
      if (const auto place = controller_.find(name))
        return std::vector<Expr>{outputs_[place->first][place->second]};
      return system_->signals_of_time(mechanism_)(name);
    };
  }
  Expr signal(const Block& block, std::string_view attribute) const {
    return resolve(g_, block.arguments[attribute].values[0], system_->tables, meaning());
  }
  Expr signal(const Name& name) const { return (*meaning()(name.text))[0]; }

  // A number or an expression of parameters.
  Expr parameter(const Block& block, std::string_view attribute) const {
    return resolve(g_, block.arguments[attribute].values[0], system_->parameters_only(mechanism_));
  }
  std::optional<Expr> optional_parameter(const Block& block, std::string_view attribute) const {
    if (block.arguments.find(attribute) == nullptr) return std::nullopt;
    return parameter(block, attribute);
  }

  // The symbol of a new state; set_next() says what it becomes.
  Expr add_state(Expr start) {
    Formulated& s = *system_;
    const Expr symbol = g_.symbol(runtime::kMemory, static_cast<int>(s.memory.size()));
    s.memory.push_back(symbol);
    s.memory_guess.push_back(start);
    return symbol;
  }
  void set_next(Expr state, Expr next) {
    system_->memory[at(static_cast<int>(state.node().b))] = next;
  }

  void hold(Expr value) {
    system_->memory.push_back(value);
    system_->memory_guess.push_back(g_.number(0));
  }

  [[nodiscard]] Expr limited(const Block& block, Expr value) const {
    if (const auto min = optional_parameter(block, "min")) value = g_.make(Op::max, value, *min);
    if (const auto max = optional_parameter(block, "max")) value = g_.make(Op::min, value, *max);
    return value;
  }

  void add_block(std::size_t index) {
    const Block& block = controller_.blocks[index];
    std::vector<Expr>& outputs = outputs_[index];
    const std::string& type = block.type;
    if (type == "pid") outputs = {add_pid(block)};
    if (type == "lead_lag") outputs = {add_lead_lag(block)};
    if (type == "state_space") outputs = add_state_space(block);
    if (type == "saturation") outputs = {limited(block, signal(block, "input"))};
    if (type == "gain") outputs = {parameter(block, "gain") * signal(block, "input")};
    if (type == "expression") outputs = {signal(block, "value")};
    if (type == "delay") outputs = {add_delay(block)};
    if (type == "sum") {
      Expr sum = g_.number(0);
      for (const Name& name : block.arguments["plus"].words) sum = sum + signal(name);
      for (const Name& name : block.arguments["minus"].words) sum = sum - signal(name);
      outputs = {sum};
    }
    MECHFMU_ASSERT(outputs.size() == block.outputs.size(), "no law for the block " + type);
  }

  Expr add_pid(const Block& block) {
    const Expr zero = g_.number(0);
    const Expr one = g_.number(1);
    const Expr T = g_.number(controller_.sample);
    const Expr e = signal(block, "input");
    const Expr ki = parameter(block, "ki");
    Expr fast = parameter(block, "kp") * e;
    if (const Expr kd = parameter(block, "kd"); !kd.is_zero()) {
      const Expr filter = parameter(block, "filter");
      const Expr rate = add_state(zero);
      const Expr last = add_state(zero);
      const Expr started = add_state(zero);
      // the first error is no jump
      const Expr change = select(started, e - last, zero);
      const Expr next = (filter * rate + kd * change) / (filter + T);
      set_next(rate, next);
      set_next(last, e);
      set_next(started, one);
      fast = fast + next;
    }
    const Expr integral = add_state(parameter(block, "start"));
    const Expr grown = integral + ki * T * e;
    const Expr wanted = fast + grown;
    Expr frozen = zero;
    if (const auto max = optional_parameter(block, "max"))
      frozen = g_.make(Op::max, frozen, less(*max, wanted) * less(zero, ki * e));
    if (const auto min = optional_parameter(block, "min"))
      frozen = g_.make(Op::max, frozen, less(wanted, *min) * less(ki * e, zero));
    const Expr next = select(frozen, integral, grown);
    set_next(integral, next);
    return limited(block, fast + next);
  }

  Expr add_lead_lag(const Block& block) {
    const Expr u = signal(block, "input");
    const Expr lag = parameter(block, "lag");
    const Expr ratio = parameter(block, "lead") / lag;
    const Expr x = add_state(parameter(block, "start"));
    const Expr stays = g_.make(Op::exp, -(g_.number(controller_.sample) / lag));
    set_next(x, stays * x + (g_.number(1) - stays) * u);
    return parameter(block, "gain") * (ratio * u + (g_.number(1) - ratio) * x);
  }

  Expr add_delay(const Block& block) {
    const auto samples = static_cast<int>(block.arguments["samples"].values[0].value);
    std::vector<Expr> line;
    for (int k = 0; k < samples; ++k) line.push_back(add_state(parameter(block, "start")));
    for (int k = 0; k + 1 < samples; ++k) set_next(line[at(k)], line[at(k + 1)]);
    updates_.emplace_back(
        [this, &block, last = line.back()] { set_next(last, signal(block, "input")); });
    return line.front();
  }

  static Eigen::MatrixXd read_matrix(const Block& block, std::string_view name, Eigen::Index rows,
                                     Eigen::Index columns) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(rows, columns);
    if (const Argument* argument = block.arguments.find(name))
      for (Eigen::Index i = 0; i < rows; ++i)
        for (Eigen::Index j = 0; j < columns; ++j)
          matrix(i, j) = argument->values[static_cast<std::size_t>(i * columns + j)].value;
    return matrix;
  }

  std::vector<Expr> add_state_space(const Block& block) {
    const std::vector<Name>& inputs = block.arguments["inputs"].words;
    const auto m = static_cast<Eigen::Index>(inputs.size());
    const auto p = static_cast<Eigen::Index>(block.outputs.size());
    const auto n = static_cast<Eigen::Index>(
        std::lround(std::sqrt(static_cast<double>(block.arguments["A"].values.size()))));
    Eigen::MatrixXd a = read_matrix(block, "A", n, n);
    Eigen::MatrixXd b = read_matrix(block, "B", n, m);
    const Eigen::MatrixXd c = read_matrix(block, "C", p, n);
    const Eigen::MatrixXd d = read_matrix(block, "D", p, m);
    if (block.arguments["time"].text == "continuous") {
      Eigen::MatrixXd both = Eigen::MatrixXd::Zero(n + m, n + m);
      both.topLeftCorner(n, n) = a * controller_.sample;
      both.topRightCorner(n, m) = b * controller_.sample;
      const Eigen::MatrixXd flow = both.exp();
      a = flow.topLeftCorner(n, n);
      b = flow.topRightCorner(n, m);
    }
    const Eigen::MatrixXd start = read_matrix(block, "start", n, 1);
    std::vector<Expr> x;
    for (Eigen::Index i = 0; i < n; ++i) x.push_back(add_state(g_.number(start(i, 0))));
    const auto row = [this](const Eigen::MatrixXd& matrix, Eigen::Index i,
                            const std::vector<Expr>& values) {
      Expr sum = g_.number(0);
      for (Eigen::Index j = 0; j < matrix.cols(); ++j)
        sum = sum + matrix(i, j) * values[static_cast<std::size_t>(j)];
      return sum;
    };
    const auto input_values = [this, &inputs] {
      std::vector<Expr> u;
      for (const Name& name : inputs) u.push_back(signal(name));
      return u;
    };
    std::vector<Expr> y;
    for (Eigen::Index i = 0; i < p; ++i) {
      y.push_back(row(c, i, x));
      if (follows_at_once(block)) y.back() = y.back() + row(d, i, input_values());
    }
    updates_.emplace_back([=, this] {
      const std::vector<Expr> u = input_values();
      for (Eigen::Index i = 0; i < n; ++i)
        set_next(x[static_cast<std::size_t>(i)], row(a, i, x) + row(b, i, u));
    });
    return y;
  }

  const Mechanism& mechanism_;
  const Controller& controller_;
  std::unique_ptr<Formulated> system_;
  Graph& g_;
  std::vector<std::vector<Expr>> outputs_;      // per block
  std::vector<std::function<void()>> updates_;  // when all outputs are known
};

}  // namespace

std::unique_ptr<Formulated> formulate_controller(const Mechanism& mechanism) {
  return ControllerBuilder(mechanism).build();
}

}  // namespace mechfmu
