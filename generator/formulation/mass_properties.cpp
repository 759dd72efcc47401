#include "formulation/mass_properties.hpp"

#include "support/assert.hpp"

namespace mechfmu {

namespace {

constexpr double kPi = 3.14159265358979323846;

// -(a~ b~): the inertia-like product, symmetric for a = b
Mat3 cross_product_matrix(const Vec3& a, const Vec3& b) {
  Mat3 m = skew(a) * skew(b);
  for (auto& row : m.e)
    for (Expr& x : row) x = -x;
  return m;
}

Mat3 scale(Expr s, const Mat3& m) {
  Mat3 r = m;
  for (auto& row : r.e)
    for (Expr& x : row) x = s * x;
  return r;
}

Mat3 diagonal(Expr x, Expr y, Expr z) {
  const Expr o = x.graph()->number(0);
  Mat3 m;
  m[0] = {x, o, o};
  m[1] = {o, y, o};
  m[2] = {o, o, z};
  return m;
}

Vec3 unit(const Vec3& a) {
  const Expr length = norm(a);
  return {{a[0] / length, a[1] / length, a[2] / length}};
}

// A body of revolution: `along` about its axis, `across` about the others.
Mat3 axial_inertia(Expr along, Expr across, const Vec3& axis) {
  Mat3 m = diagonal(across, across, across);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) m[i][j] = m[i][j] + (along - across) * (axis[i] * axis[j]);
  return m;
}

struct SolidReader {
  Graph& graph;
  const Solid& solid;
  const NameMeaning& meaning;

  [[nodiscard]] bool has(std::string_view name) const {
    return solid.arguments.find(name) != nullptr;
  }
  [[nodiscard]] Expr scalar(std::string_view name) const {
    return resolve(graph, solid.arguments[name].values[0], meaning);
  }
  [[nodiscard]] Vec3 vector(std::string_view name) const {
    const std::vector<Expression>& v = solid.arguments[name].values;
    return {{resolve(graph, v[0], meaning), resolve(graph, v[1], meaning),
             resolve(graph, v[2], meaning)}};
  }
  [[nodiscard]] Expr mass(Expr volume) const {
    return has("mass") ? scalar("mass") : scalar("density") * volume;
  }
};

// mass, centre and central inertia of one solid
struct Lump {
  Expr mass;
  Vec3 com;
  Mat3 inertia;
};

Lump make_lump(const SolidReader& in) {
  Graph& g = in.graph;
  const std::string_view id = in.solid.type->id;
  if (id == "point")
    return {in.scalar("mass"), in.vector("xyz"), diagonal(g.number(0), g.number(0), g.number(0))};

  Lump lump;
  lump.com = in.vector("com");
  if (id == "inertial") {
    lump.mass = in.scalar("mass");
    std::vector<Expr> i;
    for (const Expression& e : in.solid.arguments["inertia"].values)
      i.push_back(resolve(g, e, in.meaning));
    lump.inertia = diagonal(i[0], i[1], i[2]);
    if (i.size() == 6) {
      lump.inertia[0][1] = lump.inertia[1][0] = i[3];
      lump.inertia[0][2] = lump.inertia[2][0] = i[4];
      lump.inertia[1][2] = lump.inertia[2][1] = i[5];
    }
  } else if (id == "box") {
    const Vec3 s = in.vector("size");
    lump.mass = in.mass(s[0] * s[1] * s[2]);
    const Expr k = lump.mass / 12.0;
    const Expr xx = s[0] * s[0], yy = s[1] * s[1], zz = s[2] * s[2];
    lump.inertia = diagonal(k * (yy + zz), k * (xx + zz), k * (xx + yy));
  } else if (id == "cylinder") {
    const Expr r = in.scalar("radius"), l = in.scalar("length");
    lump.mass = in.mass(kPi * (r * r) * l);
    lump.inertia =
        axial_inertia(0.5 * lump.mass * (r * r), lump.mass * (3.0 * (r * r) + l * l) / 12.0,
                      unit(in.vector("axis")));
  } else if (id == "rod") {
    const Expr l = in.scalar("length");
    lump.mass = in.scalar("mass");
    lump.inertia = axial_inertia(g.number(0), lump.mass * (l * l) / 12.0, unit(in.vector("axis")));
  } else {
    MECHFMU_ASSERT(id == "sphere", "no law for the solid '" + std::string(id) + "'");
    const Expr r = in.scalar("radius");
    lump.mass = in.mass(4.0 / 3.0 * kPi * (r * r * r));
    const Expr i = 0.4 * lump.mass * (r * r);
    lump.inertia = diagonal(i, i, i);
  }
  return lump;
}

}  // namespace

MassProperties no_mass(Graph& graph) {
  const Expr zero = graph.number(0);
  return {zero, zero_vector(graph), diagonal(zero, zero, zero)};
}

MassProperties operator+(const MassProperties& a, const MassProperties& b) {
  return {a.mass + b.mass, a.moment + b.moment, a.inertia + b.inertia};
}

MassProperties transform(const Pose& pose, const MassProperties& m) {
  const Vec3& d = pose.p;
  const Vec3 moment = pose.R * m.moment;
  const Mat3 turned = pose.R * m.inertia * transpose(pose.R);
  // Steiner with a moment: J + 2 sym(-(d~ h~)) - m d~ d~
  return {m.mass, moment + m.mass * d,
          turned + cross_product_matrix(d, moment) + cross_product_matrix(moment, d) +
              scale(m.mass, cross_product_matrix(d, d))};
}

MassProperties calc_mass_properties(Graph& graph, const Body& body, const Pose& pose,
                                    const NameMeaning& meaning) {
  MassProperties sum = no_mass(graph);
  for (const Solid& solid : body.solids) {
    const Lump lump = make_lump({graph, solid, meaning});
    const Vec3 com = pose.p + pose.R * lump.com;
    sum = sum + MassProperties{lump.mass, lump.mass * com,
                               pose.R * lump.inertia * transpose(pose.R) +
                                   scale(lump.mass, cross_product_matrix(com, com))};
  }
  return sum;
}

Vec3 calc_centre_of_mass(Graph& graph, const Body& body, const NameMeaning& meaning) {
  if (body.solids.empty()) return zero_vector(graph);
  if (body.solids.size() == 1)
    return make_lump({graph, body.solids[0], meaning}).com;  // exact, without m/m
  const MassProperties m = calc_mass_properties(graph, body, identity_pose(graph), meaning);
  return {{m.moment[0] / m.mass, m.moment[1] / m.mass, m.moment[2] / m.mass}};
}

}  // namespace mechfmu
