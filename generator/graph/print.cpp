#include "graph/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <vector>

namespace mechfmu {

namespace {

std::string literal(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return value < 0 ? "(" + text + ")" : text;
}

class Printer {
 public:
  Printer(std::string_view name, const Program& program, std::span<const std::string_view> arrays,
          int limit)
      : name_(name), program_(program), arrays_(arrays) {
    cut_into_blocks(limit);
    find_shared_values();
    pair_sines();
  }

  std::string text() {
    std::string all;
    for (std::size_t block = 0; block < starts_.size(); ++block) all += block_text(block);
    if (starts_.size() > 1) all += driver_text();
    return all;
  }

 private:
  [[nodiscard]] const Instruction& at(std::size_t i) const { return program_.instructions[i]; }
  [[nodiscard]] std::size_t block_end(std::size_t block) const {
    return block + 1 < starts_.size() ? starts_[block + 1] : program_.instructions.size();
  }
  [[nodiscard]] bool is_leaf(std::size_t i) const { return operand_count(at(i).op) == 0; }

  void cut_into_blocks(int limit) {
    starts_ = {0};
    int count = 0;
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      if (is_leaf(i)) continue;
      if (count == limit) {
        starts_.push_back(i);
        count = 0;
      }
      ++count;
    }
    block_of_.resize(program_.instructions.size());
    for (std::size_t block = 0; block < starts_.size(); ++block)
      for (std::size_t i = starts_[block]; i < block_end(block); ++i) block_of_[i] = block;
  }

  template <class Visit>
  void each_operand(std::size_t i, Visit visit) const {
    const Instruction& x = at(i);
    const int count = operand_count(x.op);
    if (count > 0) visit(x.a);
    if (count > 1) visit(x.b);
    if (count > 2) visit(x.c);
  }

  void find_shared_values() {
    for (std::size_t i = 0; i < program_.instructions.size(); ++i)
      each_operand(i, [&](std::uint32_t operand) {
        if (!is_leaf(operand) && block_of_[operand] != block_of_[i])
          shared_.try_emplace(operand, shared_.size());
      });
  }

  // sin and cos of one operand in one block: the later of the two is computed with the earlier one
  void pair_sines() {
    std::map<std::pair<std::size_t, std::uint32_t>, std::pair<long, long>>
        pairs;  // (block, operand) -> sin, cos
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      const Instruction& x = at(i);
      if (x.op != Op::sin && x.op != Op::cos) continue;
      auto& pair = pairs.try_emplace({block_of_[i], x.a}, -1, -1).first->second;
      (x.op == Op::sin ? pair.first : pair.second) = static_cast<long>(i);
    }
    for (const auto& [key, pair] : pairs)
      if (pair.first >= 0 && pair.second >= 0) {
        const auto s = static_cast<std::size_t>(pair.first),
                   c = static_cast<std::size_t>(pair.second);
        sine_pair_[std::min(s, c)] = {s, c};
        computed_with_pair_.insert(std::max(s, c));
      }
  }

  [[nodiscard]] std::string value(std::uint32_t slot, std::size_t block) const {
    const Instruction& x = at(slot);
    if (x.op == Op::constant) return literal(x.value);
    if (x.op == Op::symbol) return fmt::format("{}[{}]", arrays_[x.a], x.b);
    if (block_of_[slot] != block) return fmt::format("s[{}]", shared_.at(slot));
    return fmt::format("x{}", slot);
  }

  [[nodiscard]] std::string formula(std::size_t i, std::size_t block) const {
    const Instruction& x = at(i);
    const auto a = [&] { return value(x.a, block); };
    const auto b = [&] { return value(x.b, block); };
    switch (x.op) {
      case Op::add:
        return fmt::format("{} + {}", a(), b());
      case Op::subtract:
        return fmt::format("{} - {}", a(), b());
      case Op::multiply:
        return fmt::format("{} * {}", a(), b());
      case Op::divide:
        return fmt::format("{} / {}", a(), b());
      case Op::negate:
        return fmt::format("-{}", a());
      case Op::min:
        return fmt::format("{0} < {1} ? {0} : {1}", a(), b());
      case Op::max:
        return fmt::format("{0} > {1} ? {0} : {1}", a(), b());
      case Op::abs:
        return fmt::format("__builtin_fabs({})", a());
      case Op::sqrt:
        return fmt::format("__builtin_sqrt({})", a());
      case Op::round:
        return fmt::format("nearbyint({})", a());
      case Op::power:
        return fmt::format("pow({}, {})", a(), b());
      case Op::less:
        return fmt::format("{} < {} ? 1.0 : 0.0", a(), b());
      case Op::less_equal:
        return fmt::format("{} <= {} ? 1.0 : 0.0", a(), b());
      case Op::equal:
        return fmt::format("{} == {} ? 1.0 : 0.0", a(), b());
      case Op::atan2:
        return fmt::format("atan2({}, {})", a(), b());
      case Op::select:
        return fmt::format("{} != 0.0 ? {} : {}", a(), b(), value(x.c, block));
      default:
        return fmt::format("{}({})", op_name(x.op), a());
    }
  }

  [[nodiscard]] std::string arrays_used(std::size_t block) const {
    std::set<std::uint32_t> used;
    const auto look = [&](std::uint32_t slot) {
      if (at(slot).op == Op::symbol) used.insert(at(slot).a);
    };
    for (std::size_t i = starts_[block]; i < block_end(block); ++i) each_operand(i, look);
    if (block + 1 == starts_.size())
      for (const std::uint32_t slot : program_.results) look(slot);
    std::string text;
    for (const std::uint32_t array : used)
      text += fmt::format("  const double* __restrict {0} = in[{1}];\n", arrays_[array], array);
    return text;
  }

  [[nodiscard]] std::string block_text(std::size_t block) const {
    const bool single = starts_.size() == 1;
    const bool last = block + 1 == starts_.size();
    std::string text = single ? fmt::format(
                                    "static void {}(const void*, const double* const* in, double* "
                                    "__restrict out) {{\n",
                                    name_)
                              : fmt::format(
                                    "static void {}_{}(const double* const* in, double* __restrict "
                                    "out, double* __restrict s) {{\n",
                                    name_, block);
    text += "  (void)in, (void)out;\n" + arrays_used(block);
    if (!single) text += "  (void)s;\n";
    for (std::size_t i = starts_[block]; i < block_end(block); ++i) {
      if (is_leaf(i)) continue;
      if (const auto pair = sine_pair_.find(i); pair != sine_pair_.end()) {
        const auto [s, c] = pair->second;
        text += fmt::format("  double x{0}, x{1};\n  sincos({2}, &x{0}, &x{1});\n", s, c,
                            value(at(i).a, block));
      } else if (!computed_with_pair_.contains(i)) {
        text += fmt::format("  const double x{} = {};\n", i, formula(i, block));
      }
      if (const auto share = shared_.find(static_cast<std::uint32_t>(i)); share != shared_.end())
        text += fmt::format("  s[{}] = x{};\n", share->second, i);
    }
    // a result leaves from the block that computes it
    for (std::size_t k = 0; k < program_.results.size(); ++k) {
      const std::uint32_t slot = program_.results[k];
      if (is_leaf(slot) ? last : block_of_[slot] == block)
        text += fmt::format("  out[{}] = {};\n", k, value(slot, block));
    }
    return text + "}\n";
  }

  [[nodiscard]] std::string driver_text() const {
    std::string text = fmt::format(
        "static void {}(const void*, const double* const* in, double* out) {{\n", name_);
    text += fmt::format("  double s[{}];\n", std::max<std::size_t>(shared_.size(), 1));
    for (std::size_t block = 0; block < starts_.size(); ++block)
      text += fmt::format("  {}_{}(in, out, s);\n", name_, block);
    return text + "}\n";
  }

  std::string_view name_;
  const Program& program_;
  std::span<const std::string_view> arrays_;
  std::vector<std::size_t> starts_;  // first instruction of each block
  std::vector<std::size_t> block_of_;
  std::map<std::uint32_t, std::size_t> shared_;  // slot -> place in the scratch array
  std::map<std::size_t, std::pair<std::size_t, std::size_t>> sine_pair_;
  std::set<std::size_t> computed_with_pair_;
};

}  // namespace

std::string print_kernel(std::string_view name, const Program& program,
                         std::span<const std::string_view> arrays, int block_operations) {
  return Printer(name, program, arrays, block_operations).text();
}

}  // namespace mechfmu
