// Scene -> resources/scene.json, as resources/docs/scene.md describes it.
#pragma once
#include <string>

#include "scene/scene.hpp"

namespace mechfmu {

inline constexpr int kSceneVersion = 1;

std::string make_scene_json(const std::string& model_name, const Scene& scene);

}  // namespace mechfmu
