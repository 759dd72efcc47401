// A Program with repetition -> C++ with loops over constant tables. Segments (a loop, or a stretch
// of operations between loops) are functions that hand values over in memory: a result in `out`,
// anything else in `shared`. Within a segment values are locals; what an iteration needs of the one
// before is carried in a local.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "graph/print.hpp"
#include "graph/print_text.hpp"
#include "graph/roll.hpp"
#include "support/assert.hpp"

namespace mechfmu {

namespace {

constexpr std::size_t kFewCopies = 16;  // of results, beyond which a table is shorter

struct Place {
  enum class In : std::uint8_t { none, out, shared } in = In::none;
  std::uint32_t index = 0;
};

struct Segment {
  std::size_t first, last;  // places in the order
  const ProgramLoop* loop;  // null: straight
};

// Integers (or numbers) by iteration as the text of an element: from a column of a table unless
// they grow evenly.
class LoopTables {
 public:
  explicit LoopTables(std::size_t count) : count_(count) {}

  std::string element(std::string_view array, const std::vector<std::uint32_t>& index) {
    const auto step = static_cast<std::int64_t>(index[1]) - static_cast<std::int64_t>(index[0]);
    bool even = true;
    for (std::size_t k = 1; k < index.size(); ++k)
      even &= static_cast<std::int64_t>(index[k]) - static_cast<std::int64_t>(index[k - 1]) == step;
    if (even) return fmt::format("{}[{} + {} * k]", array, index[0], step);
    return fmt::format("{}[ti[{}]]", array, column(integers_, index));
  }
  std::string number(const std::vector<double>& values) {
    return fmt::format("td[{}]", column(numbers_, values));
  }

  [[nodiscard]] std::string declarations() const {
    std::string text;
    const auto declare = [&](const char* type, const char* name, const auto& columns, auto print) {
      if (columns.empty()) return;
      text += fmt::format("  static const {} {}_table[] = {{", type, name);
      for (std::size_t k = 0; k < count_; ++k)
        for (std::size_t c = 0; c < columns.size(); ++c)
          text += (k + c == 0 ? "" : ",") + print(columns[c][k]);
      text += fmt::format("}};\n  const {0}* {1} = {1}_table;\n", type, name);
    };
    declare("int", "ti", integers_, [](std::uint32_t i) { return std::to_string(i); });
    declare("double", "td", numbers_, [](double x) { return literal_text(x); });
    return text;
  }
  // what moves on after each iteration
  [[nodiscard]] std::string advance() const {
    std::string text;
    if (!integers_.empty()) text += fmt::format(", ti += {}", integers_.size());
    if (!numbers_.empty()) text += fmt::format(", td += {}", numbers_.size());
    return text;
  }

 private:
  template <class T>
  static std::size_t column(std::vector<std::vector<T>>& columns, const std::vector<T>& values) {
    const auto found = std::find(columns.begin(), columns.end(), values);
    if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
    columns.push_back(values);
    return columns.size() - 1;
  }
  std::size_t count_;
  std::vector<std::vector<std::uint32_t>> integers_;
  std::vector<std::vector<double>> numbers_;
};

class RolledPrinter {
 public:
  RolledPrinter(std::string_view name, const Program& program, const RolledProgram& rolled,
                const PrintOptions& options)
      : name_(name), program_(program), rolled_(rolled), options_(options) {
    cut_into_segments();
    find_uses();
    place_values();
  }

  std::string text() const {
    std::string all;
    for (std::size_t s = 0; s < segments_.size(); ++s) all += segment_text(s);
    return all + result_segment() + driver_text();
  }

 private:
  [[nodiscard]] const Instruction& at(std::uint32_t slot) const {
    return program_.instructions[slot];
  }
  [[nodiscard]] bool is_leaf(std::uint32_t slot) const { return operand_count(at(slot).op) == 0; }

  void cut_into_segments() {
    std::size_t next = 0;
    const auto add_straight = [&](std::size_t end) {
      while (next < end) {
        std::size_t last =
            std::min(end, next + static_cast<std::size_t>(options_.block_operations));
        if (last < end && program_.is_sine_pair(rolled_.order[last - 1])) ++last;
        segments_.push_back({next, last, nullptr});
        next = last;
      }
    };
    for (const ProgramLoop& loop : rolled_.loops) {
      add_straight(loop.first);
      next = loop.first + loop.length * loop.count;
      segments_.push_back({loop.first, next, &loop});
    }
    add_straight(rolled_.order.size());
    segment_of_.resize(rolled_.order.size());
    for (std::size_t s = 0; s < segments_.size(); ++s)
      for (std::size_t i = segments_[s].first; i < segments_[s].last; ++i) segment_of_[i] = s;
  }

  // Values that are needed outside of where they are locals.
  void find_uses() {
    handed_over_.assign(program_.instructions.size(), false);
    const auto need = [&](std::uint32_t slot) {
      if (!is_leaf(slot)) handed_over_[slot] = true;
    };
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      const Segment& segment = segments_[s];
      if (segment.loop != nullptr) {
        for (const auto& operands : segment.loop->operands)
          for (const OperandCourse& course : operands) {
            if (course.kind == OperandCourse::Kind::values)
              for (const std::uint32_t slot : course.slots) need(slot);
            if (course.kind == OperandCourse::Kind::fixed ||
                course.kind == OperandCourse::Kind::carried)
              need(course.first);
          }
        continue;
      }
      for (std::size_t i = segment.first; i < segment.last; ++i)
        each_operand(at(rolled_.order[i]), [&](std::uint32_t slot) {
          if (!is_leaf(slot) && segment_of_[rolled_.place[slot]] != s) need(slot);
        });
    }
    for (const std::uint32_t slot : program_.results) need(slot);
    // a body stores a value in every iteration or in none
    for (const ProgramLoop& loop : rolled_.loops)
      for (std::size_t j = 0; j < loop.length; ++j) {
        const std::vector<std::uint32_t> all = instances(loop, j);
        if (std::any_of(all.begin(), all.end(), [&](auto slot) { return handed_over_[slot]; }))
          for (const std::uint32_t slot : all) handed_over_[slot] = true;
      }
  }

  template <class Visit>
  static void each_operand(const Instruction& x, Visit visit) {
    const int count = operand_count(x.op);
    if (count > 0) visit(x.a);
    if (count > 1) visit(x.b);
    if (count > 2) visit(x.c);
  }

  [[nodiscard]] std::vector<std::uint32_t> instances(const ProgramLoop& loop, std::size_t j) const {
    std::vector<std::uint32_t> slots;
    for (std::size_t k = 0; k < loop.count; ++k)
      slots.push_back(rolled_.order[loop.first + k * loop.length + j]);
    return slots;
  }

  // A result lives where it is wanted, unless a sequence needs it beside others that are none.
  void place_values() {
    std::vector<std::uint32_t> result_of(program_.instructions.size(), kNone);
    for (std::size_t r = program_.results.size(); r-- > 0;)
      result_of[program_.results[r]] = static_cast<std::uint32_t>(r);
    std::vector<bool> plain(program_.instructions.size(), false);  // not in `out`
    const auto is_result = [&](std::uint32_t slot) {
      return result_of[slot] != kNone && !plain[slot];
    };
    for (bool changed = true; changed;) {
      changed = false;
      const auto make_alike = [&](const std::vector<std::uint32_t>& slots) {
        const auto count = std::count_if(slots.begin(), slots.end(), is_result);
        if (count == 0 || count == static_cast<std::ptrdiff_t>(slots.size())) return;
        for (const std::uint32_t slot : slots) plain[slot] = true;
        changed = true;
      };
      for (const ProgramLoop& loop : rolled_.loops) {
        for (std::size_t j = 0; j < loop.length; ++j) make_alike(instances(loop, j));
        for (const auto& operands : loop.operands)
          for (const OperandCourse& course : operands)
            if (course.kind == OperandCourse::Kind::values) make_alike(course.slots);
      }
    }
    places_.resize(program_.instructions.size());
    for (const std::uint32_t slot : rolled_.order)
      if (handed_over_[slot])
        places_[slot] = is_result(slot) ? Place{Place::In::out, result_of[slot]}
                                        : Place{Place::In::shared, shared_count_++};
  }

  [[nodiscard]] std::string symbol_text(const Instruction& x) const {
    MECHFMU_ASSERT(x.a < options_.arrays.size(), "every array that a kernel reads has a name");
    return fmt::format("{}[{}]", options_.arrays[x.a], x.b);
  }
  static std::string_view array_of(const Place& place) {
    MECHFMU_ASSERT(place.in != Place::In::none, "a value that others need has a place");
    return place.in == Place::In::out ? "out" : "shared";
  }
  // anywhere but where it is a local
  [[nodiscard]] std::string stored_text(std::uint32_t slot) const {
    const Instruction& x = at(slot);
    if (x.op == Op::constant) return literal_text(x.value);
    if (x.op == Op::symbol) return symbol_text(x);
    return fmt::format("{}[{}]", array_of(places_[slot]), places_[slot].index);
  }

  // Input arrays and functions that a text of operations uses.
  struct Frame {
    std::set<std::uint32_t> arrays;
    CalledFunctions called;
  };
  [[nodiscard]] std::string head_text(const Frame& frame) const {
    std::string text = "  (void)in, (void)out, (void)shared;\n";
    for (const std::uint32_t array : frame.arrays)
      text += fmt::format("  const double* {0} = in[{1}];\n", options_.arrays[array], array);
    return text + frame.called.text();
  }
  void look(Frame& frame, std::uint32_t slot) const {
    if (at(slot).op == Op::symbol) frame.arrays.insert(at(slot).a);
  }

  [[nodiscard]] std::string signature(std::string_view suffix) const {
    return fmt::format(
        "[[gnu::noinline]] static void {}_{}(const double* const* in, double* __restrict out, "
        "double* __restrict shared) {{\n",
        name_, suffix);
  }

  [[nodiscard]] std::string segment_text(std::size_t s) const {
    const Segment& segment = segments_[s];
    return signature(std::to_string(s)) +
           (segment.loop != nullptr ? loop_text(*segment.loop) : straight_text(segment, s)) + "}\n";
  }

  [[nodiscard]] std::string straight_text(const Segment& segment, std::size_t s) const {
    Frame frame;
    std::string text;
    const auto value = [&](std::uint32_t slot) {
      look(frame, slot);
      if (!is_leaf(slot) && segment_of_[rolled_.place[slot]] == s) return fmt::format("x{}", slot);
      return stored_text(slot);
    };
    const auto store = [&](std::uint32_t slot) {
      if (places_[slot].in != Place::In::none)
        text += fmt::format("  {} = x{};\n", stored_text(slot), slot);
    };
    for (std::size_t i = segment.first; i < segment.last; ++i) {
      const std::uint32_t slot = rolled_.order[i];
      const bool pair = program_.is_sine_pair(slot);
      frame.called.add(at(slot).op);
      if (pair) {
        text += sine_pair_text(
            {value(at(slot).a), fmt::format("x{}", slot), fmt::format("x{}", slot + 1)}, nullptr);
        store(slot);
        store(slot + 1);
        ++i;
        continue;
      }
      std::array<std::string, 3> operands;
      std::size_t n = 0;
      each_operand(at(slot), [&](std::uint32_t operand) { operands[n++] = value(operand); });
      text += fmt::format("  const double x{} = {};\n", slot, formula_text(at(slot), operands));
      store(slot);
    }
    return head_text(frame) + text;
  }

  // The next sine pair of the body whose angle is known at pair j; loop.length if there is none.
  [[nodiscard]] std::size_t find_companion(const ProgramLoop& loop, std::size_t j,
                                           const std::set<std::size_t>& computed) const {
    for (std::size_t i = j + 2; i < loop.length; ++i) {
      if (!program_.is_sine_pair(rolled_.order[loop.first + i]) || computed.contains(i)) continue;
      const OperandCourse& angle = loop.operands[i][0];
      if (angle.kind != OperandCourse::Kind::inside || angle.place < j) {
        // a value that this iteration itself hands over is not there yet
        if (angle.kind != OperandCourse::Kind::values) return i;
      }
    }
    return loop.length;
  }

  [[nodiscard]] std::string loop_text(const ProgramLoop& loop) const {
    Frame frame;
    LoopTables tables(loop.count);
    std::string before, body, after;
    std::set<std::size_t> computed;              // sine pairs, with one before
    std::map<std::uint32_t, std::string> fixed;  // hoisted values
    std::map<std::pair<std::size_t, std::uint32_t>, std::string> carried;  // place, first value
    const auto value = [&](const OperandCourse& course) -> std::string {
      switch (course.kind) {
        case OperandCourse::Kind::inside:
          return fmt::format("x{}", course.place);
        case OperandCourse::Kind::carried: {
          look(frame, course.first);
          const auto [it, fresh] =
              carried.try_emplace({course.place, course.first}, fmt::format("c{}", carried.size()));
          if (fresh) {
            before += fmt::format("  double {} = {};\n", it->second, stored_text(course.first));
            after += fmt::format("    {} = x{};\n", it->second, course.place);
          }
          return it->second;
        }
        case OperandCourse::Kind::fixed: {
          look(frame, course.first);
          if (at(course.first).op == Op::constant) return stored_text(course.first);
          const auto [it, fresh] =
              fixed.try_emplace(course.first, fmt::format("h{}", fixed.size()));
          if (fresh)
            before +=
                fmt::format("  const double {} = {};\n", it->second, stored_text(course.first));
          return it->second;
        }
        case OperandCourse::Kind::symbols: {
          look(frame, course.slots[0]);
          std::vector<std::uint32_t> index;
          for (const std::uint32_t slot : course.slots) index.push_back(at(slot).b);
          return tables.element(options_.arrays[at(course.slots[0]).a], index);
        }
        case OperandCourse::Kind::numbers: {
          std::vector<double> numbers;
          for (const std::uint32_t slot : course.slots) numbers.push_back(at(slot).value);
          return tables.number(numbers);
        }
        case OperandCourse::Kind::values:
          break;
      }
      return element_of(tables, course.slots);
    };
    const auto store = [&](std::size_t j) {
      const std::vector<std::uint32_t> slots = instances(loop, j);
      if (places_[slots[0]].in != Place::In::none)
        body += fmt::format("    {} = x{};\n", element_of(tables, slots), j);
    };
    for (std::size_t j = 0; j < loop.length; ++j) {
      const std::uint32_t slot = rolled_.order[loop.first + j];
      const bool pair = program_.is_sine_pair(slot);
      frame.called.add(at(slot).op);
      if (pair) {
        if (!computed.contains(j)) {
          const std::size_t other = find_companion(loop, j, computed);
          const auto make_pair = [&](std::size_t i) {
            return SinePair{value(loop.operands[i][0]), fmt::format("x{}", i),
                            fmt::format("x{}", i + 1)};
          };
          const SinePair one = make_pair(j);
          const SinePair two = other < loop.length ? make_pair(other) : SinePair{};
          body += sine_pair_text(one, other < loop.length ? &two : nullptr);
          if (other < loop.length) computed.insert(other);
        }
        store(j);
        store(++j);
        continue;
      }
      std::array<std::string, 3> operands;
      for (std::size_t i = 0; i < loop.operands[j].size(); ++i)
        operands[i] = value(loop.operands[j][i]);
      body += fmt::format("    const double x{} = {};\n", j, formula_text(at(slot), operands));
      store(j);
    }
    return head_text(frame) + tables.declarations() + before +
           fmt::format("  for (int k = 0; k < {}; ++k{}) {{\n", loop.count, tables.advance()) +
           body + after + "  }\n";
  }

  std::string element_of(LoopTables& tables, const std::vector<std::uint32_t>& slots) const {
    std::vector<std::uint32_t> index;
    for (const std::uint32_t slot : slots) index.push_back(places_[slot].index);
    return tables.element(array_of(places_[slots[0]]), index);
  }

  // Results that are leaves, that repeat, or that live in `shared`.
  [[nodiscard]] std::string result_segment() const {
    Frame frame;
    // by the array that they come from: index of the result, index there
    std::map<std::string, std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> copies;
    std::vector<std::uint32_t> number_result;
    std::vector<double> numbers;
    for (std::size_t r = 0; r < program_.results.size(); ++r) {
      const std::uint32_t slot = program_.results[r];
      const auto result = static_cast<std::uint32_t>(r);
      look(frame, slot);
      if (at(slot).op == Op::constant) {
        number_result.push_back(result);
        numbers.push_back(at(slot).value);
        continue;
      }
      const bool symbol = at(slot).op == Op::symbol;
      const Place& place = places_[slot];
      if (!symbol && place.in == Place::In::out && place.index == result) continue;
      auto& [to, from] =
          copies[std::string(symbol ? options_.arrays[at(slot).a] : array_of(place))];
      to.push_back(result);
      from.push_back(symbol ? at(slot).b : place.index);
    }
    std::string text;
    const auto copy = [&](const std::vector<std::uint32_t>& to, auto from) {
      if (to.size() <= kFewCopies) {
        for (std::size_t i = 0; i < to.size(); ++i)
          text += fmt::format("  out[{}] = {};\n", to[i], from(i));
        return;
      }
      LoopTables tables(to.size());
      const std::string target = tables.element("out", to);
      const std::string source = from.element(tables);
      text += fmt::format("  {{\n{}  for (int k = 0; k < {}; ++k{}) {} = {};\n  }}\n",
                          tables.declarations(), to.size(), tables.advance(), target, source);
    };
    struct FromNumbers {
      const std::vector<double>& values;
      std::string operator()(std::size_t i) const { return literal_text(values[i]); }
      std::string element(LoopTables& tables) const { return tables.number(values); }
    };
    struct FromArray {
      const std::string& array;
      const std::vector<std::uint32_t>& index;
      std::string operator()(std::size_t i) const { return fmt::format("{}[{}]", array, index[i]); }
      std::string element(LoopTables& tables) const { return tables.element(array, index); }
    };
    for (const auto& [array, places] : copies) copy(places.first, FromArray{array, places.second});
    copy(number_result, FromNumbers{numbers});
    return signature("results") + head_text(frame) + text + "}\n";
  }

  [[nodiscard]] std::string driver_text() const {
    std::string text =
        fmt::format("void {}(const void*, const double* const* in, double* out) {{\n", name_);
    if (options_.shared_array < 0)
      text += fmt::format("  double shared[{}];\n", std::max(shared_count_, 1U));
    else
      text +=
          fmt::format("  double* shared = const_cast<double*>(in[{}]);\n", options_.shared_array);
    for (std::size_t s = 0; s < segments_.size(); ++s)
      text += fmt::format("  {}_{}(in, out, shared);\n", name_, s);
    return text + fmt::format("  {}_results(in, out, shared);\n}}\n", name_);
  }

 public:
  [[nodiscard]] std::uint32_t shared_count() const { return shared_count_; }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::string_view name_;
  const Program& program_;
  const RolledProgram& rolled_;
  const PrintOptions& options_;
  std::vector<Segment> segments_;
  std::vector<std::size_t> segment_of_;  // by place
  std::vector<bool> handed_over_;        // by slot
  std::vector<Place> places_;
  std::uint32_t shared_count_ = 0;
};

}  // namespace

PrintedKernel print_rolled_kernel(std::string_view name, const Program& program,
                                  const RolledProgram& rolled, const PrintOptions& options) {
  const RolledPrinter printer(name, program, rolled, options);
  return {printer.text(), static_cast<int>(printer.shared_count())};
}

}  // namespace mechfmu
