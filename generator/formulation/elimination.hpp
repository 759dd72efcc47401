// The order and the pattern in which [M J^T; J -C] is eliminated at run time, for the solvers
// `sparse` and `divide_and_conquer`: tables for runtime::EliminationTables. Only where entries are
// matters here, not what they are.
#pragma once
#include <vector>

#include "system/model.hpp"

namespace mechfmu {

struct Pattern {
  std::vector<int> row, column;
};

struct EliminationPlan {
  std::vector<int> place;
  std::vector<int> column_start, column_row;
  std::vector<int> row_start, row_column, row_slot;
  std::vector<int> entry_start, entry_column, entry_source;
  std::vector<runtime::Front> fronts;
  std::vector<int> front_rows, front_map;
  int front_memory = 0;

  [[nodiscard]] runtime::EliminationTables view() const;
};

enum class EliminationMethod { sparse, divide_and_conquer };

struct EliminationProblem {
  int nv = 0, nc = 0;
  const Pattern& mass;                       // lower triangle
  const Pattern& jacobian;                   // nc x nv, sorted by rows
  int mass_source = 0, jacobian_source = 0;  // where their entries begin in the workspace
  const std::vector<int>& body;  // [nv] velocities of one body share a number; M does not couple
                                 // bodies
};

EliminationPlan make_elimination(const EliminationProblem& problem, EliminationMethod method);

// Fewest neighbours first; neighbours of an eliminated row become neighbours of each other. Ties:
// the later row, which in a tree is the outer one. order[k] = row eliminated k-th.
std::vector<int> find_elimination_order(int size, const Pattern& symmetric);

}  // namespace mechfmu
