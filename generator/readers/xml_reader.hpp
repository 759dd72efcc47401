// The mechanism file as XML. Reading is table-driven: the elements are in readers/elements.def, the
// types of joints, forces and solids in formulation/*.def.
//
// A mistake is reported and reading goes on with the most likely meaning (a misspelt element is
// read as the suggested one), so that one run shows every mistake and few that are only
// consequences of another.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "mechanism/mechanism.hpp"
#include "readers/xml_document.hpp"
#include "support/diagnostic.hpp"
#include "support/source_text.hpp"

namespace mechfmu {

inline constexpr std::size_t kMaxFileSize = std::size_t{16} << 20U;

// The file's content; "-" is the standard input. Missing, a folder, empty, larger than `limit`: an
// error and nothing.
std::optional<SourceText> read_file(const std::string& path, Diagnostics& diagnostics,
                                    std::size_t limit = kMaxFileSize);

// Text to mechanism, references unresolved. Nothing if the text is no mechanism at all; with
// smaller errors what could be read is returned so that validate() can report the rest: always go
// on to validate(), which returns false then.
std::optional<Mechanism> read_mechanism(const SourceText& source, Diagnostics& diagnostics);

// The same from elements; files that it refers to are looked for in `folder`.
std::optional<Mechanism> read_mechanism(XmlElement root, const std::string& folder,
                                        Diagnostics& diagnostics);
std::string folder_of(const SourceText& source);  // "" is where the program runs

}  // namespace mechfmu
