#include "graph/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "graph/print_text.hpp"
#include "graph/roll.hpp"
#include "support/assert.hpp"

namespace mechfmu {

namespace {

constexpr std::uint32_t kNone = 0xffffffffU;

class Printer {
 public:
  Printer(std::string_view name, const Program& program, std::span<const std::string_view> arrays,
          int limit)
      : name_(name), program_(program), arrays_(arrays) {
    MECHFMU_ASSERT(limit > 0, "a block has room for an operation");
    for (const std::string_view array : arrays)
      MECHFMU_ASSERT(
          array != "in" && array != "out" && array != "shared" && !array.starts_with("call_"),
          "the names that the kernel itself uses are taken");
    cut_into_blocks(limit);
    place_shared_values();
  }

  std::string text() const {
    std::string all;
    for (std::size_t block = 0; block < starts_.size(); ++block) all += block_text(block);
    if (!is_single()) all += driver_text();
    return all;
  }

 private:
  [[nodiscard]] const Instruction& at(std::size_t i) const { return program_.instructions[i]; }
  [[nodiscard]] bool is_single() const { return starts_.size() == 1; }
  [[nodiscard]] std::size_t block_end(std::size_t block) const {
    return block + 1 < starts_.size() ? starts_[block + 1] : program_.instructions.size();
  }
  [[nodiscard]] bool is_leaf(std::size_t i) const { return operand_count(at(i).op) == 0; }
  [[nodiscard]] bool is_last(std::size_t block) const { return block + 1 == starts_.size(); }

  void cut_into_blocks(int limit) {
    starts_ = {0};
    int count = 0;
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      if (is_leaf(i)) continue;
      const int size = program_.is_sine_pair(i) ? 2 : 1;  // a pair is not cut
      if (count > 0 && count + size > limit) {
        starts_.push_back(i);
        count = 0;
      }
      count += size;
      if (size == 2) ++i;
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

  // Values that a later block needs get a place in `shared`; the last block needs all results, to
  // store them.
  void place_shared_values() {
    place_.assign(program_.instructions.size(), kNone);
    std::vector<std::size_t> last_use(block_of_);
    for (std::size_t i = 0; i < program_.instructions.size(); ++i)
      each_operand(i, [&](std::uint32_t operand) {
        last_use[operand] = std::max(last_use[operand], block_of_[i]);
      });
    for (const std::uint32_t slot : program_.results) last_use[slot] = starts_.size() - 1;

    std::vector<std::vector<std::uint32_t>> ends(starts_.size());  // places by block of last use
    std::vector<std::uint32_t> free;
    for (std::size_t block = 0; block < starts_.size(); ++block) {
      for (std::size_t i = starts_[block]; i < block_end(block); ++i) {
        if (is_leaf(i) || last_use[i] == block) continue;
        if (free.empty()) free.push_back(shared_count_++);
        place_[i] = free.back();
        free.pop_back();
        ends[last_use[i]].push_back(place_[i]);
      }
      free.insert(free.end(), ends[block].rbegin(), ends[block].rend());
    }
  }

  [[nodiscard]] std::string value(std::uint32_t slot, std::size_t block) const {
    const Instruction& x = at(slot);
    if (x.op == Op::constant) return literal_text(x.value);
    if (x.op == Op::symbol) return fmt::format("{}[{}]", arrays_[x.a], x.b);
    if (block_of_[slot] != block) return fmt::format("shared[{}]", place_[slot]);
    return fmt::format("x{}", slot);
  }

  [[nodiscard]] std::string formula(std::size_t i, std::size_t block) const {
    const Instruction& x = at(i);
    std::array<std::string, 3> operands;
    int count = 0;
    each_operand(i,
                 [&](std::uint32_t slot) { operands[std::size_t(count++)] = value(slot, block); });
    return formula_text(x, operands);
  }

  [[nodiscard]] std::string array_text(std::size_t block) const {
    std::set<std::uint32_t> used;
    const auto look = [&](std::uint32_t slot) {
      if (at(slot).op == Op::symbol) used.insert(at(slot).a);
    };
    for (std::size_t i = starts_[block]; i < block_end(block); ++i) each_operand(i, look);
    if (is_last(block))
      for (const std::uint32_t slot : program_.results) look(slot);
    if (used.empty()) return "  (void)in;\n";
    std::string text;
    for (const std::uint32_t array : used) {
      MECHFMU_ASSERT(array < arrays_.size(), "every array that a kernel reads has a name");
      text += fmt::format("  const double* {0} = in[{1}];\n", arrays_[array], array);
    }
    return text;
  }

  [[nodiscard]] std::string function_text(std::size_t block) const {
    CalledFunctions called;
    for (std::size_t i = starts_[block]; i < block_end(block); ++i) called.add(at(i).op);
    return called.text();
  }

  // The next sine pair of the block whose angle is known where pair i is computed, or none.
  [[nodiscard]] std::size_t find_companion(std::size_t i, std::size_t block,
                                           const std::set<std::size_t>& computed) const {
    for (std::size_t k = i + 2; k < block_end(block); ++k)
      if (program_.is_sine_pair(k) && (is_leaf(at(k).a) || at(k).a < i) && !computed.contains(k))
        return k;
    return kNone;
  }

  [[nodiscard]] std::string operation_text(std::size_t block) const {
    std::string text;
    const auto share = [&](std::size_t i) {
      if (place_[i] != kNone) text += fmt::format("  shared[{}] = x{};\n", place_[i], i);
    };
    std::set<std::size_t> computed;  // sine pairs, with one before
    const auto make_pair = [&](std::size_t i) {
      return SinePair{value(at(i).a, block), fmt::format("x{}", i), fmt::format("x{}", i + 1)};
    };
    for (std::size_t i = starts_[block]; i < block_end(block); ++i) {
      if (is_leaf(i)) continue;
      if (!program_.is_sine_pair(i)) {
        text += fmt::format("  const double x{} = {};\n", i, formula(i, block));
        share(i);
        continue;
      }
      if (!computed.contains(i)) {
        const std::size_t other = find_companion(i, block, computed);
        const SinePair one = make_pair(i);
        const SinePair two = other == kNone ? SinePair{} : make_pair(other);
        text += sine_pair_text(one, other == kNone ? nullptr : &two);
        if (other != kNone) computed.insert(other);
      }
      share(i);
      share(++i);
    }
    return text;
  }

  // Elements of input arrays are read before the first store: `out` may be one of these arrays.
  [[nodiscard]] std::string result_text(std::size_t block) const {
    if (program_.results.empty()) return "  (void)out;\n";
    std::string loads;
    std::string stores;
    for (std::size_t k = 0; k < program_.results.size(); ++k) {
      const std::uint32_t slot = program_.results[k];
      std::string from = value(slot, block);
      if (at(slot).op == Op::symbol) {
        loads += fmt::format("  const double r{} = {};\n", k, from);
        from = fmt::format("r{}", k);
      }
      stores += fmt::format("  out[{}] = {};\n", k, from);
    }
    return loads + stores;
  }

  [[nodiscard]] std::string head_text() const {
    return fmt::format("void {}(const void*, const double* const* in, double* out) {{\n", name_);
  }

  [[nodiscard]] std::string block_text(std::size_t block) const {
    std::string text;
    if (is_single()) {
      text = head_text();
    } else {
      // not inlined: the blocks would become the one large function that they are cut from
      text = fmt::format(
          "[[gnu::noinline]] static void {}_{}(const double* const* in, double* out, double* "
          "__restrict shared) {{\n",
          name_, block);
      if (!is_last(block)) text += "  (void)out;\n";
    }
    text += array_text(block) + function_text(block) + operation_text(block);
    if (is_last(block)) text += result_text(block);
    return text + "}\n";
  }

  [[nodiscard]] std::string driver_text() const {
    std::string text = head_text();
    text += fmt::format("  double shared[{}];\n", std::max(shared_count_, 1U));
    for (std::size_t block = 0; block < starts_.size(); ++block)
      text += fmt::format("  {}_{}(in, out, shared);\n", name_, block);
    return text + "}\n";
  }

  std::string_view name_;
  const Program& program_;
  std::span<const std::string_view> arrays_;
  std::vector<std::size_t> starts_;  // first instruction of each block
  std::vector<std::size_t> block_of_;
  std::vector<std::uint32_t> place_;  // in `shared`, of values that a later block needs
  std::uint32_t shared_count_ = 0;
};

}  // namespace

std::string print_tables(const std::vector<TableFunction>& tables) {
  if (tables.empty()) return {};
  static constexpr std::string_view kWords[] = {"linear", "hold", "periodic"};
  const auto list = [](const std::vector<double>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
      text += (i == 0 ? "" : i % 8 == 0 ? ",\n    " : ", ") + literal_text(values[i]);
    return text;
  };
  std::string text = "#include \"system/table.hpp\"\n\n";
  for (std::size_t i = 0; i < tables.size(); ++i)
    text += fmt::format(
        "static const double kTable{0}_x[] = {{{1}}};\n"
        "static const double kTable{0}_c[] = {{{2}}};\n"
        "static const mechfmu::runtime::Table kTable{0} = {{{3}, kTable{0}_x, kTable{0}_c, "
        "mechfmu::runtime::Extrapolation::{4}}};\n",
        i, list(tables[i].x), list(tables[i].coefficients), tables[i].x.size(),
        kWords[static_cast<std::size_t>(tables[i].extrapolation)]);
  return text;
}

std::string print_kernel(std::string_view name, const Program& program,
                         std::span<const std::string_view> arrays, int block_operations) {
  return Printer(name, program, arrays, block_operations).text();
}

PrintedKernel print_kernel(std::string_view name, const Program& program,
                           const PrintOptions& options) {
  if (program.operation_count() >= options.roll_from) {
    const RolledProgram rolled = roll(program);
    if (!rolled.loops.empty()) return print_rolled_kernel(name, program, rolled, options);
  }
  return {print_kernel(name, program, options.arrays, options.block_operations), 0};
}

}  // namespace mechfmu
