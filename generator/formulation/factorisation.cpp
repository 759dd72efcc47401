#include "formulation/factorisation.hpp"

#include <map>

#include "formulation/elimination.hpp"

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

SymbolicFactor factor_symbolically(Graph& graph, int size,
                                   const std::vector<SparseEntry>& lower_triangle) {
  SymbolicFactor f;
  f.size = size;
  Pattern pattern;
  for (const SparseEntry& e : lower_triangle) {
    pattern.row.push_back(e.row);
    pattern.column.push_back(e.column);
  }
  f.order = find_elimination_order(size, pattern);
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
