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

// Accelerations of states off the constraints grow like 1/distance near a pose where rank is lost.
// Steps of a given length pass over it; one that follows an error estimate would be shortened again
// and again, or led onto another branch. So near such poses the stages of adaptive steps are
// projected, too. The first stage is the state itself. Counts the stages of a step.
bool is_stage_near_singular_pose(StepContext& context);

// Near such poses the estimate is nearly all in directions that the projection takes out, and steps
// that follow it would end nearer and nearer to the pose, where rounding decides on the branch.
// What counts is what the constraints leave free. Nearer to the pose than the error itself there is
// no telling: such a step is tried again with half the length or so. A Scheme::reduce_error.
void leave_free_part(StepContext& context, double t, const double* q, const double* v, double size,
                     double* dq, double* dv);

// What the schemes projection and velocity_projection end a step with. Their first parameters are
// the same: norm, tolerance, iterations.
bool complete_with_projection(StepContext& context, double t, double* q, double* v);

}  // namespace mechfmu::runtime
