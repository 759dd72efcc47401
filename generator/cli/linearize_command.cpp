// mechfmu linearize: a mechanism, or an FMU, as a linear system with its poles and modes.
#include <fmt/format.h>

#include <memory>

#include "analysis/fmu_linearize.hpp"
#include "analysis/linear_text.hpp"
#include "build/output_file.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/system_options.hpp"
#include "cli/words.hpp"
#include "harness/fmu.hpp"
#include "mechanism/catalogue.hpp"
#include "report/fmu_origin.hpp"

namespace mechfmu {

namespace {

struct LinearizeArguments {
  std::string file;
  std::optional<std::string> at, states;
  std::vector<std::string> start_values;
  std::string output_file;
  bool json = false;
  bool no_filter = false;
  SystemArguments system;
};

struct LinearizeRequest {
  std::optional<double> at;
  std::vector<std::pair<std::string, std::string>> start_values;
  LinearizeOptions options;
  bool no_filter = false;
};

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

// ".m" of "out/model.m"
std::string extension_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::size_t dot = path.find_last_of('.');
  return dot == std::string::npos || (slash != std::string::npos && dot < slash) ? ""
                                                                                 : path.substr(dot);
}

bool make_request(const LinearizeArguments& arguments, LinearizeRequest& request,
                  Session& session) {
  if (!parse_seconds("--at", arguments.at, request.at, session)) return false;
  for (const std::string& text : arguments.start_values) {
    const auto assignment = split_assignment("--start-value", text, session);
    if (!assignment) return false;
    request.start_values.push_back(*assignment);
  }
  if (arguments.states) request.options.states = split_names(*arguments.states);
  request.no_filter = arguments.no_filter;
  const std::string extension = extension_of(arguments.output_file);
  if (!arguments.output_file.empty() && extension != ".m" && extension != ".json" &&
      extension != ".csv") {
    session.usage_error(fmt::format("--output-file: '{}' does not end with .m, .json or .csv",
                                    arguments.output_file),
                        "X.m for MATLAB and Octave, X.json for Python, X.csv for tables");
    return false;
  }
  return true;
}

// Names and values of options are wrong usage, everything else is a stop.
void report_stop(const Diagnostics& diagnostics, Session& session) {
  session.exit_code = session.report(diagnostics, nullptr);
  if (session.exit_code != kExitModelErrors) return;
  session.exit_code = kExitStopped;
  for (const Diagnostic& d : diagnostics.all())
    if (d.code.starts_with("E71") || d.code == "E312") session.exit_code = kExitUsage;
}

// Brings the point to where it is wanted.
bool go_to(OperatingPoint& point, const LinearizeRequest& request, Diagnostics& diagnostics) {
  const double start = point.system().experiment.start;
  if (request.at && *request.at < start) {
    diagnostics.error(
        "E714", std::nullopt,
        fmt::format("--at {} is before the start of the experiment, {} s", *request.at, start));
    return false;
  }
  if (!point.set(request.start_values, diagnostics)) return false;
  if (request.no_filter) point.follow_inputs_directly();
  if (!point.initialize(start)) {
    diagnostics.error("E301", std::nullopt, "mechanism cannot be assembled: " + point.failure());
    return false;
  }
  if (request.at && *request.at > start && !point.advance_to(*request.at)) {
    diagnostics.error(
        "E315", std::nullopt,
        fmt::format("the simulation did not reach t = {} s: {}", *request.at, point.failure()),
        "try a smaller --step, or another scheme");
    return false;
  }
  return true;
}

// The linear system belongs to the mechanism, not to the formulation that its file chooses, and
// joint coordinates have the better names. Nothing if they were not to be, or cannot be.
std::optional<SystemModel> make_in_joint_coordinates(const Mechanism& mechanism,
                                                     SystemOptions options, bool is_asked) {
  const std::optional<Name>& in_file = mechanism.solve.coordinates;
  const std::string given = options.coordinates ? *options.coordinates
                            : in_file           ? in_file->text
                                                : "";
  if (is_asked || mechanism.equations || !given.starts_with("absolute")) return std::nullopt;
  options.coordinates = "joint";
  Diagnostics ignored;
  return make_system(mechanism, options, ignored);
}

std::optional<LinearModel> linearize_mechanism(const std::string& file,
                                               const SystemOptions& options, bool is_asked,
                                               const ModelDescription* fmu,
                                               const LinearizeRequest& request, Session& session) {
  LoadedSystem loaded = load_system(file, options, LoadUntil::mechanism, session);
  if (session.exit_code == kExitUsage) return std::nullopt;
  if (loaded.mechanism) {
    loaded.system = make_in_joint_coordinates(*loaded.mechanism, options, is_asked);
    if (!loaded.system) loaded.system = make_system(*loaded.mechanism, options, loaded.diagnostics);
  }
  session.exit_code = report_loaded(loaded, session);
  if (!loaded.system) return std::nullopt;
  Diagnostics diagnostics;
  OperatingPoint point(*loaded.system);
  if (fmu != nullptr) take_start_values(*fmu, point);
  std::optional<LinearModel> model;
  if (go_to(point, request, diagnostics)) model = linearize(point, request.options, diagnostics);
  report_stop(diagnostics, session);
  return model;
}

std::optional<LinearModel> linearize_archive(const LinearizeArguments& arguments,
                                             const LinearizeRequest& request, Session& session) {
  if (const std::string given = arguments.system.find_given(); !given.empty()) {
    session.usage_error(
        fmt::format("{} needs a mechanism file; {} is an FMU already", given, arguments.file),
        "parameters of an FMU are set with --start-value");
    return std::nullopt;
  }
  Diagnostics diagnostics;
  std::optional<SourceText> text;
  const std::unique_ptr<Fmu> fmu = Fmu::open(arguments.file, diagnostics, &text);
  session.exit_code = session.report(diagnostics, text ? &*text : nullptr);
  if (!fmu) return std::nullopt;

  const FmuOrigin origin = read_origin(*fmu);
  if (origin.mechanism) {
    session.detail("the mechanism inside the FMU is linearized");
    SystemOptions options;
    if (!origin.mechanism->equations) options.coordinates = origin.coordinates;
    // what --at simulates with; their parameters are start values of the FMU
    if (find_scheme_type(origin.scheme) != nullptr)
      options.scheme = SchemeChoice{origin.scheme, {}, std::nullopt};
    if (find_integrator_type(origin.integrator) != nullptr) options.integrator = origin.integrator;
    return linearize_mechanism(fmu->folder() + "/resources/mechanism.xml", options, false,
                               &fmu->description(), request, session);
  }
  Diagnostics problems;
  std::optional<LinearModel> model;
  if (request.at || request.no_filter || !request.options.states.empty())
    problems.error("E714", std::nullopt,
                   "--at, --states and --no-filter need a mechanism: this FMU carries none");
  else
    model = linearize_fmu(
        *fmu, request.start_values, [&](const FmuMessage& m) { session.message("FMU: " + m.text); },
        problems);
  report_stop(problems, session);
  return model;
}

void run_linearize(const LinearizeArguments& arguments, Session& session) {
  LinearizeRequest request;
  if (!make_request(arguments, request, session)) return;
  Diagnostics disk;
  if (!arguments.output_file.empty() && !check_output(arguments.output_file, disk)) {
    session.exit_code = session.report(disk, nullptr);
    return;
  }
  std::optional<LinearModel> model;
  if (is_archive(arguments.file)) {
    model = linearize_archive(arguments, request, session);
  } else {
    const std::optional<SystemOptions> options = make_system_options(arguments.system, session);
    if (!options) return;
    model = linearize_mechanism(arguments.file, *options, options->coordinates.has_value(), nullptr,
                                request, session);
  }
  if (!model || session.exit_code != kExitDone) return;

  const std::string& file = arguments.output_file;
  const std::string extension = extension_of(file);
  if (!file.empty() && !write_output(file,
                                     extension == ".m"     ? make_matlab_script(*model)
                                     : extension == ".csv" ? make_matrix_csv(*model)
                                                           : make_linear_json(*model),
                                     disk)) {
    session.exit_code = session.report(disk, nullptr);
    return;
  }
  if (arguments.json) {
    JsonWriter json;
    json.begin_object().member("file", arguments.file);
    write_linear(json, *model);
    session.result(json.end_object().text());
  } else {
    session.result(make_linear_text(*model));
  }
  const std::string word = shell_word(arguments.file);
  if (!file.empty())
    session.message(fmt::format("wrote {}; next: mechfmu simulate {}", file, word));
  else
    session.message(fmt::format("next: mechfmu linearize {} --output-file {}.m", word,
                                shell_word(model->name)));
}

}  // namespace

void add_linearize_command(CLI::App& app, Session& session) {
  const auto arguments = std::make_shared<LinearizeArguments>();
  CLI::App& command =
      add_command(app, "linearize", "a mechanism as a linear system: A, B, C, D, poles, modes",
                  "mechfmu linearize four_bar.xml --start-value tau=0.1\n"
                  "mechfmu linearize FourBar.fmu --at 2 --output-file four_bar.m",
                  [arguments, &session] { run_linearize(*arguments, session); });
  LinearizeArguments& a = *arguments;
  add_argument(command, "FILE", a.file, "mechanism file, or FMU", true);
  add_option(command, "--at", "TIME", a.at,
             "simulate from the start to this time first (default: the assembled start)");
  add_list_option(command, "--start-value", "NAME=VALUE", a.start_values,
                  "value of a parameter, start or input; may be repeated");
  add_option(command, "--states", "A,B,...", a.states,
             "coordinates that shall be states (default: those with fixed starts, then by pivots)");
  add_flag(command, "--no-filter", a.no_filter,
           "inputs that drives follow act with their derivatives, as der(u) and der(u,2), instead "
           "of through the FMU's filters");
  add_option(command, "--output-file", "X.m|X.json|X.csv", a.output_file,
             "the matrices with names, for MATLAB, Python or as a table");
  add_flag(command, "--json", a.json, "as JSON");
  add_system_options(command, a.system);
}

}  // namespace mechfmu
