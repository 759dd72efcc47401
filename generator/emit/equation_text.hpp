// The equations of schemes.def, which are plain ASCII, as they would be printed: "J^T lambda" with
// a raised T and a Greek letter.
#pragma once
#include <string>
#include <string_view>

namespace mechfmu {

// HTML; '<', '>' and '&' of the text are escaped.
std::string typeset_equation(std::string_view text);

}  // namespace mechfmu
