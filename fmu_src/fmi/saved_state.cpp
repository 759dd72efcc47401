#include "fmi/saved_state.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace mechfmu::fmi {

// The bytes of the simulation follow the struct, in the same allocation.
struct alignas(16) SavedState {
  SavedState* next;
  Progress progress;

  [[nodiscard]] void* physics() { return this + 1; }
  [[nodiscard]] const void* physics() const { return this + 1; }
};

namespace {

constexpr char kMagic[8] = {'m', 'e', 'c', 'h', 'f', 'm', 'u', 's'};
constexpr std::uint32_t kFormatVersion = 1;
constexpr std::uint32_t kByteOrder = 0x01020304;

// Serialised form: this header, Progress, the bytes of the simulation. No padding.
struct Header {
  char magic[8];
  std::uint32_t format_version;
  std::uint32_t byte_order;
  std::uint64_t size;      // of everything
  std::uint64_t checksum;  // of everything, taken with this field 0
  char guid[64];
};
static_assert(sizeof(Header) == 8 + 4 + 4 + 8 + 8 + 64, "padding would be serialised");

std::size_t calc_serialized_size(const Instance& instance) {
  return sizeof(Header) + sizeof(Progress) + instance.simulation.state_bytes();
}

Header make_header(const Instance& instance) {
  Header header = {};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.format_version = kFormatVersion;
  header.byte_order = kByteOrder;
  header.size = calc_serialized_size(instance);
  const char* guid = instance.model().guid;
  for (std::size_t i = 0; i + 1 < sizeof(header.guid) && guid[i]; ++i) header.guid[i] = guid[i];
  return header;
}

// FNV-1a, 64 bits: every change of a single byte changes it.
std::uint64_t calc_checksum(std::uint64_t sum, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < size; ++i) sum = (sum ^ bytes[i]) * 0x100000001b3u;
  return sum;
}

std::uint64_t calc_checksum(Header header, const void* body, std::size_t body_size) {
  header.checksum = 0;
  const std::uint64_t sum = calc_checksum(0xcbf29ce484222325u, &header, sizeof(header));
  return calc_checksum(sum, body, body_size);
}

bool is_plausible(const Progress& progress) {
  const std::uint32_t of_the_other_kind =
      progress.exchange ? kStepComplete | kStepFailed : kEventMode | kContinuousTimeMode;
  return is_valid(static_cast<State>(progress.state)) &&
         (progress.state & of_the_other_kind) == 0 && std::isfinite(progress.time) &&
         std::isfinite(progress.start_time) && std::isfinite(progress.stop_time) &&
         progress.last_step_status >= fmi2OK && progress.last_step_status <= fmi2Fatal;
}

SavedState* find_state(Instance& instance, const void* handle) {
  for (SavedState* saved = instance.saved_states; saved; saved = saved->next)
    if (saved == handle) return saved;
  return nullptr;
}

// The state behind a handle; null, with the reason logged, if it is none of this instance.
SavedState* find_state(Instance& instance, const char* function, const void* handle) {
  SavedState* saved = handle ? find_state(instance, handle) : nullptr;
  if (!saved)
    instance.log.error(handle ? "%s: this is not a saved state of this instance"
                              : "%s: the saved state is a null pointer",
                       function);
  return saved;
}

SavedState* make_state(Instance& instance, const char* function) {
  const std::size_t size = sizeof(SavedState) + instance.simulation.state_bytes();
  auto* saved = static_cast<SavedState*>(std::malloc(size));
  if (!saved) {
    instance.log.error("%s: out of memory (%zu bytes)", function, size);
    return nullptr;
  }
  saved->next = instance.saved_states;
  instance.saved_states = saved;
  return saved;
}

}  // namespace

fmi2Status get_state(Instance& instance, fmi2FMUstate* handle) {
  constexpr const char* kFunction = "fmi2GetFMUstate";
  if (!handle) return instance.log.error("%s: nowhere to put the state", kFunction);
  SavedState* saved =
      *handle ? find_state(instance, kFunction, *handle) : make_state(instance, kFunction);
  if (!saved) return fmi2Error;
  saved->progress = instance.progress;
  instance.simulation.save(saved->physics());
  *handle = saved;
  return fmi2OK;
}

fmi2Status set_state(Instance& instance, fmi2FMUstate handle) {
  const SavedState* saved = find_state(instance, "fmi2SetFMUstate", handle);
  if (!saved) return fmi2Error;
  instance.simulation.restore(saved->physics());
  const Progress here = instance.progress;
  instance.progress = saved->progress;
  // how far a run may go is for the host to say that continues it
  instance.progress.stop_time = here.stop_time;
  instance.progress.stop_time_defined = here.stop_time_defined;
  instance.just_restored = true;
  return fmi2OK;
}

fmi2Status free_state(Instance& instance, fmi2FMUstate* handle) {
  if (!handle || !*handle) return fmi2OK;
  SavedState* saved = find_state(instance, "fmi2FreeFMUstate", *handle);
  if (!saved) return fmi2Error;
  SavedState** link = &instance.saved_states;
  while (*link != saved) link = &(*link)->next;
  *link = saved->next;
  std::free(saved);
  *handle = nullptr;
  return fmi2OK;
}

void free_all_states(Instance& instance) {
  while (SavedState* saved = instance.saved_states) {
    instance.saved_states = saved->next;
    std::free(saved);
  }
}

fmi2Status get_serialized_size(Instance& instance, fmi2FMUstate handle, std::size_t* size) {
  constexpr const char* kFunction = "fmi2SerializedFMUstateSize";
  if (!size) return instance.log.error("%s: nowhere to put the size", kFunction);
  if (!find_state(instance, kFunction, handle)) return fmi2Error;
  *size = calc_serialized_size(instance);
  return fmi2OK;
}

fmi2Status serialize_state(Instance& instance, fmi2FMUstate handle, fmi2Byte bytes[],
                           std::size_t size) {
  constexpr const char* kFunction = "fmi2SerializeFMUstate";
  const SavedState* saved = find_state(instance, kFunction, handle);
  if (!saved) return fmi2Error;
  if (!bytes) return instance.log.error("%s: nowhere to put the bytes", kFunction);
  Header header = make_header(instance);
  if (size != header.size)
    return instance.log.error("%s: the state has %zu bytes, room is given for %zu", kFunction,
                              static_cast<std::size_t>(header.size), size);

  fmi2Byte* body = bytes + sizeof(Header);
  std::memcpy(body, &saved->progress, sizeof(Progress));
  std::memcpy(body + sizeof(Progress), saved->physics(), instance.simulation.state_bytes());
  header.checksum = calc_checksum(header, body, size - sizeof(Header));
  std::memcpy(bytes, &header, sizeof(Header));
  return fmi2OK;
}

fmi2Status deserialize_state(Instance& instance, const fmi2Byte bytes[], std::size_t size,
                             fmi2FMUstate* handle) {
  constexpr const char* kFunction = "fmi2DeSerializeFMUstate";
  if (!bytes || !handle) return instance.log.error("%s: null pointer", kFunction);

  // what can be said about the bytes, from the outside to the inside
  const Header expected = make_header(instance);
  Header header;
  if (size < sizeof(Header))
    return instance.log.error("%s: %zu bytes are too few for a saved state", kFunction, size);
  std::memcpy(&header, bytes, sizeof(Header));
  if (std::memcmp(header.magic, expected.magic, sizeof(kMagic)) != 0)
    return instance.log.error("%s: these bytes are not a saved state", kFunction);
  if (header.format_version != expected.format_version || header.byte_order != expected.byte_order)
    return instance.log.error("%s: the state has another format (version %u, expected %u)",
                              kFunction, header.format_version, expected.format_version);
  if (std::memcmp(header.guid, expected.guid, sizeof(header.guid)) != 0) {
    header.guid[sizeof(header.guid) - 1] = '\0';
    return instance.log.error("%s: the state belongs to the FMU '%s', this one is '%s'", kFunction,
                              header.guid, instance.model().guid);
  }
  if (header.size != expected.size || size != expected.size)
    return instance.log.error("%s: the state has %zu bytes, %zu are given", kFunction,
                              static_cast<std::size_t>(expected.size), size);
  const fmi2Byte* body = bytes + sizeof(Header);
  if (calc_checksum(header, body, size - sizeof(Header)) != header.checksum)
    return instance.log.error("%s: the bytes are damaged (checksum)", kFunction);
  Progress progress;
  std::memcpy(&progress, body, sizeof(Progress));
  if (is_plausible(progress) && progress.exchange != instance.progress.exchange)
    return instance.log.error("%s: the state is that of %s", kFunction,
                              progress.exchange ? "model exchange" : "co-simulation");
  if (!is_plausible(progress))
    return instance.log.error("%s: the bytes are damaged (contents)", kFunction);

  SavedState* saved = make_state(instance, kFunction);
  if (!saved) return fmi2Error;
  saved->progress = progress;
  std::memcpy(saved->physics(), body + sizeof(Progress), instance.simulation.state_bytes());
  *handle = saved;
  return fmi2OK;
}

}  // namespace mechfmu::fmi
