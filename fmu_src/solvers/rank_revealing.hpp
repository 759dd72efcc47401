// Positive semi-definite systems S x = g of unknown rank: Cholesky with diagonal pivoting.
//
// S is scaled to a unit diagonal first, so that rows in metres and rows in radians are judged
// alike. Factorisation stops when the largest remaining pivot falls below `cutoff` or the rank
// known from the analysis is reached: off the constraint manifold redundant rows look slightly
// independent, and treating them so would lock the mechanism (document 004, section 4.4; facts of
// its errata).
#pragma once

namespace mechfmu::runtime {

// On J M^-1 J^T, a square of lengths: 1e-6 costs five digits on the N-four-bar.
inline constexpr double kRankCutoff = 1e-10;

struct PivotedFactor {
  int size = 0;
  int rank = 0;
  double* matrix = nullptr;  // [size * size] row major, overwritten by the factor in pivot order
  double* scale = nullptr;   // [size] sqrt of the diagonal
  double* order = nullptr;   // [size] order[k] = row that was k-th pivot

  // The smallest of the pivots of S in units of its rows, 0 if there are fewer than there should
  // be.
  [[nodiscard]] double last_pivot(int full_rank, const double* unit) const;
};

// `matrix` holds S (both triangles) and is overwritten. The largest pivots come first, or those of
// an earlier factorisation in its order, if `held` [size] is given and they are not much smaller.
// Rows are scaled by their diagonal, or by `unit` [size] for it.
void factor_pivoted(PivotedFactor& factor, int size, int largest_rank, double cutoff,
                    double* matrix, double* scale, double* order, const double* held = nullptr,
                    const double* unit = nullptr);

// Replaces g by the nearest right-hand side (in scaled rows) that S of this rank can reach: rows
// that contradict each other are met in the least-squares sense, whichever of them were pivots.
// `work` [size * size].
void reach_nearest(const PivotedFactor& factor, double* g, double* work);

// x with (S x)_i = g_i for the pivot rows and zero elsewhere. `work` [size].
void solve_basic(const PivotedFactor& factor, const double* g, double* x, double* work);

// Takes the part of x that S maps to zero out of it: the solution of minimum norm. `work` [size *
// size].
void remove_null_part(const PivotedFactor& factor, double* x, double* work);

}  // namespace mechfmu::runtime
