#include "formulation/factorisation.hpp"

#include <map>
#include <set>

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Fewest neighbours first; neighbours of an eliminated row become neighbours of each other. Ties:
// the later row, which in a tree is the outer one.
std::vector<int> find_order(int size, const std::vector<SparseEntry>& entries) {
  std::vector<std::set<int>> neighbours(at(size));
  for (const SparseEntry& e : entries)
    if (e.row != e.column) {
      neighbours[at(e.row)].insert(e.column);
      neighbours[at(e.column)].insert(e.row);
    }
  std::set<std::pair<std::size_t, int>> queue;  // (degree, -row)
  for (int i = 0; i < size; ++i) queue.insert({neighbours[at(i)].size(), -i});
  std::vector<int> order;
  while (!queue.empty()) {
    const int row = -queue.begin()->second;
    queue.erase(queue.begin());
    order.push_back(row);
    const std::set<int> around = neighbours[at(row)];
    for (const int i : around) {
      queue.erase({neighbours[at(i)].size(), -i});
      neighbours[at(i)].erase(row);
      for (const int j : around)
        if (j != i) neighbours[at(i)].insert(j);
      queue.insert({neighbours[at(i)].size(), -i});
    }
  }
  return order;
}

}  // namespace

SymbolicFactor factor_symbolically(Graph& graph, int size,
                                   const std::vector<SparseEntry>& lower_triangle) {
  SymbolicFactor f;
  f.size = size;
  f.order = find_order(size, lower_triangle);
  std::vector<int> place(at(size));
  for (int k = 0; k < size; ++k) place[at(f.order[at(k)])] = k;

  // columns of the lower triangle in elimination numbers
  std::vector<std::map<int, Expr>> column(at(size));
  for (const SparseEntry& e : lower_triangle) {
    const int i = place[at(e.row)], j = place[at(e.column)];
    column[at(std::min(i, j))][std::max(i, j)] = e.value;
  }
  f.lower.resize(at(size));
  for (int k = 0; k < size; ++k) {
    const auto diagonal = column[at(k)].find(k);
    const Expr pivot = diagonal != column[at(k)].end() ? diagonal->second : graph.number(0);
    f.pivot.push_back(pivot);
    f.inverse_pivot.push_back(1.0 / pivot);
    std::vector<std::pair<int, Expr>> below;
    for (const auto& [i, value] : column[at(k)])
      if (i > k) below.emplace_back(i, value);
    for (std::size_t a = 0; a < below.size(); ++a) {
      const auto& [i, value] = below[a];
      const Expr factor = value * f.inverse_pivot.back();
      f.lower[at(k)].emplace_back(i, factor);
      for (std::size_t b = 0; b <= a; ++b) {
        const auto& [j, other] = below[b];
        const auto [slot, fresh] = column[at(j)].try_emplace(i, graph.number(0));
        slot->second = slot->second - factor * other;
      }
    }
  }
  return f;
}

void solve_lower(const SymbolicFactor& f, std::vector<Expr>& x) {
  for (int k = 0; k < f.size; ++k) {
    if (x[at(k)].is_zero()) continue;
    for (const auto& [i, l] : f.lower[at(k)]) x[at(i)] = x[at(i)] - l * x[at(k)];
  }
}

void solve_upper(const SymbolicFactor& f, std::vector<Expr>& x) {
  for (int k = f.size - 1; k >= 0; --k)
    for (const auto& [i, l] : f.lower[at(k)]) x[at(k)] = x[at(k)] - l * x[at(i)];
}

SymbolicFactor map_factor(const SymbolicFactor& factor, const std::function<Expr(Expr)>& stored) {
  SymbolicFactor f = factor;
  for (auto& column : f.lower)
    for (auto& [i, l] : column) l = stored(l);
  for (Expr& d : f.inverse_pivot) d = stored(d);
  return f;
}

}  // namespace mechfmu
