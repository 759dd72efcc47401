// The first-order scheme of document 000: the predictor alone, see taylor_step.hpp. Position errors
// end in one step where constraints are linear.
#include "schemes/taylor_step.hpp"

namespace mechfmu::runtime {
namespace {

bool step(StepContext& context, double t, double h, double* q, double* v) {
  return taylor_step(context, TaylorOrder::first, t, h, q, v);
}

}  // namespace

const Scheme scheme_taylor1 = {.id = "taylor1", .step = step};

}  // namespace mechfmu::runtime
