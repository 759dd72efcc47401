// Robot descriptions as parts of a mechanism: links become bodies, joints joints, limits compliant
// stops, damping and friction forces, mimics couplers.
//
// A link without mass on a fixed joint becomes a frame of the link that carries it (tool frames),
// the first link without mass frames of the ground. Names become identifiers; where a joint has the
// name of a link, "_joint" is added.
#pragma once
#include <optional>
#include <string>

#include "readers/urdf_model.hpp"
#include "readers/xml_document.hpp"
#include "support/source_text.hpp"

namespace mechfmu {

struct UrdfOptions {
  std::string prefix;             // before all names
  std::string parent = "ground";  // frame that carries the first link
  std::string base = "fixed";     // joint between them: fixed, free or none
  bool limits = true;
  bool outputs = false;  // positions of all joints
};

// A <mechanism> element as if somebody had written it; places are those of the description.
std::optional<XmlElement> translate_urdf(const XmlElement& robot, const UrdfOptions& options,
                                         Diagnostics& diagnostics);

// Puts the elements of imported files in the place of every <import> below `root`; files are looked
// for in `folder`. What was read is appended to `files` (name and content).
struct ImportedFile {
  std::string name, content;
};
bool expand_imports(XmlElement& root, const std::string& folder, std::vector<ImportedFile>& files,
                    Diagnostics& diagnostics);

}  // namespace mechfmu
