// mechfmu new: a mechanism to start from, copied from the examples inside the program.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "cli/command.hpp"
#include "cli/coupled_example.hpp"
#include "cli/options.hpp"
#include "cli/words.hpp"
#include "package/file_io.hpp"
#include "support/did_you_mean.hpp"
#include "support/embedded.hpp"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDefaultTemplate = "four_bar";

// "four_bar" of "four_bar/four_bar.xml"
std::string_view folder_of(std::string_view name) { return name.substr(0, name.find('/')); }

std::vector<std::string_view> list_templates() {
  std::set<std::string_view> names;
  for (const EmbeddedFile& file : embedded_examples()) names.insert(folder_of(file.name));
  return {names.begin(), names.end()};
}

// Nothing is ever overwritten, not even in part: all files are looked at before the first is
// written.
void run_new(const std::string& name, const std::string& given_folder, Session& session) {
  const std::vector<std::string_view> templates = list_templates();
  if (std::find(templates.begin(), templates.end(), name) == templates.end()) {
    session.usage_error(fmt::format("new: no template '{}'", name),
                        did_you_mean(name, templates, "templates"));
    return;
  }
  const fs::path folder = given_folder.empty() ? name : given_folder;
  Diagnostics diagnostics;
  std::vector<std::pair<std::string, std::string_view>> files;
  std::string first_mechanism;
  for (const EmbeddedFile& file : embedded_examples()) {
    if (folder_of(file.name) != name) continue;
    const fs::path path = folder / file.name.substr(name.size() + 1);
    files.emplace_back(path.string(), file.content);
    if (path.stem() == name || first_mechanism.empty()) first_mechanism = path.string();
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(path, ignored)))
      diagnostics.error("S641", std::nullopt, fmt::format("'{}' is already there", path.string()),
                        "name another folder: mechfmu new " + name + " DIR");
  }
  for (const auto& [path, content] : files) {
    if (diagnostics.has_errors()) break;
    std::string reason = make_folders(fs::path(path).parent_path().string());
    if (reason.empty()) reason = write_file(path, content, IfExists::fail);
    if (!reason.empty())
      diagnostics.error("S632", std::nullopt, fmt::format("cannot write '{}': {}", path, reason));
  }
  session.exit_code = session.report(diagnostics, nullptr);
  if (session.exit_code != kExitDone) return;
  for (const auto& [path, content] : files) session.result(path);
  session.message(fmt::format("next: mechfmu build {}", shell_word(first_mechanism)));
}

}  // namespace

void add_new_command(CLI::App& app, Session& session) {
  struct Arguments {
    std::string name;
    std::string folder;
    bool coupled = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App& command = add_command(
      app, "new", "start from an example",
      "mechfmu new four_bar my_linkage\nmechfmu new --coupled my_loop", [arguments, &session] {
        const Arguments& a = *arguments;
        if (!a.coupled)
          return run_new(a.name.empty() ? kDefaultTemplate : a.name, a.folder, session);
        if (a.folder.empty()) return write_coupled_example(a.name, session);
        session.usage_error("new: --coupled takes a folder only",
                            fmt::format("mechfmu new --coupled {}", shell_word(a.folder)));
      });
  std::string names;
  for (const std::string_view name : list_templates()) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  add_argument(command, "TEMPLATE", arguments->name,
               fmt::format("one of: {} (default: {})", names, kDefaultTemplate), false);
  add_argument(command, "DIR", arguments->folder, "folder to make (default: the template's name)",
               false);
  add_flag(command, "--coupled", arguments->coupled,
           fmt::format("instead of TEMPLATE a closed loop: plant, sampled controller and their "
                       "system, built and ready for 'couple' (DIR default: {})",
                       kCoupledFolder));
}

}  // namespace mechfmu
