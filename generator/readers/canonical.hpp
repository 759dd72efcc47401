// A mechanism file in its normal form: elements and attributes in the order of the tables, numbers
// in SI units, expressions without blanks, imported files and points of tables in the file itself.
// It says the same mechanism as before; comments are gone.
#pragma once
#include <string>

#include "mechanism/mechanism.hpp"
#include "readers/xml_document.hpp"

namespace mechfmu {

// `root` after expand_imports(); `mechanism` is what it says (for points of tables).
std::string write_canonical(const XmlElement& root, const Mechanism& mechanism);

}  // namespace mechfmu
