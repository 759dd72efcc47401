// A linear system for people and for programs.
#pragma once
#include <string>

#include "analysis/linearize.hpp"
#include "support/json_writer.hpp"

namespace mechfmu {

// How coordinates and outputs move in a mode; the largest coordinate is 1.
struct ModeShape {
  Eigen::VectorXcd coordinates, outputs;
};

ModeShape make_shape(const LinearModel& model, const Pole& pole);

std::string make_linear_text(const LinearModel& model);

// As members of an open object.
void write_linear(JsonWriter& json, const LinearModel& model);
// "poles", "stability"
void write_poles(JsonWriter& json, const LinearModel& model);

// A script that defines A, B, C, D, the names, units and values of states, inputs and outputs:
// MATLAB and Octave.
std::string make_matlab_script(const LinearModel& model);
// [A B; C D] with names: the first row names the columns, the first column the rows.
std::string make_matrix_csv(const LinearModel& model);
std::string make_linear_json(const LinearModel& model);  // the file

std::string pole_text(const Pole& pole);             // "-0.5 +- 3.1i"
std::string short_number(double value);              // 6 digits, no "-0"
std::string_view word(Stability stability);          // "stable"
std::string stability_sentence(const Poles& poles);  // "unstable: 1 pole with a positive real part"

}  // namespace mechfmu
