// Completion in shells, by asking the shells. References: what a user expects to be offered.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include "program.hpp"

namespace mechfmu::test {
namespace {

// What bash offers for these words, the last one being typed.
std::vector<std::string> offered(const std::string& words, int position) {
  const std::string script = "source <(" MECHFMU_PROGRAM " completion bash); COMP_WORDS=(" + words +
                             "); COMP_CWORD=" + std::to_string(position) +
                             "; _mechfmu; printf '%s\\n' \"${COMPREPLY[@]}\"";
  const RunResult result = run_command({"/bin/bash", "-c", script});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  std::vector<std::string> list;
  std::stringstream stream(result.out);
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) list.push_back(line);
  return list;
}

using Words = std::vector<std::string>;

TEST(Completion, OffersCommandsOptionsAndValues) {
  EXPECT_EQ(offered("mechfmu bui", 1), Words{"build"});
  EXPECT_EQ(offered("mechfmu build --coord", 2), Words{"--coordinates"});
  EXPECT_EQ(offered("mechfmu build f.xml --scheme baum", 4), Words{"baumgarte"});
  EXPECT_EQ(offered("mechfmu build f.xml --schemes taylor1,baum", 4), Words{"taylor1,baumgarte"});
  EXPECT_EQ(offered("mechfmu compare --integrators dop", 3), Words{"dopri5"});
  EXPECT_EQ(offered("mechfmu schemes part", 2), Words{"partitioning"});
  EXPECT_EQ(offered("mechfmu completion z", 2), Words{"zsh"});
  EXPECT_EQ(offered("mechfmu --quiet buil", 2), Words{"build"});
  EXPECT_TRUE(offered("mechfmu build --nothing-like-this", 2).empty());
}

TEST(Completion, EveryShellKnowsEveryCommandAndItsShellReadsIt) {
  const RunResult bash = run_mechfmu({"completion", "bash"});
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const RunResult script = run_mechfmu({"completion", shell});
    ASSERT_EQ(script.exit_code, 0);
    for (const char* word : {"linearize", "couple", "tolerance", "partitioning", "rosenbrock"})
      EXPECT_TRUE(contains(script.out, word)) << shell << " " << word;
    const std::string program = std::string("/usr/bin/") + shell;
    if (!std::filesystem::exists(program)) continue;
    RunOptions options;
    options.input = script.out;
    const RunResult read = run_command({program, "-n"}, options);
    EXPECT_EQ(read.exit_code, 0) << shell << read.err;
  }
}

TEST(Completion, AnUnknownShellIsWrongUsage) {
  const RunResult r = run_mechfmu({"completion", "fisch"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_TRUE(contains(r.err, "did you mean 'fish'")) << r.err;
}

TEST(Manual, HasASectionForEveryCommandAndIsCleanTroff) {
  const RunResult r = run_mechfmu({"man"});
  ASSERT_EQ(r.exit_code, 0);
  for (const char* part :
       {".TH MECHFMU 1", ".SH build\n", ".SH couple\n", ".SH EXIT STATUS", "\\-\\-scheme"})
    EXPECT_TRUE(contains(r.out, part)) << part;
  std::stringstream stream(r.out);
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with('.')) {
      const std::string macro = line.substr(0, line.find(' '));
      const std::vector<std::string> known = {".TH", ".SH", ".TP", ".PP", ".B",
                                              ".I",  ".BR", ".nf", ".fi"};
      EXPECT_NE(std::find(known.begin(), known.end(), macro), known.end()) << line;
    }
  if (!std::filesystem::exists("/usr/bin/groff")) return;
  RunOptions options;
  options.input = r.out;
  const RunResult groff = run_command({"/usr/bin/groff", "-man", "-Tascii", "-ww"}, options);
  EXPECT_EQ(groff.exit_code, 0);
  EXPECT_EQ(groff.err, "");
}

}  // namespace
}  // namespace mechfmu::test
