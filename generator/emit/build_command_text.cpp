#include "emit/build_command_text.hpp"

#include <fmt/format.h>

#include "support/number_text.hpp"

namespace mechfmu {

namespace {

// As one word for a shell.
std::string quote(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string scheme_text(const SchemeChoice& scheme) {
  std::string text = scheme.name;
  char separator = ':';
  for (const auto& [name, value] : scheme.parameters) {
    text += fmt::format("{}{}={}", separator, name, value);
    separator = ',';
  }
  return text;
}

}  // namespace

std::string make_build_command(const SystemModel& system) {
  const SystemOptions& options = system.options;
  std::string command = fmt::format("mechfmu build mechanism.xml -o {}.fmu", system.name);
  const auto add = [&](const char* option, const std::string& value) {
    command += fmt::format(" {} {}", option, quote(value));
  };
  if (options.scheme) add("--scheme", scheme_text(*options.scheme));
  std::string list;
  for (const SchemeChoice& scheme : options.schemes)
    list += (list.empty() ? "" : ",") + scheme_text(scheme);
  if (!list.empty()) add("--schemes", list);
  if (options.integrator) add("--integrator", *options.integrator);
  list.clear();
  for (const std::string& integrator : options.integrators)
    list += (list.empty() ? "" : ",") + integrator;
  if (!list.empty()) add("--integrators", list);
  if (options.solver) add("--solver", *options.solver);
  if (options.coordinates) add("--coordinates", *options.coordinates);
  if (options.step) add("--step", number_text(*options.step));
  if (options.tolerance) add("--tolerance", number_text(*options.tolerance));
  for (const auto& [name, value] : options.set) add("--set", fmt::format("{}={}", name, value));
  if (options.expose != SystemOptions().expose) add("--expose", options.expose);
  return command;
}

}  // namespace mechfmu
