#include "package/interrupt.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <utility>

namespace mechfmu {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
constexpr int kDeepest = 32;  // folders within folders; ours have three levels

// free -> filling -> ready -> free; only a ready slot is looked at by the handler
enum SlotState : int { kFree, kFilling, kReady };

struct PathSlot {
  std::atomic<int> state{kFree};
  std::array<char, PATH_MAX> path{};
};

struct GroupSlot {
  std::atomic<int> state{kFree};
  std::atomic<pid_t> group{0};
};

std::array<PathSlot, 16> path_slots;
std::array<GroupSlot, 16> group_slots;
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

void handle_interrupt(int signal_number) {
  const int saved = errno;
  for (GroupSlot& slot : group_slots)
    if (slot.state.load() == kReady) kill(-slot.group.load(), SIGKILL);
  for (PathSlot& slot : path_slots)
    if (slot.state.load() == kReady) remove_tree(slot.path.data());
  errno = saved;
  // die of the signal, so that the shell sees why; it is delivered when this handler returns
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

// Only where nobody else has decided: a program started with nohup keeps ignoring SIGHUP. Called
// whenever something is registered, because a forked child may have put the signals back.
void install_handlers() {
  for (const int number : kSignals) {
    struct sigaction action {};
    sigaction(number, nullptr, &action);
    if ((action.sa_flags & SA_SIGINFO) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = handle_interrupt;
    sigfillset(&action.sa_mask);
    sigaction(number, &action, nullptr);
  }
}

template <class Slots>
int take_slot(Slots& slots) {
  install_handlers();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    int expected = kFree;
    if (slots[i].state.compare_exchange_strong(expected, kFilling)) return static_cast<int>(i);
  }
  return -1;  // more at once than the table holds: such a path is removed by the destructor only
}

template <class Slots>
auto& slot_at(Slots& slots, int index) {
  return slots[static_cast<std::size_t>(index)];
}

// readdir() allocates and must not be used in a signal handler; the system call below it may.
struct FolderEntry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];  // as long as it is
};

bool remove_entry(int folder, const char* name, int depth);

bool remove_content(int folder, int depth) {
  bool complete = true;
  bool any_removed = true;
  // entries may be skipped while others are removed: look again until a pass removes nothing
  while (any_removed) {
    any_removed = false;
    complete = true;
    lseek(folder, 0, SEEK_SET);
    alignas(FolderEntry) std::array<char, 4096> buffer;
    long size = 0;
    while ((size = syscall(SYS_getdents64, folder, buffer.data(), buffer.size())) > 0) {
      for (long at = 0; at < size;) {
        const char* record = buffer.data() + at;
        std::uint16_t length = 0;
        std::memcpy(&length, record + offsetof(FolderEntry, length), sizeof length);
        const char* name = record + offsetof(FolderEntry, name);
        at += length;
        if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
        if (remove_entry(folder, name, depth))
          any_removed = true;
        else
          complete = false;
      }
    }
    if (size < 0) return false;
  }
  return complete;
}

bool remove_entry(int folder, const char* name, int depth) {
  if (unlinkat(folder, name, 0) == 0 || errno == ENOENT) return true;
  if (depth >= kDeepest) return false;
  const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inner < 0) return false;
  const bool emptied = remove_content(inner, depth + 1);
  close(inner);
  return emptied && (unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT);
}

}  // namespace

bool remove_tree(const char* path) { return remove_entry(AT_FDCWD, path, 0); }

RemovedPath::RemovedPath(std::string path) : path_(std::move(path)) {
  if (path_.size() >= PATH_MAX) return;
  slot_ = take_slot(path_slots);
  if (slot_ < 0) return;
  PathSlot& slot = slot_at(path_slots, slot_);
  std::memcpy(slot.path.data(), path_.c_str(), path_.size() + 1);
  slot.state.store(kReady);
}

RemovedPath::~RemovedPath() {
  if (removed_) remove_tree(path_.c_str());
  if (slot_ >= 0) slot_at(path_slots, slot_).state.store(kFree);
}

void RemovedPath::keep() {
  removed_ = false;
  if (slot_ >= 0) slot_at(path_slots, std::exchange(slot_, -1)).state.store(kFree);
}

KilledGroup::KilledGroup(pid_t group) : slot_(take_slot(group_slots)) {
  if (slot_ < 0) return;
  GroupSlot& slot = slot_at(group_slots, slot_);
  slot.group.store(group);
  slot.state.store(kReady);
}

KilledGroup::~KilledGroup() {
  if (slot_ >= 0) slot_at(group_slots, slot_).state.store(kFree);
}

void forget_interrupts() {
  for (PathSlot& slot : path_slots) slot.state.store(kFree);
  for (GroupSlot& slot : group_slots) slot.state.store(kFree);
  for (const int number : kSignals) {
    struct sigaction action {};
    sigaction(number, nullptr, &action);
    if ((action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == handle_interrupt)
      signal(number, SIG_DFL);
  }
}

}  // namespace mechfmu
