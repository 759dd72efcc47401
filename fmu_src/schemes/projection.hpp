// Projection onto the constraints, for the scheme of this name and for others that end a step with
// it.
#pragma once
#include "schemes/scheme.hpp"

namespace mechfmu::runtime {

struct ProjectionSettings {
  bool mass_norm;
  double tolerance;
  int iterations;
  // whether displacements obey the nonholonomic rows, where that leaves a way back
  bool obeys_velocity_rows = true;
};

bool project_positions(StepContext& context, const ProjectionSettings& settings, double t,
                       double* q, const double* v);
// At the q of the last project_positions(), whose factor is used again.
bool project_velocities(StepContext& context, const ProjectionSettings& settings, double t,
                        const double* q, double* v);

// What the schemes projection and velocity_projection end a step with. Their first parameters are
// the same: norm, tolerance, iterations.
bool complete_with_projection(StepContext& context, double t, double* q, double* v);

}  // namespace mechfmu::runtime
