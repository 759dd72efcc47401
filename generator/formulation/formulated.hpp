// A mechanism as equations in the graph, before anything is compiled: coordinates, mass matrix,
// forces, constraints, joint coordinates and reactions. One struct for all formulations; what
// differs is only on which motions the bodies hang and which joints are constraints.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "formulation/dynamics.hpp"
#include "formulation/effort.hpp"
#include "formulation/frame_function.hpp"
#include "formulation/joint_physics.hpp"
#include "formulation/symbols.hpp"
#include "formulation/tree_model.hpp"
#include "mechanism/mechanism.hpp"
#include "topology/spanning_tree.hpp"

namespace mechfmu {

enum class FormulationKind { joint, absolute_planar, absolute_spatial, equations, controller };

// One scalar motion of a joint, whichever way it is represented.
struct JointCoordinate {
  const Coordinate* row = nullptr;  // of joints.def
  Expr value, rate, acceleration;
  bool turns = false;  // an angle
  int velocity = -1;   // its rate is `gain` times this entry of v; -1: measured between two frames
  Expr gain;
  int memory = -1;  // measured angles: where their turn count is remembered
  std::array<Wrench, 2>
      wrench;    // measured ones: what a unit force in it exerts on parent and child frame
  Expr applied;  // sum of joint forces along it
};

// Whose row it is.
struct RowOwner {
  enum class Kind { joint, drive, constraint };
  Kind kind = Kind::joint;
  int index = -1;
};

struct ConstraintRow {
  RowOwner owner;
  runtime::RowLevel level = runtime::RowLevel::position;
  Expr value;               // phi; 0 unless it is a position row
  Expr rate;                // phi_dot or psi; its derivative by v is the row of J
  Expr acceleration;        // zero where the row holds, with the symbols of dv/dt
  Effort effort;            // what a unit multiplier pulls at, with the opposite sign
  std::vector<Expr> gains;  // its derivative by each signal, where it is a function of signals
};

struct FormulatedJoint {
  bool in_tree = false;
  FrameMotion parent, child;  // joint frames (child turned onto the parent's axis)
  int parent_node = -1, child_node = -1;
  Pose parent_in_node, child_in_node;
  std::vector<JointCoordinate> coordinates;
  std::vector<int> motion_nodes;  // in_tree: nodes of its motions
  bool reversed = false;
  int equations = 0;                 // rows its type has
  std::vector<int> rows;             // of them, those that are in the system
  std::vector<Expr> coupling_gains;  // gears and couplers: derivative of the row by each motion
  std::vector<Vec3>
      reaction;  // {force, torque} on the child, at the child frame's origin, in parent axes
};

struct StartValue {  // a number of a <start>, a parameter of the FMU
  std::string name;  // "start.A.position"
  std::string unit;
  double value = 0;
  std::string description;
};

struct StartRow {
  std::string name;  // "A.position"
  bool velocity = false;
  bool fixed = false;
  Expr error;  // coordinate (or rate) less the start value
  Expr rate;   // whose derivative by v is the row
};

struct Formulated {
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  FormulationKind kind = FormulationKind::joint;
  int nq = 0, nv = 0;

  std::vector<Expr> parameter_symbols;      // independent parameters
  std::vector<int> independent_parameters;  // their indices in the mechanism
  std::vector<Expr> parameter_values;  // of every parameter: a symbol or an expression of symbols
  std::vector<Expr> input_symbols;
  std::set<int> followed_inputs;      // those that constraints read as references
  std::map<std::string, int> tables;  // by name, in the graph

  std::unique_ptr<TreeModel> tree;
  std::vector<int> body_node;   // -1: fixed in the world
  std::vector<Pose> body_pose;  // of the body's origin frame in its node
  std::vector<MassProperties> node_mass;
  std::vector<Load> loads;  // applied forces
  Vec3 gravity;

  std::vector<int> position_of_velocity;         // see runtime::Model
  std::vector<std::pair<int, int>> quaternions;  // (q, v)
  std::vector<std::string> coordinate_names;     // [nv] "A.position", for messages

  std::vector<FormulatedJoint> joints;
  std::vector<int> drive_row, constraint_row;  // of each <drive>, <holonomic> and <nonholonomic>
  std::vector<ConstraintRow>
      rows;  // sorted so that groups of loops that do not couple are contiguous
  std::vector<RowOwner> immovable;                // prescribed, but nothing can move it
  std::vector<std::pair<RowOwner, Expr>> checks;  // residuals that no motion changes

  std::vector<SparseEntry> mass;  // lower triangle
  // Long chains have too many entries: none are made then, and M a stands for them.
  bool has_mass_entries = true;
  std::vector<Expr> mass_times_acceleration;  // [nv] without entries
  std::vector<Expr> force;                    // [nv] right-hand side of M a + J^T lambda = force
  std::vector<SparseEntry> jacobian;          // rows x nv
  std::vector<Expr> gamma;
  std::vector<int>
      component;  // [nv] coordinates that influence each other's accelerations share one
  std::vector<int> row_component;  // [rows]

  Expr kinetic_energy, potential_energy;  // of <equations>: the latter unset without <energy>

  std::vector<StartValue> start_values;
  std::vector<StartRow> start_rows;
  std::vector<Expr> guess;   // [nq] in start symbols
  std::vector<Expr> memory;  // [n_memory] updated turn counts
  std::vector<Expr> memory_guess;
  // Of a controller: memory holds its discrete states, then what is held between samples: the
  // outputs of all blocks in their order, then those of the controller.
  int discrete_states = 0;

  // Body frames by reference; the world for kGround.
  [[nodiscard]] FrameMotion frame(const Mechanism& mechanism, int body, int frame) const;
  [[nodiscard]] Pose frame_in_node(const Mechanism& mechanism, int body, int frame) const;
  [[nodiscard]] NameMeaning parameters_only(const Mechanism& mechanism) const;
  // and time and inputs as they are
  [[nodiscard]] NameMeaning signals_of_time(const Mechanism& mechanism) const;
  [[nodiscard]] int node_of(int body) const {
    return body == kGround ? -1 : body_node[static_cast<std::size_t>(body)];
  }
};

// Value of an expression of parameters at their nominal values.
double nominal_value(const Formulated& system, const Mechanism& mechanism, Expr expression);

// Fills parameters, inputs and gravity: what every later step needs first.
void add_parameters(Formulated& system, const Mechanism& mechanism);

// With `entries` the mass matrix has its entries, however many.
std::unique_ptr<Formulated> formulate(const Mechanism& mechanism, const SpanningTree& tree,
                                      FormulationKind kind, bool entries = false);
std::unique_ptr<Formulated> formulate_equations(const Mechanism& mechanism);
std::unique_ptr<Formulated> formulate_controller(const Mechanism& mechanism);

// What both end with: rows sorted by what they couple to, Jacobian and velocity terms.
void finish_rows(Formulated& system);

const std::string& owner_name(const Mechanism& mechanism, const RowOwner& owner);
std::string owner_label(const Mechanism& mechanism, const RowOwner& owner);  // "joint 'D'"

}  // namespace mechfmu
