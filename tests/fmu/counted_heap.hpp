// malloc and its relatives of this whole program, counted while asked to; libraries that are loaded
// later call these, too.
#pragma once

namespace mechfmu::testing {

struct HeapCount {
  static bool is_available();  // not where a sanitizer has replaced malloc already
  static void start();
  static long stop();  // calls since start, frees included
};

}  // namespace mechfmu::testing
