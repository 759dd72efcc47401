// Messages to the host's logger: only through enabled categories, only as ("%s", text), never
// through a null pointer.
#pragma once
#include <cstddef>
#include <cstdint>

#include "fmi2FunctionTypes.h"

namespace mechfmu::fmi {

enum class Category {
#define CATEGORY(name, status, enabled, description) name,
#include "log_categories.def"
#undef CATEGORY
};

class Log {
 public:
  // `callbacks` may be null and is copied: hosts may drop it after fmi2Instantiate (P23).
  // `instance_name` must live as long as the Log.
  void attach(const fmi2CallbackFunctions* callbacks, const char* instance_name, bool logging_on);

  // fmi2SetDebugLogging. Error: malformed arguments, nothing changed. Warning: a category does not
  // exist (P24).
  fmi2Status set_enabled(bool on, std::size_t count, const fmi2String names[]);

  [[gnu::format(printf, 3, 4)]] void write(Category category, const char* format, ...);

  // write() to logStatusError and logStatusDiscard; return what the entry point returns.
  [[gnu::format(printf, 2, 3)]] fmi2Status error(const char* format, ...);
  [[gnu::format(printf, 2, 3)]] fmi2Status discard(const char* format, ...);

  [[nodiscard]] bool is_enabled(Category category) const {
    return (enabled_ >> static_cast<int>(category) & 1u) != 0;
  }

 private:
  void send(Category category, const char* text);

  fmi2CallbackLogger logger_ = nullptr;
  fmi2ComponentEnvironment environment_ = nullptr;
  const char* instance_name_ = "";
  std::uint32_t enabled_ = 0;  // bit = Category
};

}  // namespace mechfmu::fmi
