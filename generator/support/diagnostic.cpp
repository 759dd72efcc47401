#include "support/diagnostic.hpp"

#include <utility>

namespace mechfmu {

void Diagnostics::error(std::string code, std::optional<Span> span, std::string message,
                        std::string hint) {
  all_.push_back({Severity::error, std::move(code), span, std::move(message), std::move(hint)});
  ++error_count_;
}

void Diagnostics::warning(std::string code, std::optional<Span> span, std::string message,
                          std::string hint) {
  all_.push_back({Severity::warning, std::move(code), span, std::move(message), std::move(hint)});
}

void Diagnostics::note(std::string code, std::optional<Span> span, std::string message,
                       std::string hint) {
  all_.push_back({Severity::note, std::move(code), span, std::move(message), std::move(hint)});
}

}  // namespace mechfmu
