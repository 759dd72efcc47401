// Which variables the FMU has, in which order, and what each computes.
#pragma once
#include "formulation/formulated.hpp"
#include "formulation/system_kernels.hpp"
#include "formulation/system_model.hpp"

namespace mechfmu {

struct ResolvedScheme {
  const SchemeType* type = nullptr;
  std::vector<double> parameters;  // in the order of the table
};

struct ResolvedChoices {
  std::vector<ResolvedScheme> schemes;             // the first one is in use until a host chooses
  std::vector<const IntegratorType*> integrators;  // likewise
  const SolverType* solver = nullptr;
  double step = 1e-3;  // [s]
  double tolerance = 1e-6;
};

VariablePlan make_variable_plan(const Formulated& system, const Mechanism& mechanism,
                                const ResolvedChoices& choices, const std::string& expose);

}  // namespace mechfmu
