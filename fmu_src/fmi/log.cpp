#include "fmi/log.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace mechfmu::fmi {
namespace {

enum class Enabled { always, normally, debug };

struct CategoryRow {
  const char* name;
  fmi2Status status;
  Enabled enabled;
};

constexpr CategoryRow kCategories[] = {
#define CATEGORY(name, status, enabled, description) {#name, status, Enabled::enabled},
#include "log_categories.def"
#undef CATEGORY
};
constexpr int kCategoryCount = sizeof(kCategories) / sizeof(kCategories[0]);

constexpr std::uint32_t bit(int index) { return std::uint32_t{1} << index; }

constexpr std::uint32_t calc_mask(bool with_always, bool with_normally, bool with_debug) {
  std::uint32_t mask = 0;
  for (int i = 0; i < kCategoryCount; ++i) {
    const Enabled e = kCategories[i].enabled;
    if (e == Enabled::always ? with_always : e == Enabled::normally ? with_normally : with_debug)
      mask |= bit(i);
  }
  return mask;
}
constexpr std::uint32_t kAll = calc_mask(true, true, true);
constexpr std::uint32_t kAlways = calc_mask(true, false, false);
constexpr std::uint32_t kQuiet = calc_mask(true, true, false);

// The bits that a name stands for; 0 if there is no such category.
std::uint32_t find_bits(const char* name) {
  if (std::strcmp(name, "logAll") == 0) return kAll;
  for (int i = 0; i < kCategoryCount; ++i)
    if (std::strcmp(name, kCategories[i].name) == 0) return bit(i);
  return 0;
}

constexpr std::size_t kTextSize = 1024;

}  // namespace

void Log::attach(const fmi2CallbackFunctions* callbacks, const char* instance_name,
                 bool logging_on) {
  logger_ = callbacks ? callbacks->logger : nullptr;
  environment_ = callbacks ? callbacks->componentEnvironment : nullptr;
  instance_name_ = instance_name;
  enabled_ = logging_on ? kAll : kQuiet;
}

fmi2Status Log::set_enabled(bool on, std::size_t count, const fmi2String names[]) {
  // Without names `names` is undefined and must not be looked at. Many hosts send (false, 0) as a
  // matter of course: the reasons of errors must survive that.
  if (count == 0) {
    enabled_ = on ? kAll : kAlways;
    return fmi2OK;
  }
  if (!names) return error("fmi2SetDebugLogging: the list of %zu categories is null", count);
  for (std::size_t i = 0; i < count; ++i)
    if (!names[i]) return error("fmi2SetDebugLogging: category %zu is null", i);

  fmi2Status status = fmi2OK;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = find_bits(names[i]);
    enabled_ = on ? enabled_ | bits : enabled_ & ~bits;
    if (bits == 0) {
      write(Category::logStatusWarning, "fmi2SetDebugLogging: there is no log category '%s'",
            names[i]);
      status = fmi2Warning;
    }
  }
  return status;
}

void Log::send(Category category, const char* text) {
  // '#' starts a variable reference in FMI messages and is written twice to mean itself.
  char escaped[2 * kTextSize];
  std::size_t length = 0;
  for (const char* c = text; *c && length + 3 < sizeof(escaped); ++c) {
    escaped[length++] = *c;
    if (*c == '#') escaped[length++] = '#';
  }
  escaped[length] = '\0';
  const CategoryRow& row = kCategories[static_cast<int>(category)];
  logger_(environment_, instance_name_, row.status, row.name, "%s", escaped);
}

// One body for the three writers: a va_list cannot be started anywhere else.
#define MECHFMU_SEND_FORMATTED(category)                   \
  if (logger_ && is_enabled(category)) {                   \
    char text[kTextSize];                                  \
    std::va_list arguments;                                \
    va_start(arguments, format);                           \
    std::vsnprintf(text, sizeof(text), format, arguments); \
    va_end(arguments);                                     \
    send(category, text);                                  \
  }

void Log::write(Category category, const char* format, ...){MECHFMU_SEND_FORMATTED(category)}

fmi2Status Log::error(const char* format, ...) {
  MECHFMU_SEND_FORMATTED(Category::logStatusError)
  return fmi2Error;
}

fmi2Status Log::discard(const char* format, ...) {
  MECHFMU_SEND_FORMATTED(Category::logStatusDiscard)
  return fmi2Discard;
}

#undef MECHFMU_SEND_FORMATTED

}  // namespace mechfmu::fmi
