#include "mechanism/mechanism.hpp"

#include "support/assert.hpp"

namespace mechfmu {

const Argument* Arguments::find(std::string_view name) const {
  for (const Argument& argument : list)
    if (argument.attribute->name == name) return &argument;
  return nullptr;
}

const Argument& Arguments::operator[](std::string_view name) const {
  const Argument* argument = find(name);
  MECHFMU_ASSERT(argument != nullptr,
                 "the table promises the attribute '" + std::string(name) + "'");
  return *argument;
}

int Equations::find(std::string_view coordinate) const {
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (coordinates[i].name.text == coordinate) return static_cast<int>(i);
  return -1;
}

const Start* Joint::find_start(std::string_view attribute) const {
  for (const Start& start : starts)
    if (start.name == attribute) return &start;
  return nullptr;
}

std::optional<std::pair<std::size_t, std::size_t>> Controller::find(std::string_view output) const {
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t k = 0; k < blocks[b].outputs.size(); ++k)
      if (blocks[b].outputs[k].text == output) return std::pair(b, k);
  return std::nullopt;
}

}  // namespace mechfmu
