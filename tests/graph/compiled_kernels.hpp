// Kernels as an FMU has them: printed, compiled with its flags, loaded. All kernels of a test go
// into one library, made by the compiler in $CXX (or g++) with every warning an error, so that the
// text is also known to compile clean.
#pragma once
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "graph/print.hpp"
#include "graph/roll.hpp"

namespace mechfmu::testing {

using Run = void (*)(const void*, const double* const*, double*);
inline constexpr std::string_view kNames[] = {"q", "v"};

inline std::string compiler() {
  const char* cxx = std::getenv("CXX");
  return cxx != nullptr && *cxx != '\0' ? cxx : "g++";
}

// One library of kernels. Kernel k is in the exported array `kernels`.
class Library {
 public:
  std::size_t add(const Program& program, int block_operations = kBlockOperations) {
    const std::string name = "k" + std::to_string(names_.size());
    text_ += print_kernel(name, program, kNames, block_operations);
    names_.push_back(name);
    return names_.size() - 1;
  }

  // With loops where there are any; false: there are none.
  bool add_rolled(const Program& program, std::size_t& kernel) {
    const RolledProgram rolled = roll(program);
    const std::string name = "k" + std::to_string(names_.size());
    PrintOptions options;
    options.arrays = kNames;
    text_ += print_rolled_kernel(name, program, rolled, options).text;
    kernel = names_.size();
    names_.push_back(name);
    return !rolled.loops.empty();
  }

  // What the kernels look up; they must come from one graph then.
  void set_tables(const std::vector<TableFunction>& tables) { tables_ = print_tables(tables); }

  // Empty when it worked, else what the compiler or the loader said.
  std::string build() {
    namespace fs = std::filesystem;
    std::string pattern = (fs::temp_directory_path() / "mechfmu_graph_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) return "no temporary folder";
    folder_ = pattern;
    const fs::path source = folder_ / "kernels.cpp", library = folder_ / "kernels.so",
                   log = folder_ / "log";
    std::ofstream out(source);
    out << "#include \"platform/elementary.hpp\"\n" << tables_ << "\n" << text_ << "\n";
    out << "extern \"C\" {\n";
    out << "typedef void (*Run)(const void*, const double* const*, double*);\n";
    out << "__attribute__((visibility(\"default\"))) extern const Run kernels[];\n";
    out << "const Run kernels[] = {";
    for (const std::string& name : names_) out << name << ", ";
    out << "};\n}\n";
    out.close();
    const std::string command =
        compiler() +
        " -std=c++20 -shared -fPIC -O2 -ffp-contract=off -fno-math-errno -fno-exceptions"
        " -fno-rtti -fvisibility=hidden -Wall -Wextra -Wpedantic -Wconversion -Wshadow"
        " -Wold-style-cast -Werror -I '" MECHFMU_PROJECT_DIR "/fmu_src' -o '" +
        library.string() + "' '" + source.string() + "' -lm > '" + log.string() + "' 2>&1";
    if (std::system(command.c_str()) != 0) {
      std::stringstream said;
      said << command << "\n" << std::ifstream(log).rdbuf();
      return said.str().substr(0, 4000);
    }
    handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) return dlerror();
    kernels_ = static_cast<const Run*>(dlsym(handle_, "kernels"));
    return kernels_ == nullptr ? "no symbol 'kernels'" : "";
  }

  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  void run(std::size_t kernel, const double* const* in, double* out) const {
    kernels_[kernel](nullptr, in, out);
  }

 private:
  std::string text_, tables_;
  std::vector<std::string> names_;
  std::filesystem::path folder_;
  void* handle_ = nullptr;
  const Run* kernels_ = nullptr;
};

inline bool has_compiler() {
  return std::system((compiler() + " --version > /dev/null 2>&1").c_str()) == 0;
}

// A compiler has built these tests; that it does not run is a failure.
#define REQUIRE_COMPILER() \
  ASSERT_TRUE(::mechfmu::testing::has_compiler()) << "neither $CXX nor g++ runs"

// Equal bits; the sign and payload of a NaN are not specified by the language.
inline ::testing::AssertionResult same_bits(double x, double y) {
  if (std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) ||
      (std::isnan(x) && std::isnan(y)))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << std::hexfloat << x << " is not " << y;
}

inline std::vector<double> interpreted(const Program& program, const double* const* in) {
  std::vector<double> out(program.results.size()), scratch;
  interpret(program, in, out.data(), scratch);
  return out;
}

}  // namespace mechfmu::testing
