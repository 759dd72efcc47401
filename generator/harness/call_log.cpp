#include "harness/call_log.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/number_text.hpp"

namespace mechfmu {

namespace {

constexpr std::size_t kShownValues = 16;

template <class T, class Text>
std::string make_list(const T* values, std::size_t count, Text text) {
  std::string list = "[";
  for (std::size_t i = 0; i < std::min(count, kShownValues); ++i) {
    if (i > 0) list += ", ";
    list += text(values[i]);
  }
  if (count > kShownValues) list += fmt::format(", ... {} more", count - kShownValues);
  return list + "]";
}

}  // namespace

std::string_view word(fmi2Status status) {
  switch (status) {
    case fmi2OK:
      return "OK";
    case fmi2Warning:
      return "Warning";
    case fmi2Discard:
      return "Discard";
    case fmi2Error:
      return "Error";
    case fmi2Fatal:
      return "Fatal";
    case fmi2Pending:
      return "Pending";
  }
  return "unknown status";
}

void CallLog::add(std::string_view function, std::string_view arguments,
                  std::string_view result) const {
  if (!sink_) return;
  if (result.empty())
    sink_(fmt::format("{}({})", function, arguments));
  else
    sink_(fmt::format("{}({}) -> {}", function, arguments, result));
}

std::string CallLog::list(const fmi2ValueReference* values, std::size_t count) {
  return make_list(values, count, [](fmi2ValueReference v) { return std::to_string(v); });
}
std::string CallLog::list(const double* values, std::size_t count) {
  return make_list(values, count, [](double v) { return number_text(v); });
}
std::string CallLog::list(const int* values, std::size_t count) {
  return make_list(values, count, [](int v) { return std::to_string(v); });
}
std::string CallLog::list(const fmi2String* values, std::size_t count) {
  return make_list(values, count, [](fmi2String v) {
    return v == nullptr ? std::string("NULL") : fmt::format("\"{}\"", v);
  });
}

}  // namespace mechfmu
