// What modelDescription.xml says, read as far as it can be read: a value that is wrong is left out
// here (the rules of the schema have told so), so that the other rules can still be checked.
#pragma once
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/model_description.hpp"
#include "harness/validate/findings.hpp"
#include "support/source_text.hpp"

namespace mechfmu::fmu_check {

inline constexpr const char* kDescriptionFile = "modelDescription.xml";

// Text to values, blanks round them allowed as in XML Schema.
std::string_view trim_blanks(std::string_view text);
std::optional<bool> parse_boolean(std::string_view text);
std::optional<int> parse_int(std::string_view text);                // xs:int
std::optional<unsigned> parse_unsigned_int(std::string_view text);  // xs:unsignedInt
std::vector<std::string_view> split_list(std::string_view text);

struct InterfaceFacts {
  bool is_model_exchange = false;
  std::size_t line = 0;
  std::string identifier;
  bool can_get_and_set_state = false, can_serialize_state = false;
  std::vector<std::pair<std::string, std::size_t>> source_files;  // name, line
};

struct VariableFacts : FmuVariable {
  std::size_t line = 0;
  bool has_initial = false;  // written, not the default
  bool has_type = false;     // exactly one of Real, Integer, ...
  bool is_sound = true;      // causality, variability and initial are words of the standard
  std::optional<unsigned> reference, derivative;  // derivative: 1-based as written
  bool has_reinit = false, has_multiple_set = false;
  bool is_reinit = false;
};

class ModelFacts {
 public:
  // `document` must be the parsed `source`.
  ModelFacts(const SourceText& source, const pugi::xml_document& document);

  [[nodiscard]] std::size_t line(const pugi::xml_node& node) const;
  [[nodiscard]] FindingPlace place(const pugi::xml_node& node) const {
    return {kDescriptionFile, line(node), ""};
  }
  [[nodiscard]] FindingPlace place(const VariableFacts& v) const {
    return {kDescriptionFile, v.line, v.name};
  }
  [[nodiscard]] std::vector<const InterfaceFacts*> interfaces() const;

  pugi::xml_node root;
  std::optional<InterfaceFacts> model_exchange, co_simulation;
  std::vector<VariableFacts> variables;
  int event_indicators = 0;
  bool is_structured = false;
  bool needs_tool = false;
  bool completed_step_not_needed = false;

 private:
  InterfaceFacts read_interface(const pugi::xml_node& node) const;
  VariableFacts read_variable(const pugi::xml_node& node) const;

  const SourceText& source_;
};

}  // namespace mechfmu::fmu_check
