// Rules about the blocks of controllers: check_blocks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "readers/value_parser.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"
#include "validation/block_order.hpp"
#include "validation/rules.hpp"

namespace mechfmu {

namespace {

constexpr double kMostDelay = 1000;  // samples
constexpr std::size_t kMostStates = 100;

void collect(const Expression& e, std::set<std::string_view>& names) {
  if (e.kind == Expression::Kind::name) names.insert(e.text);
  for (const Expression& argument : e.arguments) collect(argument, names);
}

bool is_wire(const Argument& argument) {
  const std::string_view name = argument.attribute->name;
  return argument.attribute->kind == AttributeKind::words && name != "outputs";
}

class BlockCheck {
 public:
  BlockCheck(const Block& block, RuleContext& context)
      : block_(block),
        context_(context),
        subject_(fmt::format("{} '{}'", block.type, block.name.text)) {}

  void run() {
    for (const Argument& argument : block_.arguments.list)
      if (is_wire(argument))
        for (const Name& word : argument.words) check_word(word);
    if (block_.type == "sum" && block_.arguments["plus"].words.empty() &&
        block_.arguments["minus"].words.empty())
      fail(block_.span, "it adds nothing", "plus=\"reference\" minus=\"measured\"");
    check_limits();
    if (block_.type == "pid") check_not_negative("filter");
    if (block_.type == "lead_lag") check_lag();
    if (block_.type == "delay") check_delay();
    if (block_.type == "state_space") check_matrices();
  }

 private:
  void fail(Span span, const std::string& message, std::string hint = {}) {
    context_.diagnostics.error("E243", span, fmt::format("{}: {}", subject_, message),
                               std::move(hint));
  }

  void check_word(const Name& word) {
    const auto it = context_.names.find(word.text);
    using Kind = NamedThing::Kind;
    if (it != context_.names.end() &&
        (it->second.kind == Kind::block || it->second.kind == Kind::input ||
         it->second.kind == Kind::parameter))
      return;
    std::vector<std::string_view> known;
    for (const auto& [name, thing] : context_.names)
      if (thing.kind == Kind::block || thing.kind == Kind::input || thing.kind == Kind::parameter)
        known.push_back(name);
    std::sort(known.begin(), known.end());
    context_.diagnostics.error("E244", word.span,
                               fmt::format("{}: there is no signal '{}'", subject_, word.text),
                               did_you_mean(word.text, known, "signals"));
  }

  [[nodiscard]] std::optional<double> value(std::string_view name) const {
    const Argument* argument = block_.arguments.find(name);
    if (argument == nullptr || argument->values.empty()) return std::nullopt;
    return context_.find_value(argument->values[0]);
  }

  void check_limits() {
    const Argument* min = block_.arguments.find("min");
    const Argument* max = block_.arguments.find("max");
    if (block_.type == "saturation" && min == nullptr && max == nullptr)
      fail(block_.span, "it has neither min nor max", "min=\"-1\" max=\"1\"");
    const std::optional<double> low = value("min");
    const std::optional<double> high = value("max");
    if (low && high && *low > *high)
      fail(min->span, fmt::format("min {} is above max {}", number_text(*low), number_text(*high)));
  }

  void check_not_negative(std::string_view name) {
    if (const std::optional<double> v = value(name); v && *v < 0)
      fail(block_.arguments[name].span,
           fmt::format("{} must not be negative, got {}", name, number_text(*v)));
  }

  void check_lag() {
    if (const std::optional<double> lag = value("lag"); lag && !(*lag > 0))
      fail(block_.arguments["lag"].span, fmt::format("lag must be > 0, got {}", number_text(*lag)),
           "without a pole it would answer to steps with infinity");
  }

  void check_delay() {
    const std::optional<double> samples = value("samples");
    if (samples && !(*samples >= 1 && *samples <= kMostDelay && *samples == std::floor(*samples)))
      fail(block_.arguments["samples"].span,
           fmt::format("samples must be a whole number from 1 to {}, got {}",
                       number_text(kMostDelay), number_text(*samples)));
  }

  void check_matrices() {
    const auto count = [&](std::string_view name) {
      const Argument* argument = block_.arguments.find(name);
      return argument == nullptr ? 0 : argument->values.size();
    };
    const auto n =
        static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(count("A")))));
    const std::size_t m = block_.arguments["inputs"].words.size();
    const std::size_t p = block_.outputs.size();
    if (m == 0) fail(block_.arguments["inputs"].span, "it has no inputs", "inputs=\"u\"");
    if (n > kMostStates)
      fail(block_.arguments["A"].span,
           fmt::format("it has {} states, the limit is {}", n, kMostStates));
    const auto expect = [&](std::string_view name, std::size_t rows, std::size_t columns) {
      const Argument* argument = block_.arguments.find(name);
      if (argument == nullptr || argument->values.size() == rows * columns) return;
      const bool is_poison = !argument->values.empty() && is_poisoned(argument->values[0]);
      if (!is_poison)
        fail(argument->span,
             fmt::format("{} must be {} x {}, got {} numbers", name, rows, columns,
                         argument->values.size()),
             fmt::format("A is square, {} inputs and {} outputs are named", m, p));
    };
    expect("A", n, n);
    expect("B", n, m);
    expect("C", p, n);
    expect("D", p, m);
    expect("start", n, 1);
  }

  const Block& block_;
  RuleContext& context_;
  std::string subject_;
};

}  // namespace

bool follows_at_once(const Block& block) {
  if (block.type == "delay") return false;
  if (block.type != "state_space") return true;
  const Argument* d = block.arguments.find("D");
  return d != nullptr && std::any_of(d->values.begin(), d->values.end(),
                                     [](const Expression& e) { return e.value != 0; });
}

std::set<std::string_view> names_read(const Block& block) {
  std::set<std::string_view> names;
  for (const Argument& argument : block.arguments.list) {
    if (argument.attribute->kind == AttributeKind::signal)
      for (const Expression& e : argument.values) collect(e, names);
    if (is_wire(argument))
      for (const Name& word : argument.words) names.insert(word.text);
  }
  return names;
}

// Depth first, in the order of the file; a block that is met again on the way down closes a circle.
BlockOrder find_block_order(const Controller& controller) {
  BlockOrder result;
  enum class Mark { open, entered, done };
  std::vector<Mark> marks(controller.blocks.size(), Mark::open);
  std::vector<std::size_t> path;
  const std::function<void(std::size_t)> visit = [&](std::size_t b) {
    if (marks[b] == Mark::done) return;
    if (marks[b] == Mark::entered) {
      result.circles.emplace_back(std::find(path.begin(), path.end(), b), path.end());
      return;
    }
    marks[b] = Mark::entered;
    path.push_back(b);
    if (follows_at_once(controller.blocks[b]))
      for (const std::string_view name : names_read(controller.blocks[b]))
        if (const auto source = controller.find(name)) visit(source->first);
    path.pop_back();
    marks[b] = Mark::done;
    result.order.push_back(b);
  };
  for (std::size_t b = 0; b < controller.blocks.size(); ++b) visit(b);
  return result;
}

void check_blocks(RuleContext& context) {
  if (!context.mechanism.controller) return;
  const Controller& controller = *context.mechanism.controller;
  for (const Block& block : controller.blocks) BlockCheck(block, context).run();
  if (context.mechanism.outputs.empty())
    context.diagnostics.error("E243", context.mechanism.name.span, "the controller has no output",
                              "add <output name=\"u\" value=\"...\"/>");
  for (const std::vector<std::size_t>& circle : find_block_order(controller).circles) {
    // against the flow was searched: with the flow it is told
    std::string names = controller.blocks[circle.front()].name.text;
    for (auto it = circle.rbegin(); it != circle.rend(); ++it)
      names += " -> " + controller.blocks[*it].name.text;
    context.diagnostics.error(
        "E245", controller.blocks[circle.front()].name.span,
        fmt::format("the blocks form an algebraic loop: {}", names),
        "each needs the output of the other at the same sample: put a <delay> between them");
  }
}

}  // namespace mechfmu
