// After initialization a step takes nothing from the system: no memory from the heap, no system
// call, whatever scheme, integrator and solver, and not where a step fails either. So an FMU can
// run where something else must never wait.
//
// Heap: malloc and its relatives of this program are counted. System calls: a child process forbids
// itself all of them (seccomp), runs the same steps and lives.
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>

#include "fmu/built_fmu.hpp"
#include "fmu/counted_heap.hpp"

namespace mechfmu::testing {
namespace {

void say_nothing(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...) {}

// One instance, with everything that a host needs in the loop already at hand.
class Host {
 public:
  explicit Host(const BuiltFmu& built)
      : built_(built), functions_(built.fmu().library().functions()) {
    callbacks_.logger = say_nothing;
    callbacks_.allocateMemory = std::calloc;
    callbacks_.freeMemory = std::free;
    component_ =
        functions_.Instantiate("steady", fmi2CoSimulation, built.description().guid.c_str(), "",
                               &callbacks_, fmi2False, fmi2True);
    for (const FmuVariable& v : built.description().variables) {
      if (v.type != FmuVariable::Type::real) continue;
      if (v.causality == FmuVariable::Causality::input) inputs_.push_back(v.value_reference);
      if (v.causality == FmuVariable::Causality::output) outputs_.push_back(v.value_reference);
    }
    values_.resize(inputs_.size());
    results_.resize(outputs_.size());
  }
  ~Host() { functions_.FreeInstance(component_); }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  void choose(const std::string& name, const std::string& item) {
    const FmuVariable* v = built_.description().find(name);
    if (v == nullptr) return;  // built with one
    for (const FmuVariable::Item& i : v->items)
      if (i.name == item) set_integer(name, i.value);
  }
  void set_integer(const std::string& name, int value) {
    const fmi2ValueReference reference = built_.reference(name);
    ASSERT_EQ(functions_.SetInteger(component_, &reference, 1, &value), fmi2OK);
  }
  void set(const std::string& name, double value) {
    const fmi2ValueReference reference = built_.reference(name);
    ASSERT_EQ(functions_.SetReal(component_, &reference, 1, &value), fmi2OK) << name;
  }
  void initialize() {
    ASSERT_EQ(functions_.SetupExperiment(component_, fmi2False, 0, 0, fmi2False, 0), fmi2OK);
    ASSERT_EQ(functions_.EnterInitializationMode(component_), fmi2OK);
    ASSERT_EQ(functions_.ExitInitializationMode(component_), fmi2OK);
  }

  struct Outcome {
    int done = 0, refused = 0, broken = 0;  // steps
    bool operator==(const Outcome&) const = default;
  };
  // What is watched: inputs that change, steps, outputs. A refused step is tried again, and again.
  Outcome run(int steps, double h) {
    Outcome outcome;
    double time = 0;
    for (int i = 0; i < steps; ++i) {
      for (double& value : values_) value = i % 3 * 1e-3;
      if (!inputs_.empty())
        functions_.SetReal(component_, inputs_.data(), inputs_.size(), values_.data());
      const fmi2Status status = functions_.DoStep(component_, time, h, fmi2True);
      ++(status == fmi2OK        ? outcome.done
         : status == fmi2Discard ? outcome.refused
                                 : outcome.broken);
      if (status == fmi2OK) time += h;
      functions_.GetReal(component_, outputs_.data(), outputs_.size(), results_.data());
    }
    return outcome;
  }

 private:
  const BuiltFmu& built_;
  const FmuFunctions& functions_;
  fmi2CallbackFunctions callbacks_{};
  fmi2Component component_ = nullptr;
  std::vector<fmi2ValueReference> inputs_, outputs_;
  std::vector<double> values_, results_;
};

// What the child process tells.
struct Told {
  Host::Outcome outcome;
  bool finished = false;
  int system_call = -1;  // the forbidden one
};
Told* told = nullptr;  // shared with the child

void note_system_call(int /*signal*/, siginfo_t* info, void* /*context*/) {
  told->system_call = info->si_syscall;
  _exit(1);
}

bool forbid_system_calls() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
  };
  const sock_fprog filter{sizeof(program) / sizeof(program[0]), program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

// The run in a child that may do nothing but end. Nothing: this system has no seccomp.
std::optional<Told> run_without_system_calls(Host& host, int steps, double h) {
  constexpr int kNoSeccomp = 77;
  void* shared =
      mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return {};
  told = new (shared) Told;
  const pid_t child = fork();
  if (child == 0) {
    struct sigaction action {};
    action.sa_sigaction = note_system_call;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSYS, &action, nullptr);
    if (!forbid_system_calls()) _exit(kNoSeccomp);
    told->outcome = host.run(steps, h);
    told->finished = true;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const Told result = *told;
  munmap(shared, sizeof(Told));
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoSeccomp) return {};
  return result;
}

// First in a child, then here: both start from the same state.
Host::Outcome expect_steady(Host& host, int steps, double h) {
  const std::optional<Told> child = run_without_system_calls(host, steps, h);
  if (child) {
    EXPECT_TRUE(child->finished) << "system call number " << child->system_call;
  }
  HeapCount::start();
  const Host::Outcome outcome = host.run(steps, h);
  EXPECT_EQ(HeapCount::stop(), 0) << "calls of malloc, free and the like";
  if (child) {
    EXPECT_EQ(child->outcome, outcome);
  }
  EXPECT_EQ(outcome.broken, 0);
  return outcome;
}

SystemOptions several(const std::vector<std::string>& schemes,
                      const std::vector<std::string>& integrators) {
  SystemOptions options;
  for (const std::string& scheme : schemes) options.schemes.push_back({scheme, {}, std::nullopt});
  options.integrators = integrators;
  return options;
}

void expect_all_steady(const std::string& example, const SystemOptions& options) {
  BuiltFmu built(example_text(example), options);
  for (const SchemeChoice& scheme : options.schemes)
    for (const std::string& integrator : options.integrators) {
      SCOPED_TRACE(example + ", " + scheme.name + ", " + integrator);
      Host host(built);
      host.choose("scheme.name", scheme.name);
      host.choose("solver.integrator", integrator);
      host.initialize();
      EXPECT_GT(expect_steady(host, 20, 5e-3).done, 0);
    }
}

class Steady : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HeapCount::is_available()) GTEST_SKIP() << "a sanitizer has replaced malloc";
  }
};

TEST_F(Steady, TheWatchersSeeWhatTheyWatch) {
  BuiltFmu built(example_text("pendulum"));
  HeapCount::start();
  {
    Host unused(built);  // the FMU takes its memory here
  }
  EXPECT_GE(HeapCount::stop(), 2);
  Host host(built);
  host.initialize();
  if (!run_without_system_calls(host, 1, 1e-3)) GTEST_SKIP() << "no seccomp on this system";
  const pid_t child = fork();
  if (child == 0) {
    forbid_system_calls();
    getppid();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
}

TEST_F(Steady, EverySchemeAndManyIntegrators) {
  std::vector<std::string> schemes;
#define SCHEME(id, title, equations, traits, parameters) schemes.emplace_back(#id);
#include "schemes/schemes.def"
#undef SCHEME
  std::vector<std::string> integrators;
  std::stringstream names("rk4 dopri5 rosenbrock ab4 pece4 am4 implicit_euler cash_karp");
  for (std::string name; names >> name;) integrators.push_back(name);
  expect_all_steady("four_bar", several(schemes, integrators));
}

TEST_F(Steady, RankRevealingSolver) {
  expect_all_steady("bricard", several({"projection", "partitioning"}, {"rk4", "dopri5"}));
}

TEST_F(Steady, SolversByTables) {
  SystemOptions options = several({"projection", "compliant"}, {"rk4"});
  options.solver = "sparse";
  expect_all_steady("four_bar", options);
  options.solver = "divide_and_conquer";
  options.coordinates = "absolute_spatial";
  options.schemes = {{"augmented_lagrangian_projection", {}, std::nullopt},
                     {"compliant", {}, std::nullopt}};
  expect_all_steady("spatial_loop", options);
}

TEST_F(Steady, InputsThatConstraintsFollow) {
  expect_all_steady("towed_ship", several({"projection"}, {"dopri5"}));
}

// Steps that are refused: the projection may not iterate.
TEST_F(Steady, StepsThatFail) {
  BuiltFmu built(example_text("four_bar"));
  Host host(built);
  host.set("scheme.tolerance", 1e-15);
  host.set_integer("scheme.iterations", 1);
  host.set("solver.step", 0.02);
  host.initialize();
  EXPECT_GT(expect_steady(host, 50, 0.02).refused, 0);
}

}  // namespace
}  // namespace mechfmu::testing
