// The path of a problem's marker, tight: what all errors are measured against. Computed without
// anything of mechfmu, kept in references/NAME.csv.
#pragma once
#include <string>
#include <vector>

#include "problems/problem.hpp"

namespace mechfmu::bench {

struct Reference {
  std::string method;
  std::vector<Vector3d> path;  // [samples + 1] of the marker [m]
  double error = 0;            // [m] largest difference to a run with twice the step
};

Reference compute_reference(const Problem& problem);
// By Newton-Euler equations in space even where something better is at hand: for checks.
Reference compute_general_reference(const Problem& problem);

std::string reference_path(const Problem& problem);
std::string reference_text(const Problem& problem, const Reference& reference);
std::vector<Vector3d> read_reference(const Problem& problem);  // throws std::runtime_error

double largest_distance(const std::vector<Vector3d>& a, const std::vector<Vector3d>& b);

}  // namespace mechfmu::bench
