// Files carried inside the program (templates, runtime archive, runtime headers, examples): mechfmu
// is one binary and searches no folders. The functions are made by mechfmu_embed() in
// resources/cmake/MechfmuEmbed.cmake.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace mechfmu {

struct EmbeddedFile {
  std::string_view name;
  std::string_view content;
};

std::span<const EmbeddedFile> embedded_templates();  // model_templates/*
std::span<const EmbeddedFile>
embedded_runtime();  // "libmechfmu_fmu.a", "include/system/model.hpp", "fmi2.map", ...
std::span<const EmbeddedFile> embedded_viewer();    // "viewer.js", "viewer.css", "spatial.js"
std::span<const EmbeddedFile> embedded_examples();  // "four_bar/four_bar.xml", ...

// Empty view if there is no such file: the caller decides whether that is an error.
std::string_view find_embedded(std::span<const EmbeddedFile> files, std::string_view name);

}  // namespace mechfmu
