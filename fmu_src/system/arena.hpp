#pragma once
#include <cstddef>

namespace mechfmu::runtime {

// Hands out parts of one block of memory. With a null block it only counts.
class Arena {
 public:
  explicit Arena(void* block) : base_(static_cast<double*>(block)) {}
  double* take(int count) {
    double* part = base_ ? base_ + used_ : nullptr;
    used_ += static_cast<std::size_t>(count);
    return part;
  }
  [[nodiscard]] std::size_t used() const { return used_; }  // in doubles

 private:
  double* base_;
  std::size_t used_ = 0;
};

}  // namespace mechfmu::runtime
