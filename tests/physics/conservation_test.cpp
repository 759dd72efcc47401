// What nature conserves, the equations must conserve: energy without dissipation, momentum without
// outside forces, the spin of a symmetric top.
#include <array>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

using Vector = std::array<double, 3>;

Vector cross_product(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

class EnergyOfExample : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};

// Reference: the energy at the start. rk4 at 1 ms loses less than 1e-7 of the energy that is
// exchanged here.
TEST_P(EnergyOfExample, StaysWhereNothingDissipates) {
  SystemOptions options;
  options.coordinates = std::get<1>(GetParam());
  options.step = 1e-3;
  MechanismRun run(example_text(std::get<0>(GetParam())), options);
  run.initialize();
  const double first = run.get("energy.total");
  double exchanged = 0;
  for (int i = 0; i < 20; ++i) {
    run.advance(0.05);
    exchanged = std::max(exchanged, run.get("energy.kinetic"));
    EXPECT_NEAR(run.get("energy.total"), first, tol(2e-7) * exchanged);
  }
  EXPECT_GT(exchanged, 0.01);  // something moved
}
INSTANTIATE_TEST_SUITE_P(All, EnergyOfExample,
                         ::testing::Combine(::testing::Values("pendulum", "double_pendulum",
                                                              "slider_crank", "five_bar",
                                                              "double_loop", "n_four_bar"),
                                            ::testing::Values("joint", "absolute")));

// Two bodies joined by a hinge and a spring float in space, far from the origin and tumbling.
constexpr const char* kFloating = R"(
<mechanism name="Floating" gravity="0 0 0">
  <body name="a"><inertial mass="2" com="0.1 0 0.05" inertia="0.02 0.03 0.04 0.002 0.001 -0.003"/><frame name="tip" xyz="0.4 0 0" rpy="0.3 0.2 0.1"/></body>
  <body name="b"><inertial mass="1" com="0.2 0.1 0" inertia="0.01 0.02 0.025"/><frame name="end" xyz="0.4 0.1 0"/></body>
  <joint name="F" type="free" parent="ground" child="a"><start xyz="1 2 3" rpy="0.1 0.2 0.3" velocity="0.4 -0.3 0.2" angular_velocity="2 -1 3" fixed="true"/></joint>
  <joint name="H" type="revolute" parent="a.tip" child="b" axis="1 1 0"><start position="0.5" velocity="4" fixed="true"/></joint>
  <force name="spring" type="spring_damper" from="a" to="b.end" stiffness="50" damping="0.5" length="0.2"/>
  <force name="twist" type="torsion_spring" joint="H" stiffness="2" damping="0.1"/>
  <force name="rub" type="friction" joint="H" coulomb="0.1" viscous="0.02"/>
</mechanism>)";

// Momentum of a floating system from its bodies, about the world's origin.
struct Momentum {
  Vector linear{}, angular{};
};

void add_point_mass(Momentum& sum, double mass, const Vector& position, const Vector& velocity) {
  const Vector moment = cross_product(position, velocity);
  for (std::size_t i = 0; i < 3; ++i) {
    sum.linear[i] += mass * velocity[i];
    sum.angular[i] += mass * moment[i];
  }
}

// A body given as eight point masses at the corners of a box has the inertia of those points
// exactly, so that its momentum can be summed from velocities of frames alone: an oracle that knows
// nothing of inertia tensors.
std::string cloud_body(const std::string& name, double size) {
  std::string text = "<body name=\"" + name + "\">";
  for (int k = 0; k < 8; ++k) {
    const auto at = [&](int bit, double scale) {
      return std::to_string(((k >> bit) & 1 ? 1 : -1) * size * scale + 0.1);
    };
    const std::string xyz = at(0, 1) + " " + at(1, 0.6) + " " + at(2, 0.3);
    text += "<point mass=\"" + std::to_string(0.1 + 0.05 * k) + "\" xyz=\"" + xyz +
            "\"/><frame name=\"p" + std::to_string(k) + "\" xyz=\"" + xyz + "\"/>";
  }
  return text + "</body>";
}

TEST(Momentum, OfFloatingBodiesOfPointMassesIsConserved) {
  std::string xml = R"(<mechanism name="Cloud" gravity="0 0 0">)" + cloud_body("a", 0.2) +
                    cloud_body("b", 0.15) + R"(
  <joint name="F" type="free" parent="ground" child="a"><start xyz="1 2 3" rpy="0.1 0.2 0.3" velocity="0.4 -0.3 0.2" angular_velocity="2 -1 3" fixed="true"/></joint>
  <joint name="U" type="universal" parent="a.p7" child="b.p0" axis="1 0 0" axis2="0 1 0"><start angle1="0.5" angle1_velocity="3" angle2="-0.4" angle2_velocity="1" fixed="true"/></joint>
  <force name="spring" type="spring_damper" from="a.p1" to="b.p6" stiffness="80" damping="0.5" length="0.2"/>
  <force name="rub" type="friction" joint="U" coordinate="angle[1]" coulomb="0.1" viscous="0.02"/>)";
  for (const char* body : {"a", "b"})
    for (int k = 0; k < 8; ++k)
      for (const char* quantity : {"position", "velocity"})
        for (int i = 1; i <= 3; ++i) {
          const std::string id =
              std::string(body) + "_" + std::to_string(k) + "_" + quantity + std::to_string(i);
          xml += "<output name=\"" + id + "\" value=\"" + body + ".p" + std::to_string(k) + "." +
                 quantity + "[" + std::to_string(i) + "]\"/>";
        }
  xml += "</mechanism>";
  for (const char* coordinates : {"joint", "absolute"}) {
    SystemOptions options;
    options.coordinates = coordinates;
    MechanismRun run(xml, options);
    run.initialize();
    const auto momentum = [&] {
      Momentum sum;
      for (const char* body : {"a", "b"})
        for (int k = 0; k < 8; ++k) {
          const auto of = [&](const char* quantity) {
            const std::string id = std::string(body) + "_" + std::to_string(k) + "_" + quantity;
            return Vector{run.get(id + "1"), run.get(id + "2"), run.get(id + "3")};
          };
          add_point_mass(sum, 0.1 + 0.05 * k, of("position"), of("velocity"));
        }
      return sum;
    };
    const Momentum first = momentum();
    for (int i = 0; i < 5; ++i) run.advance(0.1);
    const Momentum last = momentum();
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(last.linear[i], first.linear[i], tol(1e-8)) << coordinates;
      EXPECT_NEAR(last.angular[i], first.angular[i], tol(1e-7)) << coordinates;
    }
  }
}

TEST(Energy, OfAFloatingSystemWithDampersNeverRises) {
  MechanismRun run(kFloating);
  run.initialize();
  double before = run.get("energy.total");
  const double first = before;
  for (int i = 0; i < 20; ++i) {
    run.advance(0.05);
    const double now = run.get("energy.total");
    EXPECT_LE(now, before + tol(1e-9));
    before = now;
  }
  EXPECT_LT(before, 0.99 * first);  // and it fell
}

// Reference: the work of a constant torque is torque times angle, whatever the linkage does.
TEST(Energy, RisesByTheWorkOfTheMotor) {
  for (const char* coordinates : {"joint", "absolute"}) {
    SystemOptions options;
    options.coordinates = coordinates;
    MechanismRun run(example_text("four_bar"), options);
    run.set("damping", 0);
    run.initialize();
    run.set("tau", 0.3);
    const double energy = run.get("energy.total"), angle = run.get("crank_angle");
    for (int i = 0; i < 10; ++i) run.advance(0.1);
    EXPECT_NEAR(run.get("energy.total") - energy, 0.3 * (run.get("crank_angle") - angle), tol(2e-8))
        << coordinates;
  }
}

// Reference: a symmetric top keeps its spin about its own axis (the third component of its angular
// momentum).
TEST(HeavyTop, KeepsItsSpin) {
  MechanismRun run(example_text("heavy_top"));
  run.initialize();
  // The spin about the body's own axis; the axis points from the tip to the centre, which the
  // outputs x, y, z give.
  const auto spin = [&] {
    const Vector axis{run.get("x"), run.get("y"), run.get("z")};
    const Vector w{run.get("wx"), run.get("wy"), run.get("wz")};
    const double length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    return (axis[0] * w[0] + axis[1] * w[1] + axis[2] * w[2]) / length;
  };
  const double first = spin();
  for (int i = 0; i < 50; ++i) run.advance(0.01);
  EXPECT_NEAR(spin(), first, tol(2e-5) * std::fabs(first));
}

}  // namespace
}  // namespace mechfmu::testing
