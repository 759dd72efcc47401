// What must not be left behind when the program is interrupted: temporary folders, half-written
// files, running compilers. SIGINT, SIGTERM and SIGHUP end the program as always, but first the
// things registered here are removed or stopped. The signal handler allocates nothing and takes no
// lock; the registry is a fixed table.
#pragma once
#include <sys/types.h>

#include <string>

namespace mechfmu {

// A file or folder that is removed (with its content) on an interrupt and when this object goes.
class RemovedPath {
 public:
  explicit RemovedPath(std::string path);
  ~RemovedPath();
  RemovedPath(const RemovedPath&) = delete;
  RemovedPath& operator=(const RemovedPath&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  void keep();  // it got its final place: do not remove it

 private:
  std::string path_;
  int slot_ = -1;
  bool removed_ = true;
};

// A process group that is killed on an interrupt while this object lives.
class KilledGroup {
 public:
  explicit KilledGroup(pid_t group);
  ~KilledGroup();
  KilledGroup(const KilledGroup&) = delete;
  KilledGroup& operator=(const KilledGroup&) = delete;

 private:
  int slot_ = -1;
};

// In a forked child: the parent's things are none of its business.
void forget_interrupts();

// Removes a file, or a folder with everything in it; links are removed, not followed. False if
// something is left.
bool remove_tree(const char* path);

}  // namespace mechfmu
