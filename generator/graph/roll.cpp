#include "graph/roll.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

namespace mechfmu {

namespace {

constexpr std::size_t kSeed = 6;            // operations that must agree for a look at a period
constexpr std::size_t kCandidates = 40;     // periods tried at one place
constexpr std::size_t kLongestBody = 4000;  // operations
constexpr std::size_t kFewestRounds = 4;
constexpr std::size_t kFewestOperations = 100;  // that a loop stands for
constexpr std::size_t kSmallBody = 8;
constexpr int kChances = 24;
constexpr std::size_t kPeels = 4;       // rounds given up at either end
constexpr double kMostLookedUp = 0.75;  // operands from tables, per operation

std::uint32_t operand(const Instruction& x, int i) { return i == 0 ? x.a : i == 1 ? x.b : x.c; }

class Roller {
 public:
  explicit Roller(const Program& program) : program_(program) {
    rolled_.place.assign(program.instructions.size(), 0);
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
      if (operand_count(at(i).op) == 0) continue;
      rolled_.place[i] = rolled_.order.size();
      rolled_.order.push_back(i);
      signature_.push_back(sign(at(i)));
    }
  }

  RolledProgram run() {
    index_seeds();
    for (std::size_t i = 0; i + 2 * kSeed < rolled_.order.size();) {
      std::optional<ProgramLoop> loop = find_loop(i);
      if (loop) {
        i = loop->first + loop->length * loop->count;
        rolled_.loops.push_back(std::move(*loop));
      } else {
        ++i;
      }
    }
    return std::move(rolled_);
  }

 private:
  [[nodiscard]] const Instruction& at(std::uint32_t slot) const {
    return program_.instructions[slot];
  }
  [[nodiscard]] const Instruction& in_order(std::size_t place) const {
    return at(rolled_.order[place]);
  }

  // The operation and what kind of thing each operand is.
  [[nodiscard]] std::uint64_t sign(const Instruction& x) const {
    std::uint64_t hash = static_cast<std::uint64_t>(x.op) + 1;
    const auto mix = [&](std::uint64_t value) {
      hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 29;
    };
    for (int i = 0; i < operand_count(x.op); ++i) {
      const Instruction& o = at(operand(x, i));
      mix(o.op == Op::constant ? 1 : o.op == Op::symbol ? 2 + std::uint64_t{o.a} : 0xffff);
    }
    if (x.op == Op::table) mix((std::uint64_t{x.b} << 8) + x.c + 1);
    return hash;
  }

  void index_seeds() {
    const std::size_t n = signature_.size();
    next_.assign(n, n);
    std::unordered_map<std::uint64_t, std::size_t> last;
    for (std::size_t i = n < kSeed ? 0 : n - kSeed + 1; i-- > 0;) {
      std::uint64_t hash = 0;
      for (std::size_t k = 0; k < kSeed; ++k)
        hash = (hash ^ signature_[i + k]) * 0xff51afd7ed558ccdULL + (hash >> 31);
      const auto [slot, fresh] = last.try_emplace(hash, i);
      if (!fresh) {
        next_[i] = slot->second;
        slot->second = i;
      }
    }
  }

  // The period whose repetitions cover most from here on; of equals, the shortest.
  std::optional<ProgramLoop> find_loop(std::size_t begin) {
    std::size_t best_cover = 0, best_period = 0;
    std::size_t other = next_[begin];
    for (std::size_t tries = 0; tries < kCandidates && other < signature_.size();
         ++tries, other = next_[other]) {
      const std::size_t period = other - begin;
      if (period > kLongestBody) break;
      const std::size_t same = find_agreement(begin, period);
      const std::size_t cover = (same / period + 1) * period;
      if (cover / period >= kFewestRounds && cover > best_cover + best_cover / 16) {
        best_cover = cover;
        best_period = period;
      }
    }
    if (best_cover < kFewestOperations) return std::nullopt;
    // sines are computed two at a time
    if (best_period <= kSmallBody && best_cover / best_period >= 2 * kFewestRounds &&
        program_.is_sine_pair(rolled_.order[begin]))
      best_period *= 2, best_cover -= best_cover % best_period;
    end_of_.try_emplace(best_period, begin + best_cover);
    // what does not fit at one place hardly does a little later: the same stretch has a few chances
    int& failures = failures_[{best_period, end_of_.at(best_period)}];
    if (failures >= kChances) return std::nullopt;
    std::optional<ProgramLoop> loop = classify(begin, best_period, best_cover / best_period);
    if (!loop) ++failures;
    return loop;
  }

  // How many operations from `begin` on equal those a period later. Every place is compared once
  // with each period.
  std::size_t find_agreement(std::size_t begin, std::size_t period) {
    std::size_t& end = end_of_[period];
    if (end < begin) end = begin;
    while (end + period < signature_.size() && signature_[end] == signature_[end + period]) ++end;
    return end - begin;
  }

  // A sine stays with its cosine: a body does not begin between them.
  [[nodiscard]] bool splits_a_pair(std::size_t place) const {
    return place > 0 && place < rolled_.order.size() &&
           rolled_.order[place] == rolled_.order[place - 1] + 1 &&
           program_.is_sine_pair(rolled_.order[place - 1]);
  }

  // Ends that do not fit are given up.
  std::optional<ProgramLoop> classify(std::size_t first, std::size_t length, std::size_t count) {
    for (std::size_t k = 0; k <= count; ++k)
      if (splits_a_pair(first + k * length)) return std::nullopt;
    for (std::size_t peel = 0; peel < kPeels && count >= kFewestRounds; ++peel) {
      ProgramLoop loop{first, length, count, {}};
      std::size_t looked_up = 0;
      int misfit = 0;  // -1: only the first round does not fit, 1: any other
      for (std::size_t j = 0; j < length && misfit <= 0; ++j) {
        loop.operands.emplace_back();
        for (int i = 0; i < operand_count(in_order(first + j).op); ++i) {
          std::optional<OperandCourse> course = follow(loop, j, i, 0);
          if (!course) misfit = follow(loop, j, i, 1) ? -1 : 1;
          if (!course && misfit > 0) break;
          if (!course) course.emplace();
          looked_up += course->slots.empty() ? 0 : 1;
          loop.operands.back().push_back(std::move(*course));
        }
      }
      if (misfit == 0) {
        if (static_cast<double>(looked_up) > kMostLookedUp * static_cast<double>(length) + 4)
          return std::nullopt;
        return loop;
      }
      if (misfit < 0) first += length;
      --count;
    }
    return std::nullopt;
  }

  // What operand i of operation j is from round `from` on.
  [[nodiscard]] std::optional<OperandCourse> follow(const ProgramLoop& loop, std::size_t j, int i,
                                                    std::size_t from) const {
    std::vector<std::uint32_t> slots;
    for (std::size_t k = from; k < loop.count; ++k)
      slots.push_back(operand(in_order(loop.first + k * loop.length + j), i));
    OperandCourse course;
    course.first = slots.front();
    const auto is_leaf = [&](std::uint32_t slot) { return operand_count(at(slot).op) == 0; };
    // the operation that is `back` rounds before in the loop, or none
    const auto follows = [&](std::size_t back) {
      const std::size_t base = loop.first + (from + 1 - back) * loop.length;
      if (is_leaf(slots[1]) || rolled_.place[slots[1]] < base ||
          rolled_.place[slots[1]] >= base + loop.length)
        return false;
      course.place = rolled_.place[slots[1]] - base;
      for (std::size_t k = back == 0 ? 0 : 1; k < slots.size(); ++k)
        if (is_leaf(slots[k]) ||
            rolled_.place[slots[k]] != loop.first + (from + k - back) * loop.length + course.place)
          return false;
      return true;
    };
    if (follows(0)) {
      course.kind = OperandCourse::Kind::inside;
      return course;
    }
    // what is read before the loop must be there by then
    const bool earlier =
        is_leaf(course.first) || rolled_.place[course.first] < loop.first + from * loop.length;
    if (earlier && follows(1)) {
      course.kind = OperandCourse::Kind::carried;
      return course;
    }
    const bool same = std::all_of(slots.begin(), slots.end(),
                                  [&](std::uint32_t slot) { return slot == slots[0]; });
    if (same && !earlier) return std::nullopt;
    if (same) {
      course.kind = OperandCourse::Kind::fixed;
      return course;
    }
    const Op op = at(slots[0]).op;
    const bool leaf = is_leaf(slots[0]);
    const bool alike = std::all_of(slots.begin(), slots.end(), [&](std::uint32_t slot) {
      if (!leaf) return !is_leaf(slot);
      return at(slot).op == op && (op == Op::constant || at(slot).a == at(slots[0]).a);
    });
    if (!alike) return std::nullopt;
    course.kind = !leaf              ? OperandCourse::Kind::values
                  : op == Op::symbol ? OperandCourse::Kind::symbols
                                     : OperandCourse::Kind::numbers;
    course.slots = std::move(slots);
    return course;
  }

  const Program& program_;
  RolledProgram rolled_;
  std::vector<std::uint64_t> signature_;                 // by place
  std::vector<std::size_t> next_;                        // the next place with the same seed
  std::unordered_map<std::size_t, std::size_t> end_of_;  // by period: where agreement ends
  std::map<std::pair<std::size_t, std::size_t>, int> failures_;  // by period and end
};

}  // namespace

RolledProgram roll(const Program& program) { return Roller(program).run(); }

}  // namespace mechfmu
