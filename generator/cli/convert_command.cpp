// mechfmu convert: robot descriptions (URDF) become mechanism files, mechanism files their normal
// form.
#include <fmt/format.h>

#include <memory>

#include "build/output_file.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/words.hpp"
#include "readers/canonical.hpp"
#include "readers/urdf.hpp"
#include "readers/xml_reader.hpp"
#include "validation/validate.hpp"

namespace mechfmu {

namespace {

struct ConvertArguments {
  std::string in, out;
  std::optional<std::string> prefix, base;
  bool no_limits = false;
};

bool make_options(const ConvertArguments& arguments, UrdfOptions& options, Session& session) {
  options.outputs = true;
  options.limits = !arguments.no_limits;
  options.prefix = arguments.prefix.value_or("");
  options.base = arguments.base.value_or("fixed");
  if (options.base != "fixed" && options.base != "free") {
    session.usage_error(fmt::format("--base: '{}' is not one of fixed, free", options.base));
    return false;
  }
  const std::string& out = arguments.out;
  if (out.size() > 5 && out.ends_with(".urdf")) {
    session.usage_error("mechanism files are not written as URDF",
                        "URDF can be read: mechfmu convert robot.urdf robot.xml");
    return false;
  }
  return true;
}

// The text of the mechanism file; nothing if there are errors.
std::optional<std::string> convert(const SourceText& source, const ConvertArguments& arguments,
                                   const UrdfOptions& options, Diagnostics& diagnostics,
                                   Session& session) {
  std::optional<XmlElement> root = parse_xml(source, diagnostics);
  if (!root) return std::nullopt;
  if (root->name == "robot") {
    root = translate_urdf(*root, options, diagnostics);
    if (!root) return std::nullopt;
  } else if (arguments.prefix || arguments.base || arguments.no_limits) {
    session.usage_error(fmt::format(
        "--prefix, --base and --no-limits are for URDF; {} is a mechanism file", arguments.in));
    return std::nullopt;
  } else if (root->name == "mechanism") {
    std::vector<ImportedFile> files;
    if (!expand_imports(*root, folder_of(source), files, diagnostics)) return std::nullopt;
  }
  std::optional<Mechanism> mechanism = read_mechanism(*root, folder_of(source), diagnostics);
  if (!mechanism || !validate(*mechanism, diagnostics)) return std::nullopt;
  return write_canonical(*root, *mechanism);
}

void run_convert(const ConvertArguments& arguments, Session& session) {
  UrdfOptions options;
  if (!make_options(arguments, options, session)) return;
  const bool to_file = !arguments.out.empty() && arguments.out != "-";
  Diagnostics disk;
  if (to_file && !check_output(arguments.out, disk)) {
    session.exit_code = session.report(disk, nullptr);
    return;
  }
  Diagnostics diagnostics;
  const std::optional<SourceText> source = read_file(arguments.in, diagnostics);
  std::optional<std::string> text;
  if (source) text = convert(*source, arguments, options, diagnostics, session);
  if (session.exit_code == kExitUsage) return;
  const SourceText nowhere(arguments.in, "");
  session.exit_code = session.report(diagnostics, source ? &*source : &nowhere);
  if (!text || session.exit_code != kExitDone) return;
  if (!to_file) {
    session.result(*text);
    return;
  }
  if (!write_output(arguments.out, *text, disk)) {
    session.exit_code = session.report(disk, nullptr);
    return;
  }
  session.message(
      fmt::format("wrote {}; next: mechfmu check {}", arguments.out, shell_word(arguments.out)));
}

}  // namespace

void add_convert_command(CLI::App& app, Session& session) {
  const auto arguments = std::make_shared<ConvertArguments>();
  CLI::App& command = add_command(
      app, "convert", "a robot description (URDF) as mechanism file, or its normal form",
      "mechfmu convert robot.urdf robot.xml\nmechfmu convert four_bar.xml normal.xml",
      [arguments, &session] { run_convert(*arguments, session); });
  ConvertArguments& a = *arguments;
  add_argument(command, "IN", a.in, "URDF or mechanism file; - is the standard input", true);
  add_argument(command, "OUT", a.out, "mechanism file (default: standard output)", false);
  add_option(command, "--prefix", "TEXT", a.prefix, "put before all names of a URDF file");
  add_option(command, "--base", "fixed|free", a.base,
             "how the first link of a URDF file is connected to the ground (default: fixed)");
  add_flag(command, "--no-limits", a.no_limits, "without stops at the joint limits of a URDF file");
}

}  // namespace mechfmu
