#include "fmu/counted_heap.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define COUNTED_HEAP 1
#endif

namespace {

std::atomic<bool> counting{false};
std::atomic<long> calls{0};

void note() {
  if (counting.load(std::memory_order_relaxed)) calls.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

#ifdef COUNTED_HEAP
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): what glibc calls its own
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(std::size_t size) {
  note();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  note();
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  note();
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  note();
  *result = __libc_memalign(alignment, size);
  return *result != nullptr ? 0 : ENOMEM;
}
void free(void* memory) {
  if (memory != nullptr) note();
  __libc_free(memory);
}
}
#endif

namespace mechfmu::testing {

bool HeapCount::is_available() {
#ifdef COUNTED_HEAP
  return true;
#else
  return false;
#endif
}

void HeapCount::start() {
  calls = 0;
  counting = true;
}

long HeapCount::stop() {
  counting = false;
  return calls;
}

}  // namespace mechfmu::testing
