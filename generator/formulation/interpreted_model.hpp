// A runtime::Model whose kernels are interpreted: the generator's analysis and the tests run the
// very same runtime as an FMU does, without a compiler.
#pragma once
#include <memory>
#include <vector>

#include "formulation/system_kernels.hpp"

namespace mechfmu {

class InterpretedModel {
 public:
  explicit InterpretedModel(std::shared_ptr<const SystemKernels> kernels);
  InterpretedModel(const InterpretedModel&) = delete;
  InterpretedModel& operator=(const InterpretedModel&) = delete;
  ~InterpretedModel();

  [[nodiscard]] const runtime::Model& model() const;

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace mechfmu
