// What outputs and states at the start depend on, of all parameters, starts and inputs. The
// equations of the assembly couple everything that is connected; which of these couplings are real
// is seen from the derivatives through the assembly (exact ones, by the tangent kernels) at the
// nominal values and at random ones near by: a derivative that is zero at all of them is none.
#pragma once
#include <memory>

#include "formulation/system_kernels.hpp"

namespace mechfmu {

void refine_initial_dependencies(const Formulated& system, const VariablePlan& plan,
                                 const std::shared_ptr<const SystemKernels>& kernels,
                                 const Experiment& experiment, Interface& interface);

}  // namespace mechfmu
