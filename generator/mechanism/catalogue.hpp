// What can be written in a mechanism file, as data. The reader, the XSD, the list commands, the
// documentation and the contract tests are all made from these tables; the tables themselves are
// the .def files in formulation/ and below.
#pragma once
#include <span>
#include <string_view>
#include <vector>

namespace mechfmu {

enum class AttributeKind {
  scalar,      // one number or expression over parameters
  signal,      // one expression over parameters, inputs, time and position/velocity sensors
  vector,      // three components
  signals,     // three components, each a signal
  inertia,     // three or six components
  axis,        // three components, not all zero
  frame,       // body | body.frame | ground | ground.frame
  joint,       // the name of a joint
  choice,      // one of a fixed list of words
  boolean,     // true | false
  identifier,  // a name that the element introduces
  text,        // free text
  words,       // words separated by blanks
  unit,        // a unit of measurement
  constant,    // one number, no names
  numbers,     // any number of plain numbers
  coordinate,  // the name of a coordinate of <equations>
};

struct Attribute {
  std::string_view name;
  AttributeKind kind;
  std::string_view
      unit;  // SI unit in FMI spelling ("N.m/rad"); "" = none for vectors, any for one number
             // (parameters; friction, whose unit depends on the joint), "1" = none
  std::string_view
      fallback;  // text used when the attribute is absent; kRequired / kOptional are special
  std::string_view
      choices;  // "world|body" for AttributeKind::choice; "@joints" etc. = the ids of that table
  std::string_view help;
};
inline constexpr std::string_view kRequired = "\x01required";
inline constexpr std::string_view kOptional =
    "\x01optional";  // absent: the argument is not there at all

// A free motion of a joint as the user names it: revolute has {position, velocity}, cylindrical
// {angle, angle_velocity} and {translation, translation_velocity}, universal angle[1], angle[2].
struct Coordinate {
  std::string_view name;
  std::string_view rate_name;
  std::string_view unit;       // "rad" or "m"
  std::string_view rate_unit;  // "rad/s" or "m/s"
};

// What a joint exerts on its child; `effort`: on the two motions that it couples.
enum class Reaction { both, force, torque, effort };

struct JointType {
  std::string_view id;
  std::string_view title;
  int freedom;      // degrees of freedom it leaves between two spatial bodies
  bool holds_tree;  // can carry a body in the spanning tree (has a parametrisation), else
                    // constraint only
  Reaction reaction;
  std::vector<Attribute> attributes;    // beyond name, type, parent, child
  std::vector<Coordinate> coordinates;  // scalar ones; spherical and free use start_vectors instead
  std::vector<Attribute> start_vectors;  // spherical/free: rpy, xyz, angular_velocity, velocity
  [[nodiscard]] bool connects_frames() const;  // has the attributes parent and child
};

struct ForceType {
  std::string_view id;
  std::string_view title;
  std::vector<Attribute> attributes;
};

struct SolidType {  // child elements of <body> that carry mass
  std::string_view id;
  std::string_view title;
  std::vector<Attribute> attributes;
};

// How a constraint scheme can be tuned: an FMU parameter scheme.NAME each.
struct SchemeParameter {
  enum class Kind { real, integer, choice };
  std::string_view name;
  Kind kind;
  std::string_view unit;      // real ones
  double fallback, min, max;  // a choice: 1-based number of the word
  std::string_view choices;   // "mass|euclidean"
  std::string_view help;
};

// What a scheme can do.
struct SchemeTraits {
  enum class Steps { integrator, own };  // own: it steps itself, the integrator is ignored
  enum class Rows {
    any,
    velocities,
    positions
  };                                   // constraints it can hold: all, none on
                                       // accelerations, holonomic ones only
  enum class Contact { rigid, soft };  // soft: rows give way, redundant ones need no pivots
  Steps steps = Steps::integrator;
  Rows rows = Rows::any;
  Contact contact = Contact::rigid;
};

struct SchemeType {
  std::string_view id;
  std::string_view title;
  std::string_view equations;
  SchemeTraits traits;
  std::vector<SchemeParameter> parameters;
  [[nodiscard]] bool steps_itself() const { return traits.steps == SchemeTraits::Steps::own; }
};

struct IntegratorType {
  std::string_view id;
  std::string_view title;
  int order;
  int stages;  // 0: as many as it takes
  [[nodiscard]] bool is_adaptive() const;
  [[nodiscard]] bool has_corrections() const;    // P(EC)^m
  [[nodiscard]] bool needs_derivatives() const;  // of the equations of motion, as a kernel
};

struct SolverType {
  std::string_view id;
  std::string_view title;
};

const std::vector<SchemeType>& scheme_types();          // the first one is the default
const std::vector<IntegratorType>& integrator_types();  // the first one is the default
const std::vector<SolverType>& solver_types();          // the first one is the default
inline constexpr std::string_view kCoordinateChoices = "auto|joint|absolute|absolute_spatial";

const SchemeType* find_scheme_type(std::string_view id);  // nullptr if unknown
const IntegratorType* find_integrator_type(std::string_view id);
const SolverType* find_solver_type(std::string_view id);

const std::vector<JointType>& joint_types();
const std::vector<ForceType>& force_types();
const std::vector<SolidType>& solid_types();

// The words of AttributeKind::choice: those of `choices`, or the ids of the table it names (@joints
// @forces @schemes
// @integrators @solvers @coordinates).
std::vector<std::string_view> choice_words(std::string_view choices);

const JointType* find_joint_type(std::string_view id);  // nullptr if unknown
const ForceType* find_force_type(std::string_view id);
const SolidType* find_solid_type(std::string_view id);

}  // namespace mechfmu
