// Shared libraries made on the spot with the machine's compiler, good and bad ones.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "build/compiler.hpp"
#include "build/process.hpp"
#include "package/file_io.hpp"
#include "package/temporary_folder.hpp"

namespace mechfmu::test {

class CompiledLibrary : public testing::Test {
 protected:
  void SetUp() override {
    Diagnostics diagnostics;
    compiler_ = find_compiler(diagnostics);
    if (!compiler_) GTEST_SKIP() << "no C++ compiler here";
    folder_ = TemporaryFolder::make(diagnostics);
    ASSERT_TRUE(folder_);
  }

  // The bytes of a library compiled from `source` with `arguments` added.
  std::string compile(const std::string& source, const std::vector<std::string>& arguments = {}) {
    EXPECT_EQ(write_file(folder_->path() + "/a.cpp", source, IfExists::replace), "");
    ProcessRequest request;
    request.folder = folder_->path();
    request.command = compiler_->command;
    for (const char* word : {"-shared", "-fPIC", "-O1", "a.cpp", "-o", "a.so"})
      request.command.emplace_back(word);
    for (const std::string& word : arguments) request.command.push_back(word);
    const ProcessResult result = run_process(request);
    EXPECT_TRUE(result.is_success()) << result.output;
    std::string bytes;
    EXPECT_EQ(read_file(library_path(), 100U << 20, bytes), "");
    return bytes;
  }

  [[nodiscard]] std::string library_path() const { return folder_->path() + "/a.so"; }

  std::optional<Compiler> compiler_;
  std::unique_ptr<TemporaryFolder> folder_;
};

}  // namespace mechfmu::test
