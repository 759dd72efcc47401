// System -> C++ text: kernels.cpp (straight-line code) and tables.cpp (the Model). Deterministic:
// same system, same bytes. Nothing a user wrote appears in it except as escaped string literals in
// tables.
#pragma once
#include <string>
#include <vector>

#include "formulation/system_model.hpp"

namespace mechfmu {

struct SourceFile {
  std::string name;  // "kernels.cpp"
  std::string content;
};

// Kernels are printed once; `guid` is compiled in, pass "" to get the content that the GUID itself
// is hashed from.
class SourceEmitter {
 public:
  explicit SourceEmitter(const SystemModel& system);  // which must stay
  [[nodiscard]] std::vector<SourceFile> emit(const std::string& guid) const;

 private:
  const SystemModel& system_;
  std::vector<SourceFile> kernels_;
  int scratch_ = 0;  // see Model::n_scratch
};
std::vector<SourceFile> emit_sources(const SystemModel& system, const std::string& guid);

}  // namespace mechfmu
