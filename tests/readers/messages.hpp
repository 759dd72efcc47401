// What a user reads about a mechanism file: the rendered text of all its diagnostics. Place, code,
// words and hint are the contract with the user, so the tests compare the whole text; expectations
// were reviewed by hand.
#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/source_text.hpp"
#include "validation/validate.hpp"

namespace mechfmu::test {

inline std::string messages(std::string text) {
  const SourceText source("model.xml", std::move(text));
  Diagnostics diagnostics;
  load_mechanism(source, diagnostics);
  return render(diagnostics, source);
}

// `part` from line 2 on, in a mechanism that is otherwise correct: body 'link' on a revolute joint
// 'J'.
inline std::string with_link(const std::string& part) {
  return "<mechanism name=\"M\">\n" + part +
         "\n<body name=\"link\"><inertial mass=\"1\"/></body>\n"
         "<joint name=\"J\" type=\"revolute\" parent=\"ground\" child=\"link\"/>\n</mechanism>\n";
}

// The mechanism, which must be free of errors.
inline Mechanism load(std::string text) {
  const SourceText source("model.xml", std::move(text));
  Diagnostics diagnostics;
  std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics);
  if (!mechanism) throw std::runtime_error(render(diagnostics, source));
  return std::move(*mechanism);
}

}  // namespace mechfmu::test
