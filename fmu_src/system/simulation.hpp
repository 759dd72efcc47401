// One simulated mechanism: values, state, assembly, stepping, outputs. The FMI layer owns nothing of the physics and
// talks only to this class; so do the tests, with an interpreted Model.
//
// Memory is one block, allocated by the owner before construction; nothing is allocated afterwards. The part that is
// the state (values, q, v, time, history, statistics) is trivially copyable and contiguous: saving is a memcpy.
#pragma once
#include <cstddef>

#include "system/model.hpp"

namespace mechfmu::runtime {

class Simulation {
 public:
  static std::size_t bytes(const Model& model);  // size of `memory`, aligned to 16

  Simulation(const Model& model, void* memory);

  // Everything back to the start values of the model description, time 0, not initialized.
  void reset();

  // Value array by value reference. Whoever writes a value calls mark_changed() afterwards.
  [[nodiscard]] double* values();
  [[nodiscard]] const double* values() const;
  void mark_changed(VariableKind kind);

  // Consistent positions and velocities at time t for the present parameters, starts and inputs.
  // False: could not assemble; failure() says why and names the joint. Values and time are kept.
  bool initialize(double t);

  // From the present time to t + h, where t is the host's idea of the present time; ends exactly on t + h.
  // False: state restored as at the call, failure() says why.
  bool advance(double t, double h);

  // Recomputes the computed values (all of them: `with_accelerations`) if anything changed since the last time.
  // False: the accelerations could not be found; failure() says why, values keep their last content.
  bool update_outputs(bool with_accelerations);

  [[nodiscard]] double time() const;
  [[nodiscard]] const char* failure() const;   // last reason, ASCII, never null
  [[nodiscard]] const char* take_notice();     // a warning to log once, or nullptr

  [[nodiscard]] std::size_t state_bytes() const;
  void save(void* to) const;
  void restore(const void* from);

  [[nodiscard]] const Model& model() const { return model_; }

 private:
  friend struct SimulationAccess;
  const Model& model_;
  void* memory_;
};

}  // namespace mechfmu::runtime
