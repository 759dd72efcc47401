#include "cli/system_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options.hpp"
#include "cli/words.hpp"
#include "harness/fmu.hpp"
#include "mechanism/catalogue.hpp"
#include "readers/value_parser.hpp"
#include "readers/xml_reader.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"
#include "validation/validate.hpp"

namespace mechfmu {

namespace {

bool check_word(const std::string& option, const std::string& word,
                const std::vector<std::string_view>& known, std::string_view kind,
                Session& session) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return true;
  session.usage_error(fmt::format("{}: unknown {} '{}'", option, kind, word),
                      did_you_mean(word, known, std::string(kind) + "s"));
  return false;
}

// "baumgarte:alpha=50,beta=50"
std::optional<SchemeChoice> parse_scheme(const std::string& text, Session& session) {
  SchemeChoice choice;
  const std::size_t colon = text.find(':');
  choice.name = text.substr(0, colon);
  if (!check_word("--scheme", choice.name, choice_words("@schemes"), "scheme", session))
    return std::nullopt;
  std::vector<std::string_view> known;
  for (const SchemeParameter& parameter : find_scheme_type(choice.name)->parameters)
    known.push_back(parameter.name);

  std::string_view rest =
      colon == std::string::npos ? std::string_view() : std::string_view(text).substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const auto parameter =
        split_assignment("--scheme", std::string(rest.substr(0, comma)), session);
    if (!parameter) return std::nullopt;
    if (std::find(known.begin(), known.end(), parameter->first) == known.end()) {
      session.usage_error(
          fmt::format("--scheme: {} has no parameter '{}'", choice.name, parameter->first),
          known.empty() ? std::string("it has none")
                        : did_you_mean(parameter->first, known, "parameters"));
      return std::nullopt;
    }
    choice.parameters.push_back(*parameter);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return choice;
}

// "a,b,c"; a word that stands twice counts once.
std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    begin = end + 1;
  }
  return words;
}

}  // namespace

std::string SystemArguments::find_given() const {
  if (scheme) return "--scheme";
  if (schemes) return "--schemes";
  if (integrator) return "--integrator";
  if (integrators) return "--integrators";
  if (solver) return "--solver";
  if (coordinates) return "--coordinates";
  if (step) return "--step";
  if (tolerance) return "--tolerance";
  if (expose) return "--expose";
  return set.empty() ? "" : "--set";
}

void add_system_options(CLI::App& command, SystemArguments& arguments) {
  add_option(command, "--scheme", "NAME[:p=v,...]", arguments.scheme,
             "how constraints are enforced; see 'mechfmu schemes'");
  add_option(
      command, "--schemes", "A,B,...", arguments.schemes,
      "several schemes in one FMU, chosen by its parameter scheme.name; the first is in use");
  add_option(command, "--integrators", "A,B,...", arguments.integrators,
             "several integrators in one FMU, chosen by its parameter solver.integrator");
  add_option(command, "--integrator", "NAME", arguments.integrator,
             "integrator; see 'mechfmu integrators'");
  add_option(command, "--step", "TIME", arguments.step, "internal step, such as 0.001 or '1 ms'");
  add_option(command, "--tolerance", "NUMBER", arguments.tolerance,
             "error allowed in a step of an adaptive integrator (default 1e-6)");
  add_option(
      command, "--solver", "NAME", arguments.solver,
      fmt::format("solver of the linear equations: {}", fmt::join(choice_words("@solvers"), ", ")));
  add_option(command, "--coordinates", "NAME", arguments.coordinates,
             fmt::format("formulation: {}", fmt::join(choice_words("@coordinates"), ", ")));
  add_list_option(command, "--set", "NAME=VALUE", arguments.set,
                  "another value for a <parameter>; may be repeated");
  add_option(command, "--expose", "WHAT", arguments.expose,
             "variables in the FMU: outputs (default), states, all");
}

std::optional<std::pair<std::string, std::string>> split_assignment(const std::string& option,
                                                                    const std::string& text,
                                                                    Session& session) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    session.usage_error(fmt::format("{}: expected name=value, got '{}'", option, text));
    return std::nullopt;
  }
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

bool parse_seconds(const std::string& option, const std::optional<std::string>& text,
                   std::optional<double>& value, Session& session) {
  if (!text) return true;
  std::string problem;
  value = parse_constant(*text, "s", problem);
  if (value) return true;
  session.usage_error(fmt::format("{}: {}", option, problem),
                      "a time in seconds, or with a unit: '10 ms'");
  return false;
}

std::optional<SystemOptions> make_system_options(const SystemArguments& arguments,
                                                 Session& session) {
  SystemOptions options;
  if (arguments.scheme) {
    options.scheme = parse_scheme(*arguments.scheme, session);
    if (!options.scheme) return std::nullopt;
  }
  if ((arguments.scheme && arguments.schemes) || (arguments.integrator && arguments.integrators)) {
    session.usage_error("give one of --scheme and --schemes, of --integrator and --integrators");
    return std::nullopt;
  }
  if (arguments.schemes)
    for (const std::string& name : split_list(*arguments.schemes)) {
      if (!check_word("--schemes", name, choice_words("@schemes"), "scheme", session))
        return std::nullopt;
      options.schemes.push_back({name, {}, std::nullopt});
    }
  if (arguments.integrators)
    for (const std::string& name : split_list(*arguments.integrators)) {
      if (!check_word("--integrators", name, choice_words("@integrators"), "integrator", session))
        return std::nullopt;
      options.integrators.push_back(name);
    }
  const auto take = [&](const std::string& option, const std::optional<std::string>& word,
                        const std::vector<std::string_view>& known, std::string_view kind,
                        std::optional<std::string>& to) {
    if (word && !check_word(option, *word, known, kind, session)) return false;
    to = word;
    return true;
  };
  std::optional<std::string> expose;
  if (!take("--integrator", arguments.integrator, choice_words("@integrators"), "integrator",
            options.integrator) ||
      !take("--solver", arguments.solver, choice_words("@solvers"), "solver", options.solver) ||
      !take("--coordinates", arguments.coordinates, choice_words("@coordinates"), "formulation",
            options.coordinates) ||
      !take("--expose", arguments.expose, {"outputs", "states", "all"}, "choice", expose))
    return std::nullopt;
  if (expose) options.expose = *expose;
  if (!parse_seconds("--step", arguments.step, options.step, session)) return std::nullopt;
  if (options.step && !(*options.step > 0)) {
    session.usage_error(fmt::format("--step must be > 0, got '{}'", *arguments.step));
    return std::nullopt;
  }
  if (arguments.tolerance) {
    std::string problem;
    options.tolerance = parse_constant(*arguments.tolerance, "", problem);
    if (!options.tolerance || *options.tolerance < kLeastTolerance ||
        *options.tolerance > kMostTolerance) {
      session.usage_error(fmt::format("--tolerance must be a number between {} and {}, got '{}'",
                                      number_text(kLeastTolerance), number_text(kMostTolerance),
                                      *arguments.tolerance));
      return std::nullopt;
    }
  }
  for (const std::string& text : arguments.set) {
    const auto assignment = split_assignment("--set", text, session);
    if (!assignment) return std::nullopt;
    options.set.push_back(*assignment);
  }
  return options;
}

LoadedSystem load_system(const std::string& path, const SystemOptions& options, LoadUntil until,
                         Session& session) {
  LoadedSystem loaded{options, SourceText(path, ""), std::nullopt, std::nullopt, {}};
  if (is_archive(path)) {
    session.usage_error(fmt::format("{} is an FMU; a mechanism file is needed here", path),
                        fmt::format("mechfmu info {}", shell_word(path)));
    return loaded;
  }
  std::optional<SourceText> source = read_file(path, loaded.diagnostics);
  if (!source) return loaded;
  loaded.source = std::move(*source);
  loaded.mechanism = load_mechanism(loaded.source, loaded.diagnostics);
  if (!loaded.mechanism) return loaded;

  std::vector<std::string_view> names;
  for (const Parameter& parameter : loaded.mechanism->parameters)
    names.push_back(parameter.name.text);
  for (const auto& [name, value] : options.set)
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      session.usage_error(
          fmt::format("--set: {} has no parameter '{}'", loaded.mechanism->name.text, name),
          names.empty() ? std::string("it has none") : did_you_mean(name, names, "parameters"));
      return loaded;
    }
  if (until == LoadUntil::system)
    loaded.system = make_system(*loaded.mechanism, options, loaded.diagnostics);
  return loaded;
}

int report_loaded(const LoadedSystem& loaded, const Session& session) {
  const SystemOptions& options = loaded.options;
  const auto is_usage = [&](const Diagnostic& d) {
    if (d.severity != Severity::error) return true;
    return !d.span &&
           (d.code == "E501" || (d.code == "E503" && options.step) ||
            (d.code == "E504" && options.scheme) || (d.code == "E506" && options.solver) ||
            d.code == "E507" || d.code == "E508" ||
            ((d.code == "E509" || d.code == "E510") &&
             (options.scheme || !options.schemes.empty())));
  };
  const std::vector<Diagnostic>& all = loaded.diagnostics.all();
  const int exit_code = session.report(loaded.diagnostics, &loaded.source);
  return exit_code != kExitDone && std::all_of(all.begin(), all.end(), is_usage) ? kExitUsage
                                                                                 : exit_code;
}

}  // namespace mechfmu
