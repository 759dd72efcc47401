#include "coupling/order.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace mechfmu {

namespace {

using Causality = FmuVariable::Causality;
using Variability = FmuVariable::Variability;

class GroupFinder {  // Tarjan (1972)
 public:
  explicit GroupFinder(const std::vector<std::vector<std::size_t>>& next)
      : next_(next), number_(next.size(), 0), low_(next.size(), 0), group_(next.size(), kOpen) {}

  std::vector<std::size_t> find() {
    for (std::size_t node = 0; node < next_.size(); ++node)
      if (number_[node] == 0) visit(node);
    return group_;
  }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  static constexpr std::size_t kOpen = static_cast<std::size_t>(-1);

  void visit(std::size_t node) {
    number_[node] = low_[node] = ++visited_;
    stack_.push_back(node);
    for (const std::size_t to : next_[node]) {
      if (number_[to] == 0) visit(to);
      if (group_[to] == kOpen) low_[node] = std::min(low_[node], low_[to]);
    }
    if (low_[node] != number_[node]) return;
    for (std::size_t member = kOpen; member != node; stack_.pop_back()) {
      member = stack_.back();
      group_[member] = count_;
    }
    ++count_;
  }

  const std::vector<std::vector<std::size_t>>& next_;
  std::vector<std::size_t> number_, low_, group_, stack_;
  std::size_t visited_ = 0, count_ = 0;
};

bool depends(const FmuUnknown& unknown, const ModelDescription& description,
             const FmuVariable* input) {
  const auto index = static_cast<int>(input - description.variables.data());
  return unknown.depends_on_all || std::find(unknown.depends_on.begin(), unknown.depends_on.end(),
                                             index) != unknown.depends_on.end();
}

const FmuUnknown* find_unknown(const std::vector<FmuUnknown>& list,
                               const ModelDescription& description, const FmuVariable* output) {
  const auto index = static_cast<int>(output - description.variables.data());
  const auto it = std::find_if(list.begin(), list.end(),
                               [&](const FmuUnknown& u) { return u.variable == index; });
  return it == list.end() ? nullptr : &*it;
}

bool follows_at_once(const ModelDescription& description, const FmuVariable* output,
                     const FmuVariable* input) {
  const FmuUnknown* unknown = find_unknown(description.outputs, description, output);
  return unknown == nullptr || depends(*unknown, description, input);
}

bool follows_at_start(const ModelDescription& description, const FmuVariable* output,
                      const FmuVariable* input) {
  if (output->initial == "exact") return false;
  const FmuUnknown* unknown = find_unknown(description.initial_unknowns, description, output);
  if (unknown != nullptr) return depends(*unknown, description, input);
  return follows_at_once(description, output, input);
}

bool is_discrete(const FmuVariable& variable) {
  return variable.type != FmuVariable::Type::real || variable.variability == Variability::discrete;
}

// A component that only samples: all its outputs are held.
bool is_sampled(const ModelDescription& description) {
  return std::all_of(
      description.variables.begin(), description.variables.end(),
      [](const FmuVariable& v) { return v.causality != Causality::output || is_discrete(v); });
}

bool reacts_at_once(const CoupledSystem& system, const CoupledLink& link) {
  const ModelDescription& description = system.components[link.to].fmu->description();
  if (is_sampled(description)) return true;
  return std::any_of(
      description.variables.begin(), description.variables.end(), [&](const FmuVariable& v) {
        return v.causality == Causality::output && follows_at_once(description, &v, link.input);
      });
}

}  // namespace

std::vector<std::vector<std::size_t>> find_ordered_groups(
    std::size_t count, const std::vector<std::pair<std::size_t, std::size_t>>& edges) {
  std::vector<std::vector<std::size_t>> next(count);
  for (const auto& [from, to] : edges) next[from].push_back(to);
  GroupFinder finder(next);
  const std::vector<std::size_t> group = finder.find();
  std::vector<std::vector<std::size_t>> members(finder.count());
  for (std::size_t node = 0; node < count; ++node) members[group[node]].push_back(node);

  std::vector<std::size_t> waits(members.size(), 0);
  for (const auto& [from, to] : edges)
    if (group[from] != group[to]) ++waits[group[to]];
  using Ready = std::pair<std::size_t, std::size_t>;  // smallest member, group
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  for (std::size_t g = 0; g < members.size(); ++g)
    if (waits[g] == 0) ready.emplace(members[g].front(), g);
  std::vector<std::vector<std::size_t>> ordered;
  while (!ready.empty()) {
    const std::size_t g = ready.top().second;
    ready.pop();
    for (const std::size_t node : members[g])
      for (const std::size_t to : next[node])
        if (group[to] != g && --waits[group[to]] == 0)
          ready.emplace(members[group[to]].front(), group[to]);
    ordered.push_back(std::move(members[g]));
  }
  return ordered;
}

std::vector<LinkGroup> order_links_at_start(const CoupledSystem& system) {
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  std::vector<bool> is_own_cause(system.links.size(), false);
  for (std::size_t first = 0; first < system.links.size(); ++first)
    for (std::size_t second = 0; second < system.links.size(); ++second) {
      const CoupledLink& a = system.links[first];
      const CoupledLink& b = system.links[second];
      if (a.to != b.from ||
          !follows_at_start(system.components[a.to].fmu->description(), b.output, a.input))
        continue;
      if (first == second)
        is_own_cause[first] = true;
      else
        edges.emplace_back(first, second);
    }
  std::vector<LinkGroup> groups;
  for (std::vector<std::size_t>& links : find_ordered_groups(system.links.size(), edges)) {
    const bool is_loop = links.size() > 1 || is_own_cause[links.front()];
    groups.push_back({std::move(links), is_loop});
  }
  return groups;
}

bool is_smooth(const CoupledLink& link) {
  return !is_discrete(*link.output) && link.input->variability == Variability::continuous;
}

bool takes_end(const CoupledSystem& system, const CoupledLink& link) {
  return !is_discrete(*link.output) || reacts_at_once(system, link);
}

std::vector<std::size_t> order_components(const CoupledSystem& system) {
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (const CoupledLink& link : system.links)
    if (link.from != link.to && reacts_at_once(system, link))
      edges.emplace_back(link.from, link.to);
  std::vector<std::size_t> order;
  for (const std::vector<std::size_t>& group : find_ordered_groups(system.components.size(), edges))
    order.insert(order.end(), group.begin(), group.end());
  return order;
}

}  // namespace mechfmu
