// What is wrong with the user's file or world, said once, in one form. A stage appends diagnostics
// and goes on as far as it can, so that one run reports every error of a file.
//
// Codes are stable: E1xx reading, E2xx bodies and joints, E3xx assembly and analysis, E4xx
// expressions, E5xx options and schemes, W... warnings, S... the world (disk, compiler, archive).
// resources/docs/errors.md has a paragraph each.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "support/span.hpp"

namespace mechfmu {

enum class Severity { note, warning, error };

struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;          // "E203"
  std::optional<Span> span;  // nothing: about the file or the world as a whole
  std::string message;       // "body 'coupler': mass must be > 0, got -1.5"
  std::string hint;          // the remedy; may be empty
};

class Diagnostics {
 public:
  void error(std::string code, std::optional<Span> span, std::string message,
             std::string hint = {});
  void warning(std::string code, std::optional<Span> span, std::string message,
               std::string hint = {});
  void note(std::string code, std::optional<Span> span, std::string message, std::string hint = {});

  [[nodiscard]] bool has_errors() const { return error_count_ > 0; }
  [[nodiscard]] int error_count() const { return error_count_; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
  int error_count_ = 0;
};

}  // namespace mechfmu
