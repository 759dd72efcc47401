// A table of points as a piecewise polynomial: straight lines, or the cubics of Akima (1970), whose
// slope is continuous and which do not swing beyond the points as splines do.
#pragma once
#include <vector>

#include "system/table.hpp"

namespace mechfmu {

struct TableFunction {
  std::vector<double> x;
  std::vector<double> coefficients;
  runtime::Extrapolation extrapolation = runtime::Extrapolation::linear;
  int degree = 3;  // derivatives above it vanish

  [[nodiscard]] runtime::Table view() const {
    return {static_cast<int>(x.size()), x.data(), coefficients.data(), extrapolation};
  }
};

enum class TableInterpolation { linear, akima };

// At least two points, x ascending; periodic ones end with the y they begin with.
TableFunction make_table(const std::vector<double>& x, const std::vector<double>& y,
                         TableInterpolation interpolation, runtime::Extrapolation extrapolation);

}  // namespace mechfmu
