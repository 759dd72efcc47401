// Running programs. Reference: POSIX (exit statuses, signals); the programs are those of every
// Linux system.
#include "build/process.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>

namespace mechfmu {
namespace {

ProcessResult run(std::vector<std::string> command, double seconds = 60) {
  ProcessRequest request;
  request.command = std::move(command);
  request.seconds_allowed = seconds;
  return run_process(request);
}

TEST(RunProcess, CapturesBothOutputsAndTheExitStatus) {
  const ProcessResult result = run({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(result.end, ProcessResult::End::exited);
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.output, "out\nerr\n");
  EXPECT_FALSE(result.is_success());
  EXPECT_EQ(describe_end(result), "exited with 3");
}

TEST(RunProcess, ArgumentsAreNotReadByAShell) {
  const ProcessResult result = run({"echo", "$HOME; `id` *  \"'"});
  EXPECT_EQ(result.output, "$HOME; `id` *  \"'\n");
}

TEST(RunProcess, RunsInTheGivenFolderWithTheGivenEnvironment) {
  ProcessRequest request;
  request.command = {"sh", "-c", "pwd; echo $MECHFMU_TEST_VALUE"};
  request.folder = "/usr";
  request.environment = {{"MECHFMU_TEST_VALUE", "a b"}};
  EXPECT_EQ(run_process(request).output, "/usr\na b\n");
}

TEST(RunProcess, ProgramThatDoesNotExistIsReported) {
  const ProcessResult result = run({"no-such-program-anywhere"});
  EXPECT_EQ(result.end, ProcessResult::End::not_started);
  EXPECT_EQ(result.code, ENOENT);
}

TEST(RunProcess, DeathBySignalIsReported) {
  const ProcessResult result = run({"sh", "-c", "kill -SEGV $$"});
  EXPECT_EQ(result.end, ProcessResult::End::signalled);
  EXPECT_EQ(result.code, SIGSEGV);
}

TEST(RunProcess, EndlessProgramAndItsChildrenAreKilledAtTheLimit) {
  // the grandchild holds the pipe: killing only the child would wait for it
  const ProcessResult result = run({"sh", "-c", "sleep 1000 & sleep 1000"}, 0.2);
  EXPECT_EQ(result.end, ProcessResult::End::timed_out);
}

TEST(RunProcess, ProgramThatClosesItsOutputIsStillLimited) {
  const ProcessResult result = run({"sh", "-c", "exec >&- 2>&-; sleep 1000"}, 0.2);
  EXPECT_EQ(result.end, ProcessResult::End::timed_out);
}

TEST(RunProcess, EnormousOutputIsCutButTheProgramRunsToItsEnd) {
  const ProcessResult result = run({"sh", "-c", "head -c 1000000 /dev/zero; exit 4"});
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.output.size(), 65536u);
}

TEST(RunProcess, CountsTheProcessorTimeOfTheProgram) {
  const ProcessResult busy = run({"sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"});
  EXPECT_GT(busy.cpu_seconds, 0.01);
}

TEST(RunProcesses, RunAtTheSameTime) {
  // each waits for a file that only the other makes; one after the other would never end
  ProcessRequest request;
  request.seconds_allowed = 60;
  request.command = {"mktemp", "-d"};
  std::string folder = run_process(request).output;
  ASSERT_FALSE(folder.empty());
  folder.pop_back();
  request.folder = folder;
  request.command = {"sh", "-c", "touch a; while [ ! -e b ]; do sleep 0.01; done"};
  ProcessRequest other = request;
  other.command = {"sh", "-c", "touch b; while [ ! -e a ]; do sleep 0.01; done"};
  for (const ProcessResult& result : run_processes({request, other}))
    EXPECT_TRUE(result.is_success());
  run({"rm", "-r", folder});
}

TEST(FindProgram, SearchesThePath) {
  EXPECT_TRUE(find_program("sh").ends_with("/sh"));
  EXPECT_EQ(find_program("no-such-program-anywhere"), "");
  EXPECT_EQ(find_program("/etc/passwd"), "");  // not executable
  EXPECT_EQ(find_program("/usr"), "");         // a folder
  EXPECT_EQ(find_program(""), "");
}

}  // namespace
}  // namespace mechfmu
