#include "problems/problem.hpp"

#include <map>
#include <stdexcept>

namespace mechfmu::bench {
namespace {

const std::vector<std::pair<std::string, Problem (*)()>>& table() {
  static const std::vector<std::pair<std::string, Problem (*)()>> rows = {
      {"four_bar", four_bar},
      {"slider_crank", slider_crank},
      {"n_four_bar_2", [] { return n_four_bar(2); }},
      {"n_four_bar_40", [] { return n_four_bar(40); }},
      {"five_bar", five_bar},
      {"bricard", bricard},
      {"arm_6r", arm_6r},
      {"chain_10", [] { return chain(10); }},
      {"chain_50", [] { return chain(50); }},
      {"chain_200", [] { return chain(200); }},
      {"chain_1000", [] { return chain(1000); }},
      {"squeezer", squeezer},
      {"stewart", stewart},
  };
  return rows;
}

}  // namespace

Body make_rod(const std::string& name, double length, double mass) {
  const double across = mass * length * length / 12;
  // in the plane it does not matter; engines that work in space want a body that can be turned
  const double along = 1e-3 * across;
  return {name, mass, {length / 2, 0, 0}, Vector3d(along, across, across).asDiagonal()};
}

const std::vector<std::string>& problem_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& row : table()) list.push_back(row.first);
    return list;
  }();
  return names;
}

Problem find_problem(std::string_view name) {
  for (const auto& [key, make] : table())
    if (key == name) return make();
  throw std::out_of_range("no problem '" + std::string(name) + "'");
}

}  // namespace mechfmu::bench
