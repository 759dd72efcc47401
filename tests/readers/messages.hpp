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

// The same for a file in a folder, which may hold the CSV files of tables.
inline std::string messages_in(const std::string& folder, std::string text) {
  const SourceText source(folder + "/model.xml", std::move(text));
  Diagnostics diagnostics;
  load_mechanism(source, diagnostics);
  const SourceText shown("model.xml", source.content());
  return render(diagnostics, shown);
}

// `part` from line 2 on, in equations that are otherwise correct: coordinate 'x' of mass 1.
inline std::string with_coordinate(const std::string& part) {
  return "<equations name=\"E\">\n" + part +
         "\n<coordinate name=\"x\" mass=\"1\"/>\n</equations>\n";
}

// `part` from line 2 on and nothing else.
inline std::string as_equations(const std::string& part) {
  return "<equations name=\"E\">\n" + part + "\n</equations>\n";
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
