// Divide and conquer over a binary tree of bodies (document 004, sections 3 and 4): two parts of a
// mechanism are joined into one whose inner joints are gone (assembly, equations 27 to 32), until
// one part is left; then the multipliers of the joints are found on the way back (disassembly, 21
// and 23).
//
// The document joins parts by the accelerations of their end bodies and eliminates
// M + alpha J^T J; its leaves are pairs of bodies. Here parts are joined by the multipliers of the
// joints that cross their border, as in Featherstone's original: a leaf is one body with
// J_b M_b^-1 J_b^T, joining is addition, and a row whose bodies are all inside is eliminated from
// S + 1/alpha. The two are the same elimination seen from either side of [M J^T; J -1/alpha], but
// this one needs no pairs (odd counts and single bodies are nothing special), does not square the
// condition with alpha, and holds for coupled loops: a part may have any number of joints on its
// border.
//
// Work is in proportion to the bodies as long as borders are short: chains, loops, ladders. A body
// with very many joints makes one large leaf.
#pragma once
#include "system/model.hpp"

namespace mechfmu::runtime {

// S + diag(compliance) from L and D of the accelerations; `fronts` [front_memory] receives the
// factors. False: a weak pivot.
bool factor_tree(const EliminationTables& tables, int nv, const double* lower, const double* pivot,
                 const double* schur_diagonal, const double* compliance, double* fronts);

// x := (S + C)^-1 x, rows by place.
void solve_tree(const EliminationTables& tables, const double* fronts, double* x);

// One node of these at a time: a node needs its children before it, on the way back its parent, and
// nothing else. So parts of the tree can be worked on at the same time (see tests/bench).
bool factor_front(const EliminationTables& tables, int front, int nv, const double* lower,
                  const double* pivot, const double* schur_diagonal, const double* compliance,
                  double* fronts);
void reduce_front(const EliminationTables& tables, int front, const double* fronts, double* x);
void expand_front(const EliminationTables& tables, int front, const double* fronts, double* x);

}  // namespace mechfmu::runtime
