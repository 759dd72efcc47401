// The law of a force type, one file in forces/ each: reads its arguments, adds forces on frames or
// along joint coordinates, and the energy it stores.
#pragma once
#include <string_view>

#include "formulation/formulated.hpp"

namespace mechfmu {

class ForceContext {
 public:
  ForceContext(Formulated& system, const Mechanism& mechanism, const Force& force,
               const NameMeaning& signals);

  [[nodiscard]] Graph& graph() const { return *system_.graph; }
  [[nodiscard]] Expr scalar(std::string_view name) const;  // also a signal
  [[nodiscard]] Vec3 vector(std::string_view name) const;  // also signals
  [[nodiscard]] std::string_view choice(std::string_view name) const;
  [[nodiscard]] FrameMotion frame(std::string_view name) const;
  // named by the attributes joint and coordinate
  [[nodiscard]] const JointCoordinate& coordinate() const;

  // Positive along the world axes, on the body of the frame that the argument names, at its origin.
  void push(std::string_view frame, const Vec3& force_W);
  void turn(std::string_view frame, const Vec3& torque_W);
  // A generalised force along the joint coordinate: on the child, reaction on the parent.
  void drive(Expr value);
  // Functions of generic_frames() between the frames `from` (the parent) and `to`, and a
  // generalised force along one of them.
  [[nodiscard]] std::vector<FrameFunctionValue> measure(const std::vector<Expr>& functions) const;
  void push_along(const FrameFunctionValue& function, Expr force);
  // The forces of a potential, an expression over positions, which is stored as energy.
  void act_by_potential(std::string_view name);
  [[nodiscard]] bool has(std::string_view name) const {
    return force_.arguments.find(name) != nullptr;
  }
  void store_energy(Expr potential);

 private:
  [[nodiscard]] std::size_t coordinate_index() const;
  [[nodiscard]] FrameAction act_on(std::string_view frame, const Vec3& force_W,
                                   const Vec3& torque) const;
  Formulated& system_;
  const Mechanism& mechanism_;
  const Force& force_;
  const NameMeaning& signals_;
};

struct ForceLaw {
  std::string_view id;
  void (*apply)(ForceContext& context);
};

const ForceLaw& find_force_law(std::string_view id);  // asserts that the row has a file

}  // namespace mechfmu
