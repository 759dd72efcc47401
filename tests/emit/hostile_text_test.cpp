// Nothing a user writes reaches the compiler, or a reader of the FMU's files, as anything but text.
// Every text of a file is tried with what would end a literal, a comment, a line or an attribute
// somewhere: it is refused in one readable line, or it comes out escaped. References: C++20, 5.2
// (phases of translation) for what a literal and a comment are; pugixml as the reader of
// modelDescription.xml.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <pugixml.hpp>

#include "emit/documentation.hpp"
#include "emit/model_description.hpp"
#include "emit/sources.hpp"
#include "support/source_text.hpp"
#include "support/test_folder.hpp"
#include "validation/validate.hpp"

namespace mechfmu {
namespace {

// As the value of an attribute in the user's file.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '&' || c == '<' || static_cast<unsigned char>(c) < 0x20)
      result += "&#" + std::to_string(static_cast<int>(c)) + ";";
    else
      result += c;
  }
  return result;
}

std::string replace_all(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

struct Outcome {
  std::vector<Diagnostic> errors;
  std::string sources, description, documentation;  // empty if there are errors
};

Outcome emit(const std::string& xml, const std::string& folder = "") {
  const SourceText source(folder.empty() ? "model.xml" : folder + "/model.xml", xml);
  Diagnostics diagnostics;
  Outcome outcome;
  std::optional<SystemModel> system;
  if (const std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics)) {
    SystemOptions options;
    options.expose = "all";
    system = make_system(*mechanism, options, diagnostics);
  }
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity == Severity::error) outcome.errors.push_back(d);
  EXPECT_EQ(outcome.errors.empty(), system.has_value());
  if (!system) return outcome;
  for (const SourceFile& file : emit_sources(*system, "{guid}")) outcome.sources += file.content;
  outcome.description = emit_model_description(*system, "{guid}");
  outcome.documentation = emit_documentation(*system, "{guid}");
  return outcome;
}

// C++ without the content of its literals and without comments.
std::string strip(const std::string& code) {
  std::string bare;
  for (std::size_t i = 0; i < code.size();) {
    if (code.compare(i, 2, "//") == 0) {
      i = std::min(code.find('\n', i), code.size());
    } else if (code.compare(i, 2, "/*") == 0) {
      i = code.find("*/", i + 2) + 2;
    } else if (code[i] == '"') {
      for (++i; i < code.size() && code[i] != '"' && code[i] != '\n'; ++i)
        if (code[i] == '\\') ++i;
      bare += i < code.size() && code[i] == '"' ? "\"\"" : "an open literal";
      ++i;
    } else {
      bare += code[i++];
    }
  }
  return bare;
}

const std::string kMechanism = R"xml(<mechanism name="Plain" description="@0">
<parameter name="length" value="0.5 m" description="@1"/>
<input name="voltage" unit="N.m" filter="10 ms" description="@2"/>
<table name="profile" x="0 1 2" y="0 1 0"/>
<ground><frame name="post"/><visual shape="box" size="1 1 1" color="@3"/></ground>
<body name="crank" description="@4"><inertial mass="1" inertia="1 1 1"/><frame name="tip" xyz="length 0 0"/></body>
<body name="slide"><inertial mass="1" inertia="1 1 1"/></body>
<joint name="hinge" type="revolute" parent="ground.post" child="crank" axis="0 1 0" description="@5"><start position="1"/></joint>
<joint name="rail" type="prismatic" parent="ground" child="slide" axis="1 0 0"/>
<drive name="motor" joint="rail" position="profile(time)" description="@6"/>
<force name="load" type="joint_torque" joint="hinge" value="voltage" description="@7"/>
<holonomic name="keep" value="crank.tip.position[1] - 0.2 - 0.01*time" description="@8"/>
<output name="angle_out" value="hinge.position" description="@9"/>
</mechanism>)xml";

const std::string kEquations = R"xml(<equations name="Plain" description="@0">
<parameter name="length" value="0.5 m" description="@1"/>
<table name="profile" x="0 1 2" y="0 1 0"/>
<coordinate name="crank" start="1" mass="length" description="@2"/>
<coordinate name="slide" mass="2"/>
<mass row="crank" column="slide" value="0.1"/>
<force on="slide" value="-profile(crank)"/>
<holonomic name="keep" value="slide - sin(crank)" description="@3"/>
<nonholonomic name="roll" value="der(slide) - cos(crank)*der(crank)" description="@4"/>
<output name="angle_out" value="der(der(crank)) + keep.multiplier" description="@5"/>
</equations>)xml";

const std::vector<std::string> kNames = {"Plain", "length", "voltage", "profile", "post",
                                         "crank", "slide",  "tip",     "hinge",   "rail",
                                         "motor", "load",   "keep",    "roll",    "angle_out"};

std::string without_marks(std::string xml) {
  for (int k = 0; k < 10; ++k) xml = replace_all(xml, "@" + std::to_string(k), "");
  return xml;
}

// The name at every place where it stands in the file.
std::string rename(const std::string& xml, const std::string& from, const std::string& to) {
  std::string result;
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t i = 0; i < xml.size();) {
    const std::size_t end = i + from.size();
    if (xml.compare(i, from.size(), from) == 0 && (i == 0 || !is_part(xml[i - 1])) &&
        !is_part(xml[end]) && xml[end] != '=') {
      result += to;
      i = end;
    } else {
      result += xml[i++];
    }
  }
  return result;
}

struct Hostile {
  const char* what;
  std::string text;
};

std::vector<Hostile> hostile_texts() {
  return {{"a quote", "a\"b"},
          {"an apostrophe", "a'b"},
          {"a backslash", "a\\b"},
          {"a backslash at the end", "ab\\"},
          {"a newline", "a\n#error no"},
          {"a carriage return", "a\rb"},
          {"a tab", "a\tb"},
          {"the end of a comment", "a*/b"},
          {"a comment", "a//b"},
          {"the end of an XML comment", "a-->b"},
          {"a tag", "</fmiModelDescription><x y=\"1\">&lt;"},
          {"the end of CDATA", "]]>"},
          {"an include", "#include \"/etc/passwd\""},
          {"a trigraph",
           "a?"
           "?/b"},
          {"a raw literal", "R\"(a)\""},
          {"a format", "%s%n{0}{}"},
          {"a template tag", "{{guid}}{{#each reals}}"},
          {"UTF-8", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x94\xA7"},
          {"a bidirectional override",
           "a\xE2\x80\xAE"
           "b"},
          {"a shell command", "$(touch x); `touch x`"},
          {"a long text", std::string(60000, 'a') + "\xC3\xA4"}};
}

// One line that fits on a screen.
void expect_readable(const Outcome& outcome, const std::string& where) {
  for (const Diagnostic& d : outcome.errors) {
    for (const std::string& text : {d.message, d.hint}) {
      EXPECT_LT(text.size(), 400U) << where << ": " << d.code;
      EXPECT_TRUE(std::none_of(text.begin(), text.end(),
                               [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
          << where << ": " << d.code << " " << text;
    }
  }
}

std::string codes(const Outcome& outcome) {
  std::string text;
  for (const Diagnostic& d : outcome.errors) text += d.code + " ";
  return text;
}

TEST(HostileText, TheModelsOfTheseTestsAreGood) {
  for (const std::string& xml : {kMechanism, kEquations}) {
    const Outcome outcome = emit(without_marks(xml));
    EXPECT_EQ(codes(outcome), "");
    EXPECT_FALSE(outcome.sources.empty());
  }
}

TEST(HostileText, StripSeesWhatLeavesALiteral) {
  EXPECT_EQ(strip("f(\"a\\\"b\", 1);  // c\n/* \" */x"), "f(\"\", 1);  \nx");
  EXPECT_NE(strip("f(\"a\"b\")"), strip("f(\"a\\\"b\")"));
}

// Mechanism, parameters, inputs, outputs, bodies, frames, joints, forces, drives, constraints,
// tables, coordinates.
TEST(HostileText, IsRefusedAsAName) {
  for (const std::string& xml : {kMechanism, kEquations})
    for (const std::string& name : kNames) {
      const std::string plain = without_marks(xml);
      for (const Hostile& hostile : hostile_texts()) {
        const std::string text =
            replace_all(plain, "name=\"" + name + "\"", "name=\"" + quoted(hostile.text) + "\"");
        if (text == plain) continue;
        const Outcome outcome = emit(text);
        EXPECT_NE(codes(outcome).find(hostile.text.size() > 64 ? "E122" : "E121"),
                  std::string::npos)
            << name << ": " << hostile.what << ": " << codes(outcome);
        expect_readable(outcome, name + ": " + hostile.what);
      }
    }
}

TEST(HostileText, IsRefusedAsAReferenceAValueAUnitOrAWord) {
  for (const char* attribute : {"value=\"0.5 m\"",
                                "unit=\"N.m\"",
                                "filter=\"10 ms\"",
                                "x=\"0 1 2\"",
                                "y=\"0 1 0\"",
                                "shape=\"box\"",
                                "size=\"1 1 1\"",
                                "mass=\"1\"",
                                "inertia=\"1 1 1\"",
                                "xyz=\"length 0 0\"",
                                "type=\"revolute\"",
                                "parent=\"ground.post\"",
                                "child=\"crank\"",
                                "axis=\"0 1 0\"",
                                "position=\"1\"",
                                "joint=\"rail\"",
                                "position=\"profile(time)\"",
                                "joint=\"hinge\"",
                                "value=\"voltage\"",
                                "value=\"hinge.position\"",
                                "start=\"1\"",
                                "mass=\"length\"",
                                "row=\"crank\"",
                                "column=\"slide\"",
                                "on=\"slide\"",
                                "value=\"-profile(crank)\"",
                                "value=\"slide - sin(crank)\""}) {
    const std::string name = std::string(attribute).substr(0, std::string(attribute).find('='));
    bool found = false;
    for (const std::string& xml : {kMechanism, kEquations}) {
      const std::string plain = without_marks(xml);
      for (const Hostile& hostile : hostile_texts()) {
        const std::string text = replace_all(plain, " " + std::string(attribute),
                                             " " + name + "=\"" + quoted(hostile.text) + "\"");
        if (text == plain) continue;
        found = true;
        const Outcome outcome = emit(text);
        EXPECT_FALSE(outcome.errors.empty()) << attribute << ": " << hostile.what;
        expect_readable(outcome, std::string(attribute) + ": " + hostile.what);
      }
    }
    EXPECT_TRUE(found) << attribute;
  }
}

TEST(HostileText, IsRefusedAsAFileOrAColumnOfATable) {
  const test::TestFolder folder;
  folder.write("a.csv", "x,y\n0,0\n1,1\n");
  const std::string plain = without_marks(kMechanism);
  for (const Hostile& hostile : hostile_texts())
    for (const std::string& points : {"file=\"" + quoted(hostile.text) + "\"",
                                      "file=\"a.csv\" x_column=\"" + quoted(hostile.text) + "\"",
                                      "file=\"a.csv\" y_column=\"" + quoted(hostile.text) + "\""}) {
      const Outcome outcome =
          emit(replace_all(plain, "x=\"0 1 2\" y=\"0 1 0\"", points), folder.path());
      EXPECT_EQ(codes(outcome), "E142 ") << hostile.what;
      expect_readable(outcome, hostile.what);
    }
}

// A file of this name may exist; the name ends nowhere.
TEST(HostileText, OfAFileThatIsThereIsInNoOutput) {
  const test::TestFolder folder;
  const std::string name = "q\"'*' --> {{guid}} \xC3\xA4.csv";
  folder.write(name, "x,\"y\"\"; #error\"\n0,0\n1,1\n2,0\n");
  const Outcome outcome = emit(replace_all(without_marks(kMechanism), "x=\"0 1 2\" y=\"0 1 0\"",
                                           "file=\"" + quoted(name) + "\""),
                               folder.path());
  const Outcome plain = emit(without_marks(kMechanism));
  ASSERT_EQ(codes(outcome), "");
  EXPECT_EQ(outcome.sources, plain.sources);
  EXPECT_EQ(outcome.description, plain.description);
}

// Descriptions and colors may hold anything. They are not in the sources at all, and read back from
// modelDescription.xml as they were written.
TEST(HostileText, OfDescriptionsIsKeptFromTheCompilerAndReadsBack) {
  for (const std::string& xml : {kMechanism, kEquations}) {
    const Outcome plain = emit(without_marks(xml));
    for (const Hostile& hostile : hostile_texts()) {
      std::string text = xml;
      for (int k = 0; k < 10; ++k)
        text = replace_all(text, "@" + std::to_string(k), quoted(hostile.text));
      const Outcome outcome = emit(text);
      ASSERT_EQ(codes(outcome), "") << hostile.what;
      EXPECT_EQ(outcome.sources, plain.sources) << hostile.what;

      pugi::xml_document document;
      ASSERT_TRUE(document.load_buffer(outcome.description.data(), outcome.description.size()));
      const pugi::xml_node root = document.child("fmiModelDescription");
      EXPECT_EQ(root.attribute("description").value(), hostile.text) << hostile.what;
      const pugi::xml_node parameter =
          root.child("ModelVariables").find_child_by_attribute("name", "length");
      EXPECT_EQ(parameter.attribute("description").value(), hostile.text) << hostile.what;
      EXPECT_EQ(outcome.documentation.find("<x y"), std::string::npos);
    }
  }
}

TEST(HostileText, ControlCharactersAreNotRead) {
  for (const std::string& character :
       {std::string("\x01"), std::string("\x1b[31m"), std::string("&#1;"), std::string("&#0;"),
        std::string("&#27;"), std::string("&#xFFFE;")}) {
    const Outcome outcome = emit(replace_all(without_marks(kMechanism), "name=\"length\"",
                                             "name=\"length\" description=\"" + character + "\""));
    EXPECT_NE(codes(outcome).find("E10"), std::string::npos) << character;
    expect_readable(outcome, character);
  }
}

TEST(HostileText, OfAHundredThousandCharactersIsNotRead) {
  const std::string text(100000, 'a');
  for (const char* attribute : {"name", "description", "value", "unit"}) {
    const Outcome outcome = emit(std::string("<mechanism name=\"M\">\n<parameter ") + attribute +
                                 "=\"" + text + "\"/>\n</mechanism>\n");
    EXPECT_EQ(codes(outcome), "E118 ") << attribute;
    expect_readable(outcome, attribute);
  }
}

// Identifiers are legal names, whatever they mean in C and C++: they stand in literals and comments
// only, so the code is the same under any names.
TEST(HostileText, NamesThatMeanSomethingToTheCompilerChangeNoCode) {
  for (const std::string& xml : {kMechanism, kEquations}) {
    const std::string plain = strip(emit(without_marks(xml)).sources);
    for (const std::string& name : kNames)
      for (const char* other :
           {"__FILE__", "__LINE__", "NULL", "main", "linux", "errno", "EOF", "INFINITY", "assert",
            "q", "out", "Model", "mechfmu_model", "kTable0", "_Pragma", "defined"}) {
        const std::string text = rename(without_marks(xml), name, other);
        if (text == without_marks(xml) || (name == "Plain" && std::string(other) == "main"))
          continue;  // the library cannot be called main
        const Outcome outcome = emit(text);
        ASSERT_EQ(codes(outcome), "") << name << " -> " << other;
        EXPECT_EQ(strip(outcome.sources), plain) << name << " -> " << other;
      }
  }
}

TEST(HostileText, MechanismIsNotCalledLikeAKeyword) {
  for (const char* name : {"main", "double", "operator", "NUL"})
    EXPECT_EQ(codes(emit(rename(without_marks(kMechanism), "Plain", name))), "E125 ") << name;
}

}  // namespace
}  // namespace mechfmu
