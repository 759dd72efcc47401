// Functions of measured motions: residuals by expression, couplings of joints, drives, potentials.
//
// As with frame_function.hpp a function is written in generic symbols, here one signal per motion
// with its rate and acceleration; derivatives are taken there and the motions' own expressions put
// in afterwards.
//
//     f(s, t, r)        f_dot = df/ds s_dot + df/dt + df/dr r_dot        r: inputs as references
//
// A unit force in f pushes along motion k with df/ds_k.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "formulation/formulated.hpp"
#include "validation/sensors.hpp"

namespace mechfmu {

class SignalScope {
 public:
  SignalScope(Formulated& system, const Mechanism& mechanism)
      : system_(system), mechanism_(mechanism), g_(*system.graph) {}

  // The signal of a motion, and its rate.
  int add(Port port);
  Expr value(int signal) const { return g_.symbol(kGenericSignal, 3 * signal); }
  Expr rate(int signal) const { return g_.symbol(kGenericSignal, 3 * signal + 1); }

  // A user's expression over parameters, time, inputs (as references: they are noted in the system)
  // and sensors of position and velocity, or coordinates of <equations> and their rates.
  Expr resolve(const Expression& expression);

  // The function as a row: a residual of positions or of velocities.
  ConstraintRow derive(Expr function, runtime::RowLevel level);

 private:
  std::vector<Expr> meaning(const std::string& name);
  Expr coordinate(int index, bool rate);
  Expr sensor_signal(const std::string& owner, const Sensor& sensor, int component);
  int find_or_add(const std::string& key, const std::function<Port()>& make);

  Formulated& system_;
  const Mechanism& mechanism_;
  Graph& g_;
  std::vector<Port> ports_;
  std::map<std::string, int> known_;
};

// Motions as ports.
Port joint_port(const Formulated& system, int joint, std::size_t coordinate);
// A function of generic_frames() between the world and a frame.
Port frame_port(const Formulated& system, const Mechanism& mechanism, const FrameReference& frame,
                Expr function);
Effort frames_effort(const FormulatedJoint& joint, const FrameFunctionValue& function);

}  // namespace mechfmu
