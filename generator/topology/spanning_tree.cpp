#include "topology/spanning_tree.hpp"

#include <algorithm>
#include <array>

#include "support/assert.hpp"

namespace mechfmu {

namespace {

using Weight = std::array<int, 5>;

int start_class(const Joint& joint) {
  if (joint.starts.empty()) return 2;
  const bool fixed =
      std::any_of(joint.starts.begin(), joint.starts.end(), [](const Start& s) { return s.fixed; });
  return fixed ? 0 : 1;
}

Weight make_weight(const Joint& joint, int depth, int index) {
  return {joint.cut ? 1 : 0, start_class(joint), joint.type->freedom, depth, index};
}

std::size_t at(int body) { return static_cast<std::size_t>(body + 1); }  // the ground is body -1

// Joints from `body` to the ground.
std::vector<int> path_to_ground(const SpanningTree& tree, int body) {
  std::vector<int> path;
  while (body != kGround) {
    const auto edge = std::find_if(tree.edges.begin(), tree.edges.end(),
                                   [&](const TreeEdge& e) { return e.outboard == body; });
    MECHFMU_ASSERT(edge != tree.edges.end(), "every body hangs in the tree");
    if (edge->joint >= 0) path.push_back(edge->joint);
    body = edge->inboard;
  }
  return path;
}

Loop make_loop(const SpanningTree& tree, const Mechanism& mechanism, int cut) {
  const Joint& joint = mechanism.joints[static_cast<std::size_t>(cut)];
  std::vector<int> up = path_to_ground(tree, joint.parent.body);
  std::vector<int> down = path_to_ground(tree, joint.child.body);
  while (!up.empty() && !down.empty() &&
         up.back() == down.back()) {  // the shared way is not part of the loop
    up.pop_back();
    down.pop_back();
  }
  Loop loop;
  loop.closing_joint = cut;
  loop.joints = up;
  loop.joints.insert(loop.joints.end(), down.rbegin(), down.rend());
  loop.joints.push_back(cut);
  // as people walk round it: from the joint that comes first in the file, towards its earlier
  // neighbour
  std::rotate(loop.joints.begin(), std::min_element(loop.joints.begin(), loop.joints.end()),
              loop.joints.end());
  if (loop.joints.size() > 2 && loop.joints[1] > loop.joints.back())
    std::reverse(loop.joints.begin() + 1, loop.joints.end());
  return loop;
}

}  // namespace

std::string Loop::name(const Mechanism& mechanism) const {
  std::string text;
  for (const int joint : joints)
    text += (text.empty() ? "" : "-") + mechanism.joints[static_cast<std::size_t>(joint)].name.text;
  return text;
}

bool SpanningTree::carries(int joint) const {
  return std::any_of(edges.begin(), edges.end(),
                     [&](const TreeEdge& e) { return e.joint == joint; });
}

SpanningTree make_spanning_tree(const Mechanism& mechanism) {
  const int bodies = static_cast<int>(mechanism.bodies.size());
  const int joints = static_cast<int>(mechanism.joints.size());
  SpanningTree tree;
  std::vector<int> depth(at(bodies), -1);
  depth[at(kGround)] = 0;

  for (int added = 0; added < bodies; ++added) {
    TreeEdge best;
    Weight best_weight{};
    bool found = false;
    for (int j = 0; j < joints; ++j) {
      const Joint& joint = mechanism.joints[static_cast<std::size_t>(j)];
      if (!joint.type->holds_tree) continue;
      const bool parent_in = depth[at(joint.parent.body)] >= 0;
      const bool child_in = depth[at(joint.child.body)] >= 0;
      if (parent_in == child_in) continue;
      const int inboard = parent_in ? joint.parent.body : joint.child.body;
      const Weight weight = make_weight(joint, depth[at(inboard)], j);
      if (found && !(weight < best_weight)) continue;
      best = {j, inboard, parent_in ? joint.child.body : joint.parent.body, !parent_in};
      best_weight = weight;
      found = true;
    }
    if (!found) {
      // nothing carries the rest: the first body left floats
      int body = 0;
      while (depth[at(body)] >= 0) ++body;
      best = {-1, kGround, body, false};
    }
    depth[at(best.outboard)] = depth[at(best.inboard)] + 1;
    tree.edges.push_back(best);
  }

  for (int j = 0; j < joints; ++j)
    if (!tree.carries(j) && mechanism.joints[static_cast<std::size_t>(j)].connects_frames())
      tree.cut_joints.push_back(j);
  for (const int cut : tree.cut_joints) {
    // a joint that leaves all freedom closes nothing
    if (mechanism.joints[static_cast<std::size_t>(cut)].type->freedom < 6)
      tree.loops.push_back(make_loop(tree, mechanism, cut));
  }
  return tree;
}

}  // namespace mechfmu
