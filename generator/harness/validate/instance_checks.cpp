// Loading, instantiating, freeing, living beside others, messages.
#include <fenv.h>
#include <locale.h>
#include <unistd.h>

#include <cstring>
#include <limits>

#include "harness/fmu_instance.hpp"
#include "harness/validate/run_checks.hpp"

namespace mechfmu::fmu_check {
namespace {

constexpr int kShortRun = 5;  // [steps]

bool may_have_several(const TestedModel& model) { return !model.capabilities->only_one_instance; }

void check_versions(TestedLibrary& library) {
  library.reporter.note_action("fmi2GetVersion");
  const char* version = library.functions.GetVersion();
  if (version == nullptr || std::strcmp(version, "2.0") != 0)
    library.reporter.find(Rule::run_version,
                          fmt::format("fmi2GetVersion returns '{}'",
                                      version == nullptr ? "NULL" : printable(version)));
  library.reporter.note_action("fmi2GetTypesPlatform");
  const char* platform = library.functions.GetTypesPlatform();
  if (platform == nullptr || std::strcmp(platform, "default") != 0)
    library.reporter.find(Rule::run_types_platform,
                          fmt::format("fmi2GetTypesPlatform returns '{}'",
                                      platform == nullptr ? "NULL" : printable(platform)));
}

void check_instantiate(TestedLibrary& library) {
  TestedInstance instance(library);
  if (instance.is_made())
    instance.initialize();
  else
    library.reporter.find(Rule::run_instantiate,
                          fmt::format("fmi2Instantiate returned NULL{}", instance.said()));
}

void check_wrong_guid(TestedLibrary& library) {
  InstanceSetup setup;
  setup.guid = "{00000000-0000-0000-0000-00000bad901d}";
  TestedInstance instance(library, setup);
  if (instance.is_made())
    library.reporter.find(Rule::run_wrong_guid,
                          fmt::format("fmi2Instantiate accepted the guid '{}'", setup.guid));
  else if (instance.message_statuses().empty())
    library.reporter.find(Rule::run_refusal_silent,
                          "fmi2Instantiate refused a wrong guid without a message");
}

void check_names(TestedLibrary& library) {
  for (const char* name : {"my instance 1", "  a  ", "x.y[1]/z%s", "\xC3\xBC"}) {
    InstanceSetup setup;
    setup.name = name;
    TestedInstance instance(library, setup);
    if (!instance.is_made())
      library.reporter.find(
          Rule::run_instance_name,
          fmt::format("fmi2Instantiate refused the name '{}'{}", name, instance.said()));
    else
      instance.initialize();
  }
}

void check_uris(TestedLibrary& library) {
  const TestedModel& model = library.model;
  const std::string usual = make_file_uri(model.resources);
  for (const std::string& uri :
       {usual, usual + "/", "file:" + usual.substr(7), make_file_uri(model.resources_with_blank)}) {
    InstanceSetup setup;
    setup.resource_uri = uri;
    TestedInstance instance(library, setup);
    const std::size_t form = uri.rfind('/', uri.size() - 2);
    const std::string shown = fmt::format(
        "{}...{}", uri.substr(0, uri.starts_with("file:///") ? 8 : 6), uri.substr(form));
    if (!instance.is_made()) {
      library.reporter.find(Rule::run_resource_uri,
                            fmt::format("fmi2Instantiate refused a resource location of the form "
                                        "'{}'{}",
                                        shown, instance.said()));
      continue;
    }
    // resources are read at the latest before initialization is complete
    if (!is_good(instance.call("fmi2SetupExperiment", "", instance.functions().SetupExperiment,
                               fmi2False, 0.0, model.start_time(), fmi2False, 0.0)) ||
        !is_good(instance.call("fmi2EnterInitializationMode", shown,
                               instance.functions().EnterInitializationMode)) ||
        !is_good(instance.call("fmi2ExitInitializationMode", shown,
                               instance.functions().ExitInitializationMode)))
      library.reporter.find(
          Rule::run_resource_uri,
          fmt::format("initialization fails with a resource location of the form '{}'{}", shown,
                      instance.said()));
  }
}

bool needs_no_callbacks(const TestedModel& model) {
  return model.capabilities->no_memory_callbacks;
}

void check_absent_callbacks(TestedLibrary& library) {
  InstanceSetup setup;
  setup.memory = MemoryCallbacks::absent;
  TestedInstance instance(library, setup);
  if (!instance.is_made())
    library.reporter.find(
        Rule::run_memory_callbacks,
        fmt::format("fmi2Instantiate refused NULL for the memory callbacks{}", instance.said()));
  else
    instance.initialize();
}

void check_memory(TestedLibrary& library) {
  InstanceSetup setup;
  setup.memory = MemoryCallbacks::counted;
  {
    TestedInstance instance(library, setup);
    if (needs_no_callbacks(library.model) && instance.memory_calls() > 0)
      library.reporter.find(Rule::run_memory_callbacks,
                            "fmi2Instantiate calls allocateMemory, which the FMU says it does not");
    if (instance.is_made() && instance.initialize())
      instance.trace(0, library.model.step_count(kShortRun));
  }
  if (count_memory_held() > 0)
    library.reporter.find(
        Rule::run_memory_not_freed,
        fmt::format("{} pieces of memory from allocateMemory are left after fmi2FreeInstance",
                    count_memory_held()));
}

void check_instance_loop(TestedLibrary& library) {
  constexpr int kRounds = 50;
  for (int i = 0; i < kRounds; ++i) {
    TestedInstance instance(library);
    if (instance.is_made() && (i % 10 != 0 || instance.initialize())) continue;
    library.reporter.find(Rule::run_instance_loop,
                          fmt::format("fmi2Instantiate or initialization fails for instance {} of "
                                      "{} made one after the other{}",
                                      i + 1, kRounds, instance.said()));
    return;
  }
}

void check_load_loop(TestedLibrary& library) {
  constexpr int kRounds = 10;
  library.unload();  // else the others would be this one
  for (int i = 0; i < kRounds; ++i) {
    TestedLibrary again(library.model, library.reporter);
    if (!again.is_loaded()) return;
    TestedInstance instance(again);
    if (instance.is_made()) {
      instance.initialize();
      continue;
    }
    library.reporter.find(
        Rule::run_load_loop,
        fmt::format("fmi2Instantiate fails after the library was loaded {} times", i + 1));
    return;
  }
}

// One instance alone, then the same between the steps of another that is started later.
void check_several(TestedLibrary& library) {
  const int count = library.model.step_count(kShortRun);
  std::vector<std::vector<double>> alone;
  {
    TestedInstance instance(library);
    if (!instance.is_made() || !instance.initialize()) return;
    alone = instance.trace(0, count);
  }
  InstanceSetup other;
  other.name = "other";
  TestedInstance first(library);
  if (!first.is_made() || !first.initialize()) return;
  std::vector<std::vector<double>> beside;
  TestedInstance second(library, other);
  if (!second.is_made() || !second.initialize()) {
    library.reporter.find(
        Rule::run_instances_dependent,
        fmt::format("a second instance cannot be made beside a first{}", second.said()));
    return;
  }
  for (int i = 0; i < count; ++i) {
    for (std::vector<double>& row : first.trace(i, 1)) beside.push_back(std::move(row));
    if (i < count - 1) second.trace(i, 1);
  }
  // nan is not equal to itself and is told elsewhere
  const auto same = [](const auto& a, const auto& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (std::memcmp(a[i].data(), b[i].data(), a[i].size() * sizeof(double)) != 0) return false;
    return true;
  };
  if (!same(alone, beside))
    library.reporter.find(Rule::run_instances_dependent,
                          "an instance gives other results when a second one is stepped beside it");
}

struct ProcessState {
  std::string folder, locale;
  int rounding = fegetround();
  int exceptions = fegetexcept();
  bool has_denormals = false;

  ProcessState() {
    std::array<char, 4096> buffer{};
    if (getcwd(buffer.data(), buffer.size()) != nullptr) folder = buffer.data();
    if (const char* name = setlocale(LC_ALL, nullptr)) locale = name;
    volatile double smallest = std::numeric_limits<double>::min();
    volatile double half = smallest / 2;
    has_denormals = half != 0;
  }
};

void check_process(TestedLibrary& library) {
  const ProcessState before;
  {
    TestedInstance instance(library);
    if (instance.is_made() && instance.initialize())
      instance.trace(0, library.model.step_count(kShortRun));
  }
  const ProcessState after;
  const auto check = [&](bool is_same, const char* what) {
    if (!is_same)
      library.reporter.find(Rule::run_process_changed, fmt::format("the FMU changed the {}", what));
  };
  check(before.folder == after.folder, "working folder");
  check(before.locale == after.locale, "locale");
  check(before.rounding == after.rounding, "rounding mode");
  check(before.exceptions == after.exceptions, "floating-point exceptions that are trapped");
  check(before.has_denormals == after.has_denormals, "treatment of denormal numbers");
}

void check_messages(TestedLibrary& library) {
  InstanceSetup setup;
  setup.logging_on = true;
  TestedInstance instance(library, setup);
  if (!instance.is_made()) return;
  std::vector<fmi2String> categories;
  for (const std::string& name : library.model.description->log_categories)
    categories.push_back(name.c_str());
  const auto set = [&](fmi2Boolean on, const std::vector<fmi2String>& names) {
    const fmi2Status status =
        instance.call("fmi2SetDebugLogging", fmt::format("{}, {} categories", on, names.size()),
                      instance.functions().SetDebugLogging, on, names.size(), names.data());
    if (!is_good(status))
      library.reporter.find(Rule::log_setting_refused,
                            fmt::format("fmi2SetDebugLogging({}, {} categories) returned {}{}", on,
                                        names.size(), status_name(status), instance.said()));
    return is_good(status);
  };
  if (!categories.empty() && !set(fmi2True, categories)) return;
  if (!set(fmi2True, {})) return;
  const int count = library.model.step_count(kShortRun);
  if (!instance.initialize()) return;
  instance.trace(0, 1);
  if (!set(fmi2False, {})) return;
  instance.forget_messages();
  if (count > 1) instance.trace(1, count - 1);
  for (const fmi2Status status : instance.message_statuses())
    if (status == fmi2OK) {
      library.reporter.find(
          Rule::log_off_ignored,
          fmt::format("there are messages after fmi2SetDebugLogging(false){}", instance.said()));
      break;
    }
}

}  // namespace

const std::vector<RunCheck>& instance_checks() {
  static const std::vector<RunCheck> checks = {
      {"versions", check_versions, nullptr, Rule::run_crash, StopsOthers::if_it_crashes},
      {"initialization", check_instantiate, nullptr, Rule::run_crash,
       StopsOthers::if_it_finds_errors},
      {"wrong guid", check_wrong_guid, nullptr},
      {"instance names", check_names, nullptr},
      {"resource locations", check_uris, nullptr},
      {"memory callbacks", check_absent_callbacks, needs_no_callbacks, Rule::run_memory_callbacks},
      {"memory", check_memory, nullptr},
      {"loop of instances", check_instance_loop, may_have_several, Rule::run_instance_loop},
      {"loop of loading", check_load_loop, may_have_several, Rule::run_load_loop},
      {"several instances", check_several, may_have_several, Rule::run_instances_dependent},
      {"process", check_process, nullptr},
      {"messages", check_messages, nullptr},
  };
  return checks;
}

}  // namespace mechfmu::fmu_check
