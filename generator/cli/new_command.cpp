// mechfmu new: a mechanism to start from, copied from the examples inside the program.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "cli/command.hpp"
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
    std::string name = kDefaultTemplate;
    std::string folder;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App& command = add_command(
      app, "new", "start from an example", "mechfmu new\nmechfmu new four_bar my_linkage",
      [arguments, &session] { run_new(arguments->name, arguments->folder, session); });
  std::string names;
  for (const std::string_view name : list_templates()) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  add_argument(command, "TEMPLATE", arguments->name,
               fmt::format("one of: {} (default: {})", names, kDefaultTemplate), false);
  add_argument(command, "DIR", arguments->folder, "folder to make (default: the template's name)",
               false);
}

}  // namespace mechfmu
