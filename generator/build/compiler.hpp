// The C++ compiler of the user's machine, used for the two generated files of a model: kernels and
// tables. The runtime was compiled when mechfmu was built and is only linked.
//
// The result depends on nothing but sources and compiler: names are relative to the build folder,
// no build id, no debug data. The C++ library is not linked (-nodefaultlibs): an FMU needs libm and
// libc only (P1).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostic.hpp"

namespace mechfmu {

struct Compiler {
  std::vector<std::string>
      command;  // full path of the program, then arguments that CXX carries ("ccache g++ -m64")
};

// $CXX if set, else g++, c++, clang++. Nothing: S601 says what to install.
std::optional<Compiler> find_compiler(Diagnostics& diagnostics);

// "g++ (Debian 12.2.0-14) 12.2.0", for `doctor`; "" if the program does not answer.
std::string compiler_version(const Compiler& compiler);

// What code in an FMU is compiled with, beside the language: "-O2 -fPIC ...".
std::string fmu_compiler_flags();

struct CompileRequest {
  std::string folder;                // everything below is relative to it
  std::vector<std::string> sources;  // "kernels.cpp"; compiled at the same time
  std::string include_folder;        // "include"
  std::string archive;               // "libmechfmu_fmu.a"
  std::string version_script;        // "exports.map"
  std::string library;               // the result: "FourBar.so"
};

// False: S602 with the command and what the compiler said.
bool compile_library(const Compiler& compiler, const CompileRequest& request,
                     Diagnostics& diagnostics);

}  // namespace mechfmu
