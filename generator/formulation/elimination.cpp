#include "formulation/elimination.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<int> invert_order(const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[at(order[k])] = static_cast<int>(k);
  return place;
}

// Lists that follow each other in one array, list i from start[i] to start[i + 1].
void flatten(const std::vector<std::vector<int>>& lists, std::vector<int>& start,
             std::vector<int>& all) {
  start.assign(1, 0);
  for (const std::vector<int>& list : lists) {
    all.insert(all.end(), list.begin(), list.end());
    start.push_back(static_cast<int>(all.size()));
  }
}

class Planner {
 public:
  Planner(const EliminationProblem& problem, EliminationMethod method)
      : p_(problem), method_(method), rows_of_body_(count_bodies()) {}

  EliminationPlan make() {
    plan_.place.assign(at(p_.nv + p_.nc), -1);
    order_bodies();
    place_accelerations();
    place_multipliers();
    add_entries();
    add_lower();
    if (method_ == EliminationMethod::divide_and_conquer) add_fronts();
    return std::move(plan_);
  }

 private:
  [[nodiscard]] std::size_t count_bodies() const {
    return p_.body.empty() ? 0 : at(*std::max_element(p_.body.begin(), p_.body.end()) + 1);
  }

  // Bodies depth first along their joints: a chain or a loop is walked from end to end, so that
  // every stretch of it has only two neighbours.
  void order_bodies() {
    std::vector<std::vector<int>> bodies_of_row(at(p_.nc));
    for (std::size_t k = 0; k < p_.jacobian.row.size(); ++k) {
      const int row = p_.jacobian.row[k], body = p_.body[at(p_.jacobian.column[k])];
      std::vector<int>& bodies = bodies_of_row[at(row)];
      if (std::find(bodies.begin(), bodies.end(), body) != bodies.end()) continue;
      bodies.push_back(body);
      rows_of_body_[at(body)].push_back(row);
    }
    std::vector<std::vector<int>> neighbours(rows_of_body_.size());
    for (const std::vector<int>& bodies : bodies_of_row)
      for (const int a : bodies)
        for (const int b : bodies)
          if (a != b) neighbours[at(a)].push_back(b);
    std::vector<int> begin(rows_of_body_.size());
    std::iota(begin.begin(), begin.end(), 0);
    for (std::vector<int>& list : neighbours) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    std::stable_sort(begin.begin(), begin.end(), [&](int a, int b) {
      return neighbours[at(a)].size() < neighbours[at(b)].size();
    });
    std::vector<bool> seen(rows_of_body_.size(), false);
    for (const int first : begin) {
      std::vector<int> stack = {first};
      while (!stack.empty()) {
        const int body = stack.back();
        stack.pop_back();
        if (seen[at(body)]) continue;
        seen[at(body)] = true;
        body_order_.push_back(body);
        for (auto n = neighbours[at(body)].rbegin(); n != neighbours[at(body)].rend(); ++n)
          if (!seen[at(*n)]) stack.push_back(*n);
      }
    }
    reach_.assign(at(p_.nc), {static_cast<int>(body_order_.size()), -1});
    const std::vector<int> number = invert_order(body_order_);
    for (int r = 0; r < p_.nc; ++r)
      for (const int body : bodies_of_row[at(r)]) {
        reach_[at(r)].first = std::min(reach_[at(r)].first, number[at(body)]);
        reach_[at(r)].second = std::max(reach_[at(r)].second, number[at(body)]);
      }
  }

  // Body after body, within each fewest neighbours first.
  void place_accelerations() {
    const std::vector<int> order = find_elimination_order(p_.nv, p_.mass);
    std::vector<std::vector<int>> of_body(rows_of_body_.size());
    for (const int i : order) of_body[at(p_.body[at(i)])].push_back(i);
    int next = 0;
    for (const int body : body_order_) {
      columns_.emplace_back(next, static_cast<int>(of_body[at(body)].size()));
      for (const int i : of_body[at(body)]) plan_.place[at(i)] = next++;
    }
  }

  // divide_and_conquer has its own order, in the fronts.
  void place_multipliers() {
    std::vector<int> order(at(p_.nc));
    std::iota(order.begin(), order.end(), 0);
    if (method_ == EliminationMethod::sparse) {
      // rows that meet at a body become neighbours when its accelerations are eliminated
      Pattern meet;
      for (const std::vector<int>& rows : rows_of_body_)
        for (std::size_t i = 0; i < rows.size(); ++i)
          for (std::size_t k = 0; k < i; ++k) {
            meet.row.push_back(rows[i]);
            meet.column.push_back(rows[k]);
          }
      order = find_elimination_order(p_.nc, meet);
    }
    for (int k = 0; k < p_.nc; ++k) plan_.place[at(p_.nv + order[at(k)])] = p_.nv + k;
  }

  void add_entries() {
    std::vector<std::vector<std::pair<int, int>>> entries(at(p_.nv + p_.nc));
    const auto add = [&](int a, int b, int source) {
      const int i = plan_.place[at(a)], k = plan_.place[at(b)];
      entries[at(std::max(i, k))].emplace_back(std::min(i, k), source);
    };
    for (std::size_t k = 0; k < p_.mass.row.size(); ++k)
      add(p_.mass.row[k], p_.mass.column[k], p_.mass_source + static_cast<int>(k));
    for (std::size_t k = 0; k < p_.jacobian.row.size(); ++k)
      add(p_.nv + p_.jacobian.row[k], p_.jacobian.column[k],
          p_.jacobian_source + static_cast<int>(k));
    plan_.entry_start.assign(1, 0);
    for (const auto& row : entries) {
      for (const auto& [column, source] : row) {
        plan_.entry_column.push_back(column);
        plan_.entry_source.push_back(source);
      }
      plan_.entry_start.push_back(static_cast<int>(plan_.entry_column.size()));
    }
  }

  // Row i of L has an entry wherever the matrix has one and, from each of these, along the
  // elimination tree (Davis 2005): parent[k] is the first row below k in column k.
  void add_lower() {
    const int n = p_.nv + p_.nc;
    std::vector<int> parent(at(n), -1), mark(at(n), -1);
    std::vector<std::vector<int>> rows(at(n)), columns(at(n));
    for (int i = 0; i < n; ++i) {
      mark[at(i)] = i;
      for (int e = plan_.entry_start[at(i)]; e < plan_.entry_start[at(i + 1)]; ++e)
        for (int k = plan_.entry_column[at(e)]; mark[at(k)] != i; k = parent[at(k)]) {
          mark[at(k)] = i;
          if (k >= p_.nv && method_ == EliminationMethod::divide_and_conquer) break;
          if (parent[at(k)] < 0) parent[at(k)] = i;
          rows[at(i)].push_back(k);
        }
      std::sort(rows[at(i)].begin(), rows[at(i)].end());
      for (const int k : rows[at(i)]) columns[at(k)].push_back(i);
    }
    flatten(columns, plan_.column_start, plan_.column_row);
    flatten(rows, plan_.row_start, plan_.row_column);
    std::vector<int> next = plan_.column_start;
    for (const int k : plan_.row_column) plan_.row_slot.push_back(next[at(k)]++);
  }

  void add_fronts() {
    if (body_order_.empty()) return;
    add_front(0, static_cast<int>(body_order_.size()));
  }

  // Bodies first .. last - 1 of the order; returns the number of the front.
  int add_front(int first, int last) {
    runtime::Front front{-1, -1, 0, 0, 0, 0, 0, 0, 0};
    std::vector<int> touched;  // rows by number
    if (last - first == 1) {
      touched = rows_of_body_[at(body_order_[at(first)])];
      front.first_column = columns_[at(first)].first;
      front.columns = columns_[at(first)].second;
    } else {
      const int middle = (first + last) / 2;
      front.left = add_front(first, middle);
      front.right = add_front(middle, last);
      std::set<int> both;
      for (const int child : {front.left, front.right})
        both.insert(handed_over_[at(child)].begin(), handed_over_[at(child)].end());
      touched.assign(both.begin(), both.end());
    }
    const auto inside = [&](int row) {
      return reach_[at(row)].first >= first && reach_[at(row)].second < last;
    };
    std::stable_partition(touched.begin(), touched.end(), inside);
    front.rows = static_cast<int>(plan_.front_rows.size());
    front.size = static_cast<int>(touched.size());
    front.eliminated = static_cast<int>(std::count_if(touched.begin(), touched.end(), inside));
    plan_.front_rows.insert(plan_.front_rows.end(), touched.begin(), touched.end());

    front.map = static_cast<int>(plan_.front_map.size());
    const auto local = [&](int row) {
      return static_cast<int>(std::find(touched.begin(), touched.end(), row) - touched.begin());
    };
    if (front.left >= 0) {
      for (const int child : {front.left, front.right})
        for (const int row : handed_over_[at(child)]) plan_.front_map.push_back(local(row));
    } else {
      for (int j = front.first_column; j < front.first_column + front.columns; ++j)
        for (int s = plan_.column_start[at(j)]; s < plan_.column_start[at(j + 1)]; ++s)
          if (const int place = plan_.column_row[at(s)]; place >= p_.nv)
            plan_.front_map.push_back(local(place - p_.nv));
    }
    front.matrix = plan_.front_memory;
    plan_.front_memory += front.size * front.size;
    plan_.fronts.push_back(front);
    handed_over_.emplace_back(touched.begin() + front.eliminated, touched.end());
    return static_cast<int>(plan_.fronts.size()) - 1;
  }

  const EliminationProblem& p_;
  EliminationMethod method_;
  EliminationPlan plan_;
  std::vector<std::vector<int>> rows_of_body_;
  std::vector<int> body_order_;
  std::vector<std::pair<int, int>> columns_;  // by number in the order: first place, count
  std::vector<std::pair<int, int>> reach_;    // by row: first and last body, by number in the order
  std::vector<std::vector<int>> handed_over_;  // by front
};

}  // namespace

std::vector<int> find_elimination_order(int size, const Pattern& symmetric) {
  std::vector<std::set<int>> neighbours(at(size));
  for (std::size_t k = 0; k < symmetric.row.size(); ++k)
    if (const int i = symmetric.row[k], j = symmetric.column[k]; i != j) {
      neighbours[at(i)].insert(j);
      neighbours[at(j)].insert(i);
    }
  // Of equal degrees the one that waits for the fewest before it: a band is eliminated from both
  // ends at once, and what follows from what is half as long.
  std::vector<int> depth(at(size), 0);
  const auto rank = [&](int row) {
    return std::tuple(neighbours[at(row)].size(), depth[at(row)], -row);
  };
  std::set<std::tuple<std::size_t, int, int>> queue;
  for (int i = 0; i < size; ++i) queue.insert(rank(i));
  std::vector<int> order;
  while (!queue.empty()) {
    const int row = -std::get<2>(*queue.begin());
    queue.erase(queue.begin());
    order.push_back(row);
    const std::set<int> around = neighbours[at(row)];
    for (const int i : around) {
      queue.erase(rank(i));
      depth[at(i)] = std::max(depth[at(i)], depth[at(row)] + 1);
      neighbours[at(i)].erase(row);
      for (const int j : around)
        if (j != i) neighbours[at(i)].insert(j);
      queue.insert(rank(i));
    }
  }
  return order;
}

EliminationPlan make_elimination(const EliminationProblem& problem, EliminationMethod method) {
  return Planner(problem, method).make();
}

runtime::EliminationTables EliminationPlan::view() const {
  return {place.data(),        column_start.data(),
          column_row.data(),   row_start.data(),
          row_column.data(),   row_slot.data(),
          entry_start.data(),  entry_column.data(),
          entry_source.data(), static_cast<int>(fronts.size()),
          fronts.data(),       front_rows.data(),
          front_map.data(),    front_memory};
}

}  // namespace mechfmu
