// MuJoCo: minimal coordinates for the tree, loops by soft `connect` constraints, its own rk4 and
// semi-implicit Euler integrators.
//
// Constraints are as stiff as each integrator bears: time constants of half a step to two steps
// (without the rule that asks for two), impedance 0.9999. Chains that are too deep for its own
// format (a body in a body in a body ...) are read as URDF.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>

#include "engines/engine.hpp"
#include "measure/clock.hpp"
#include "problems/start_pose.hpp"

namespace mechfmu::bench {
namespace {

constexpr int kDeepest = 90;  // links that MuJoCo's own format takes in one another

std::string text(const Vector3d& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

std::string inertial(const Body& body) {
  const Matrix3d& i = body.inertia;
  return fmt::format("<inertial pos=\"{}\" mass=\"{}\" fullinertia=\"{} {} {} {} {} {}\"/>",
                     text(body.com), body.mass, i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2),
                     i(1, 2));
}

std::string joint_text(const Joint& joint) {
  const auto line = [&](const std::string& suffix, const char* type, const Vector3d& axis) {
    return fmt::format("<joint name=\"{}{}\" type=\"{}\" pos=\"{}\" axis=\"{}\"/>", joint.name,
                       suffix, type, text(joint.in_child), text(axis));
  };
  switch (joint.kind) {
    case JointKind::revolute:
      return line("", "hinge", joint.axis);
    case JointKind::prismatic:
      return line("", "slide", joint.axis);
    case JointKind::universal:
      return line("", "hinge", joint.axis) + line("_2", "hinge", joint.axis2);
    case JointKind::spherical:
      break;
  }
  return fmt::format("<joint name=\"{}\" type=\"ball\" pos=\"{}\"/>", joint.name,
                     text(joint.in_child));
}

class Writer {
 public:
  explicit Writer(const Problem& problem) : problem_(problem) {}

  std::string mjcf() {
    std::string sites, tendons, equalities;
    for (const Spring& spring : problem_.springs) {
      site_[spring.body_a] += site(spring.name + "_a", spring.point_a);
      site_[spring.body_b] += site(spring.name + "_b", spring.point_b);
      tendons += fmt::format(
          "<spatial stiffness=\"{}\" springlength=\"{}\"><site site=\"{}_a\"/><site "
          "site=\"{}_b\"/></spatial>\n",
          spring.stiffness, spring.length, spring.name, spring.name);
    }
    for (const Joint& joint : problem_.joints) {
      if (!joint.closes_loop) continue;
      const int points = joint.kind == JointKind::revolute && !problem_.is_planar ? 2 : 1;
      for (int k = 0; k < points; ++k)
        equalities += fmt::format("<connect body1=\"{}\" body2=\"{}\" anchor=\"0 0 0\"/>\n",
                                  name(joint.parent), name(joint.child));
    }
    return fmt::format(
        "<mujoco><compiler angle=\"radian\" autolimits=\"false\"/><size nconmax=\"0\"/>\n<option "
        "gravity=\"{}\"><flag contact=\"disable\"/></option>\n<worldbody>\n{}{}</worldbody>\n"
        "<tendon>{}</tendon>\n<equality>{}</equality></mujoco>\n",
        text(problem_.gravity), site_[kWorld], children(kWorld), tendons, equalities);
  }

  std::string urdf() const {
    std::string links = "<link name=\"ground\"/>\n", joints;
    for (const Body& body : problem_.bodies) {
      const Matrix3d& i = body.inertia;
      links += fmt::format(
          "<link name=\"{}\"><inertial><origin xyz=\"{}\"/><mass value=\"{}\"/><inertia ixx=\"{}\" "
          "iyy=\"{}\" izz=\"{}\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n",
          body.name, text(body.com), body.mass, i(0, 0), i(1, 1), i(2, 2));
    }
    for (const Joint& joint : problem_.joints)
      joints += fmt::format(
          "<joint name=\"{}\" type=\"continuous\"><parent link=\"{}\"/><child link=\"{}\"/><origin "
          "xyz=\"{}\"/><axis xyz=\"{}\"/></joint>\n",
          joint.name, joint.parent == kWorld ? "ground" : name(joint.parent), name(joint.child),
          text(joint.in_parent), text(joint.axis));
    return "<robot name=\"chain\">" + links + joints + "</robot>\n";
  }

 private:
  [[nodiscard]] std::string name(int body) const {
    return body == kWorld ? "world" : problem_.bodies[static_cast<std::size_t>(body)].name;
  }
  static std::string site(const std::string& site_name, const Vector3d& point) {
    return fmt::format("<site name=\"{}\" pos=\"{}\"/>", site_name, text(point));
  }
  std::string children(int parent) {
    std::string list;
    for (const Joint& joint : problem_.joints) {
      if (joint.closes_loop || joint.parent != parent) continue;
      const Body& body = problem_.bodies[static_cast<std::size_t>(joint.child)];
      list += fmt::format("<body name=\"{}\" pos=\"{}\">{}{}{}\n{}</body>\n", body.name,
                          text(joint.in_parent - joint.in_child), inertial(body), joint_text(joint),
                          site_[joint.child], children(joint.child));
    }
    return list;
  }

  const Problem& problem_;
  std::map<int, std::string> site_;
};

struct Freed {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using Model = std::unique_ptr<mjModel, Freed>;
using Data = std::unique_ptr<mjData, Freed>;

// Loops: MuJoCo takes the second anchor from the pose in the file, where they are not closed.
void set_anchors(const Problem& problem, mjModel& model) {
  int k = 0;
  for (const Joint& joint : problem.joints) {
    if (!joint.closes_loop) continue;
    const bool two = joint.kind == JointKind::revolute && !problem.is_planar;
    for (int point = 0; point < (two ? 2 : 1); ++point, ++k) {
      const Vector3d shift = two ? (point == 0 ? 0.5 : -0.5) * joint.axis : Vector3d::Zero().eval();
      mjtNum* data = model.eq_data + mjNEQDATA * k;
      const Vector3d a = joint.in_parent + shift, b = joint.in_child + shift;
      for (int i = 0; i < 3; ++i) {
        data[i] = a[i];
        data[3 + i] = b[i];
      }
    }
  }
}

Model load(const Problem& problem, const std::string& folder) {
  Writer writer(problem);
  const bool deep = problem.bodies.size() > kDeepest && problem.joints.back().parent > kDeepest;
  const std::string file = folder + "/" + problem.name + (deep ? "_mujoco.urdf" : "_mujoco.xml");
  std::ofstream(file) << (deep ? writer.urdf() : writer.mjcf());
  char error[1000] = "";
  Model model(mj_loadXML(file.c_str(), nullptr, error, sizeof(error)));
  if (!model) throw Refused(std::string("MuJoCo cannot read it: ") + error);
  for (int i = 0; i < 3; ++i) model->opt.gravity[i] = problem.gravity[i];
  set_anchors(problem, *model);
  return model;
}

int address(const mjModel& model, const std::string& joint, const int* table) {
  const int id = mj_name2id(&model, mjOBJ_JOINT, joint.c_str());
  if (id < 0) throw Refused("MuJoCo lost joint " + joint);
  return table[id];
}

void set_start(const Problem& problem, const mjModel& model, mjData& data) {
  for (const Joint& joint : problem.joints) {
    if (joint.closes_loop) continue;
    const int q = address(model, joint.name, model.jnt_qposadr);
    const int v = address(model, joint.name, model.jnt_dofadr);
    if (joint.kind == JointKind::spherical) {
      const Eigen::Quaterniond e(joint.start_rotation);
      const double values[] = {e.w(), e.x(), e.y(), e.z()};
      std::copy(values, values + 4, data.qpos + q);
      continue;
    }
    data.qpos[q] = joint.start[0];
    data.qvel[v] = joint.speed;
    data.qfrc_applied[v] = joint.torque;
    if (joint.kind == JointKind::universal)
      data.qpos[address(model, joint.name + "_2", model.jnt_qposadr)] = joint.start[1];
  }
}

class MujocoRun : public Run {
 public:
  MujocoRun(const Problem& problem, const mjModel& model, int integrator, double stiffness,
            double step)
      : problem_(problem), model_(mj_copyModel(nullptr, &model)), data_(mj_makeData(&model)) {
    model_->opt.integrator = integrator;
    model_->opt.timestep = step;
    model_->opt.tolerance = 1e-14;
    model_->opt.disableflags |= mjDSBL_REFSAFE;
    for (int i = 0; i < model_->neq; ++i) {
      model_->eq_solref[mjNREF * i] = stiffness * step;
      model_->eq_solref[mjNREF * i + 1] = 1;
      const mjtNum impedance[mjNIMP] = {0.9999, 0.9999, 0.001, 0.5, 2};
      std::copy(impedance, impedance + mjNIMP, model_->eq_solimp + mjNIMP * i);
    }
    set_start(problem, *model_, *data_);
    mj_forward(model_.get(), data_.get());
    body_ = mj_name2id(model_.get(), mjOBJ_BODY,
                       problem.bodies[static_cast<std::size_t>(problem.marker_body)].name.c_str());
  }
  bool advance_to(double time) override {
    const int steps =
        std::max(1, static_cast<int>(std::lround((time - time_) / model_->opt.timestep)));
    for (int i = 0; i < steps; ++i) mj_step(model_.get(), data_.get());
    time_ = time;
    return data_->warning[mjWARN_BADQPOS].number + data_->warning[mjWARN_BADQVEL].number +
               data_->warning[mjWARN_BADQACC].number ==
           0;
  }
  Vector3d marker() override {
    mj_kinematics(model_.get(), data_.get());
    const Eigen::Map<const Vector3d> place(data_->xpos + 3 * body_);
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> rotation(data_->xmat +
                                                                                  9 * body_);
    return place + rotation * problem_.marker;
  }
  double evaluation_seconds() {
    double sign = 1;
    return time_per_call([&] {
      sign = -sign;
      data_->qvel[0] += sign * 1e-3;
      mj_forward(model_.get(), data_.get());
    });
  }

 private:
  const Problem& problem_;
  Model model_;
  Data data_;
  int body_ = 0;
  double time_ = 0;
};

class Mujoco : public Engine {
 public:
  explicit Mujoco(Settings settings) : settings_(std::move(settings)) {
    mju_user_warning = [](const char*) {};  // runs that fail say so by their results
  }

  [[nodiscard]] std::string version() const override { return mj_versionString(); }

  std::vector<Method> methods(const Problem& problem) override {
    model_ = load(problem, settings_.folder);
    problem_ = problem;
    // the shorter the time constant, the smaller the error, down to where the integrator is
    // unstable
    struct Choice {
      const char* name;
      int integrator;
      double stiffness;
    };
    const bool loops = model_->neq > 0;
    const std::vector<Choice> choices =
        loops ? std::vector<Choice>{{"RK4, solref 0.5 h", mjINT_RK4, 0.5},
                                    {"RK4, solref 1 h", mjINT_RK4, 1},
                                    {"RK4, solref 2 h", mjINT_RK4, 2},
                                    {"Euler, solref 2 h", mjINT_EULER, 2}}
              : std::vector<Choice>{{"RK4", mjINT_RK4, 2}, {"Euler", mjINT_EULER, 2}};
    std::vector<Method> methods;
    for (const Choice& choice : choices)
      methods.push_back({choice.name, false, [this, choice](double step) -> std::unique_ptr<Run> {
                           return std::make_unique<MujocoRun>(problem_, *model_, choice.integrator,
                                                              choice.stiffness, step);
                         }});
    return methods;
  }

  std::optional<double> evaluation_seconds(const Problem& /*problem*/) override {
    return MujocoRun(problem_, *model_, mjINT_EULER, 2, 1e-3).evaluation_seconds();
  }

 private:
  Settings settings_;
  Problem problem_;
  Model model_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Settings& settings) {
  return std::make_unique<Mujoco>(settings);
}

}  // namespace mechfmu::bench
