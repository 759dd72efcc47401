#include "build/self_test.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "fmi2FunctionTypes.h"
#include "package/file_io.hpp"
#include "package/interrupt.hpp"
#include "support/number_text.hpp"

namespace mechfmu {
namespace {

constexpr unsigned kSecondsAllowed = 60;
constexpr std::size_t kMostLogText = 2000;

std::string log_text;  // of the child: the logger's environment pointer may be lost by a broken FMU

void log_message(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String format,
                 ...) {
  std::array<char, 1024> text{};
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text.data(), text.size(), format != nullptr ? format : "(null)", arguments);
  va_end(arguments);
  if (log_text.size() < kMostLogText) log_text += std::string("\n  log: ") + text.data();
}

// What went wrong, thrown to the end of the child. An exception because the test is a plain list of
// calls.
struct TestFailure {
  std::string text;
};

void require(bool condition, const std::string& text) {
  if (!condition) throw TestFailure{text};
}

void require_ok(fmi2Status status, const char* call) {
  constexpr std::array kNames = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
  const auto index = static_cast<std::size_t>(status);
  require(status == fmi2OK || status == fmi2Warning,
          fmt::format("{} returned fmi2{}", call, index < kNames.size() ? kNames[index] : "?"));
}

class Library {
 public:
  explicit Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    const char* reason = handle_ == nullptr ? dlerror() : nullptr;
    require(handle_ != nullptr,
            fmt::format("it cannot be loaded: {}", reason != nullptr ? reason : "no reason given"));
  }

  template <class Function>
  [[nodiscard]] Function* find(const char* name) const {
    void* address = dlsym(handle_, name);
    require(address != nullptr, fmt::format("it has no function {}", name));
    return std::bit_cast<Function*>(address);
  }

 private:
  void* handle_;
};

// Value references in the order of the interface, per base type.
struct References {
  std::vector<fmi2ValueReference> reals, integers;
  std::vector<const InterfaceVariable*> real_variables;
};

References make_references(const Interface& interface) {
  References references;
  for (const InterfaceVariable& variable : interface.variables) {
    if (variable.type == ValueType::real) {
      references.reals.push_back(variable.value_reference);
      references.real_variables.push_back(&variable);
    } else {
      references.integers.push_back(variable.value_reference);
    }
  }
  return references;
}

class Test {
 public:
  Test(const std::string& path, const SystemModel& system, const std::string& guid)
      : library_(path),
        system_(system),
        guid_(guid),
        references_(make_references(system.interface)) {}

  void run() {
    check_identity();
    const double start = system_.experiment.start;
    const double step = system_.experiment.step.value_or(
        (system_.experiment.stop - system_.experiment.start) / 500);
    instance_ = instantiate(guid_);
    require(instance_ != nullptr, "fmi2Instantiate returned NULL");
    check_starts();
    require_ok(library_.find<fmi2SetupExperimentTYPE>("fmi2SetupExperiment")(
                   instance_, fmi2False, 0, start, fmi2False, 0),
               "fmi2SetupExperiment");
    call("fmi2EnterInitializationMode");
    call("fmi2ExitInitializationMode");
    require_finite("after initialization");
    do_step(start, step);
    require_finite("after a step");
    check_repetition(start + step, step);
    do_step(start + 2 * step, step);
    require_finite("after three steps");
    call("fmi2Terminate");
    library_.find<fmi2FreeInstanceTYPE>("fmi2FreeInstance")(instance_);
  }

 private:
  using Simple = fmi2TerminateTYPE;
  void call(const char* name) { require_ok(library_.find<Simple>(name)(instance_), name); }

  void check_identity() {
    const std::string version = library_.find<fmi2GetVersionTYPE>("fmi2GetVersion")();
    require(version == "2.0", fmt::format("fmi2GetVersion returned '{}'", version));
    const std::string platform = library_.find<fmi2GetTypesPlatformTYPE>("fmi2GetTypesPlatform")();
    require(platform == "default", fmt::format("fmi2GetTypesPlatform returned '{}'", platform));
    require(instantiate("{00000000-0000-0000-0000-000000000000}") == nullptr,
            "fmi2Instantiate took a GUID that is not its own");
    log_text.clear();
  }

  fmi2Component instantiate(const std::string& guid) {
    const fmi2CallbackFunctions callbacks = {log_message, std::calloc, std::free, nullptr, nullptr};
    return library_.find<fmi2InstantiateTYPE>("fmi2Instantiate")(
        "self_test", fmi2CoSimulation, guid.c_str(), "", &callbacks, fmi2False, fmi2False);
  }

  std::vector<double> get_reals() {
    std::vector<double> values(references_.reals.size());
    require_ok(library_.find<fmi2GetRealTYPE>("fmi2GetReal")(instance_, references_.reals.data(),
                                                             values.size(), values.data()),
               "fmi2GetReal");
    return values;
  }

  void check_starts() {
    const auto get = library_.find<fmi2GetRealTYPE>("fmi2GetReal");
    const auto get_integer = library_.find<fmi2GetIntegerTYPE>("fmi2GetInteger");
    for (const InterfaceVariable& variable : system_.interface.variables) {
      if (!variable.start) continue;
      double value = 0;
      if (variable.type == ValueType::real) {
        require_ok(get(instance_, &variable.value_reference, 1, &value), "fmi2GetReal");
      } else {
        fmi2Integer integer = 0;
        require_ok(get_integer(instance_, &variable.value_reference, 1, &integer),
                   "fmi2GetInteger");
        value = integer;
      }
      require(std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(*variable.start),
              fmt::format("'{}' starts with {}, modelDescription.xml says {}", variable.name,
                          number_text(value), number_text(*variable.start)));
    }
  }

  void require_finite(const char* when) {
    const std::vector<double> values = get_reals();
    for (std::size_t i = 0; i < values.size(); ++i)
      require(std::isfinite(values[i]),
              fmt::format("'{}' is {} {}", references_.real_variables[i]->name,
                          number_text(values[i]), when));
    std::vector<fmi2Integer> integers(references_.integers.size());
    if (!integers.empty())
      require_ok(library_.find<fmi2GetIntegerTYPE>("fmi2GetInteger")(
                     instance_, references_.integers.data(), integers.size(), integers.data()),
                 "fmi2GetInteger");
  }

  void do_step(double time, double step) {
    require_ok(library_.find<fmi2DoStepTYPE>("fmi2DoStep")(instance_, time, step, fmi2False),
               "fmi2DoStep");
  }

  void check_repetition(double time, double step) {
    const auto get_state = library_.find<fmi2GetFMUstateTYPE>("fmi2GetFMUstate");
    const auto set_state = library_.find<fmi2SetFMUstateTYPE>("fmi2SetFMUstate");
    const auto free_state = library_.find<fmi2FreeFMUstateTYPE>("fmi2FreeFMUstate");
    fmi2FMUstate state = nullptr;
    require_ok(get_state(instance_, &state), "fmi2GetFMUstate");
    do_step(time, step);
    const std::vector<double> first = get_reals();

    require_ok(set_state(instance_, state), "fmi2SetFMUstate");
    do_step(time, step);
    require_same(first, "after fmi2SetFMUstate");

    std::size_t size = 0;
    require_ok(library_.find<fmi2SerializedFMUstateSizeTYPE>("fmi2SerializedFMUstateSize")(
                   instance_, state, &size),
               "fmi2SerializedFMUstateSize");
    std::vector<fmi2Byte> bytes(size);
    require_ok(library_.find<fmi2SerializeFMUstateTYPE>("fmi2SerializeFMUstate")(
                   instance_, state, bytes.data(), size),
               "fmi2SerializeFMUstate");
    fmi2FMUstate copy = nullptr;
    require_ok(library_.find<fmi2DeSerializeFMUstateTYPE>("fmi2DeSerializeFMUstate")(
                   instance_, bytes.data(), size, &copy),
               "fmi2DeSerializeFMUstate");
    require_ok(set_state(instance_, copy), "fmi2SetFMUstate");
    do_step(time, step);
    require_same(first, "after fmi2DeSerializeFMUstate");
    require_ok(free_state(instance_, &copy), "fmi2FreeFMUstate");
    require_ok(free_state(instance_, &state), "fmi2FreeFMUstate");
  }

  void require_same(const std::vector<double>& expected, const char* when) {
    const std::vector<double> values = get_reals();
    for (std::size_t i = 0; i < values.size(); ++i)
      require(std::bit_cast<std::uint64_t>(values[i]) == std::bit_cast<std::uint64_t>(expected[i]),
              fmt::format("'{}' is {} instead of {} in a step repeated {}",
                          references_.real_variables[i]->name, number_text(values[i]),
                          number_text(expected[i]), when));
  }

  Library library_;
  const SystemModel& system_;
  const std::string& guid_;
  References references_;
  fmi2Component instance_ = nullptr;
};

// Never returns. The reason, if there is one, goes through the pipe.
[[noreturn]] void run_child(int pipe, const std::string& library, const SystemModel& system,
                            const std::string& guid) {
  forget_interrupts();
  // a crash must end the child by its signal, whatever handlers this program (or a sanitizer) has
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) signal(number, SIG_DFL);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  alarm(kSecondsAllowed);
  std::string text;
  try {
    Test(library, system, guid).run();
  } catch (const TestFailure& failure) {
    text = failure.text + log_text;
  } catch (const std::exception& error) {
    text = error.what();
  }
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t count = write(pipe, rest.data(), rest.size());
    if (count <= 0) break;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  _exit(text.empty() ? 0 : 1);
}

}  // namespace

bool check_library(const std::string& library, const SystemModel& system, const std::string& guid,
                   Diagnostics& diagnostics) {
  const auto fail = [&](const std::string& reason) {
    diagnostics.error("E606", {}, "the FMU failed its self-test: " + reason,
                      "'mechfmu check' and 'mechfmu simulate' on the mechanism file tell more");
    return false;
  };
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return fail(error_text(errno));
  const pid_t child = fork();
  if (child < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    return fail(error_text(error));
  }
  if (child == 0) {
    close(ends[0]);
    run_child(ends[1], library, system, guid);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = read(ends[0], buffer.data(), buffer.size())) != 0;) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return fail(fmt::format("it did not end within {} s", kSecondsAllowed));
  if (WIFSIGNALED(status))
    return fail(fmt::format("it crashed with signal {} ({})", WTERMSIG(status),
                            strsignal(WTERMSIG(status))));
  if (WEXITSTATUS(status) != 0) return fail(text);
  return true;
}

}  // namespace mechfmu
