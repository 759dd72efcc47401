#include "platform/elementary.hpp"

namespace mechfmu::runtime {

double calc_sine(double x) { return sine(x); }
double calc_cosine(double x) { return cosine(x); }

}  // namespace mechfmu::runtime
