// In which order the blocks of a controller are computed: a block whose output follows its inputs
// at once comes after what feeds it. Delays and state_space without D break a circle.
#pragma once
#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

#include "mechanism/mechanism.hpp"

namespace mechfmu {

struct BlockOrder {
  std::vector<std::size_t> order;  // all blocks, unless there are circles
  std::vector<std::vector<std::size_t>> circles;
};
BlockOrder find_block_order(const Controller& controller);

bool follows_at_once(const Block& block);
// Names that the block reads, in expressions and in lists of words.
std::set<std::string_view> names_read(const Block& block);

}  // namespace mechfmu
