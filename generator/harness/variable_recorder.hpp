// Values of a list of variables of one instance: one FMI call per type, given as fields of a CSV
// line or as numbers.
#pragma once
#include <string>
#include <vector>

#include "harness/fmu_instance.hpp"
#include "harness/model_description.hpp"

namespace mechfmu {

class VariableRecorder {
 public:
  // `variables` must outlive the recorder.
  explicit VariableRecorder(const std::vector<const FmuVariable*>& variables);

  fmi2Status read(FmuInstance& instance);

  // The first variable that is no finite number; nullptr if all are.
  [[nodiscard]] const FmuVariable* find_not_finite() const;

  // In the order of the variables; texts are left out. Appends.
  void take_numbers(std::vector<double>& numbers) const;

  // ",1.5,0,text"
  void append_fields(std::string& text) const;

 private:
  FmuInstance::References& references(FmuVariable::Type type);

  const std::vector<const FmuVariable*>& variables_;
  FmuInstance::References real_references_, integer_references_, boolean_references_,
      string_references_;
  std::vector<double> reals_;
  std::vector<int> integers_, booleans_;
  std::vector<std::string> strings_;
};

}  // namespace mechfmu
