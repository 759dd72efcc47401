// The commands that only tell: schemes, integrators, joints, forces, explain, schema, new, doctor.
// Reference: the tables they are made from.
#include "mechanism/catalogue.hpp"
#include "program.hpp"
#include "support/error_codes.hpp"

namespace mechfmu::test {
namespace {

template <class T>
void check_cards(const std::string& command, const std::vector<T>& types) {
  const RunResult list = run_mechfmu({command});
  EXPECT_EQ(0, list.exit_code);
  EXPECT_TRUE(contains(last_line(list.err), "next: mechfmu " + command));
  for (const T& type : types) {
    EXPECT_TRUE(contains(list.out, std::string(type.id)));
    EXPECT_TRUE(contains(list.out, std::string(type.title)));
    const RunResult card = run_mechfmu({command, std::string(type.id)});
    EXPECT_EQ(0, card.exit_code);
    EXPECT_TRUE(contains(card.out, std::string(type.title)));
    EXPECT_EQ(std::string::npos, card.out.find('\x01')) << "a marker of the table is shown";
  }
}

TEST(Reference, EveryRowOfEveryTableHasACard) {
  check_cards("schemes", scheme_types());
  check_cards("integrators", integrator_types());
  check_cards("joints", joint_types());
  check_cards("forces", force_types());
}

TEST(Reference, CardsNameEveryAttributeAndParameter) {
  for (const JointType& type : joint_types()) {
    const std::string card = run_mechfmu({"joints", std::string(type.id)}).out;
    for (const Attribute& a : type.attributes) EXPECT_TRUE(contains(card, std::string(a.help)));
    EXPECT_TRUE(contains(card, "type=\"" + std::string(type.id) + "\""));
  }
  for (const ForceType& type : force_types()) {
    const std::string card = run_mechfmu({"forces", std::string(type.id)}).out;
    for (const Attribute& a : type.attributes) EXPECT_TRUE(contains(card, std::string(a.help)));
  }
  for (const SchemeType& type : scheme_types()) {
    const std::string card = run_mechfmu({"schemes", std::string(type.id)}).out;
    for (const SchemeParameter& p : type.parameters)
      EXPECT_TRUE(contains(card, std::string(p.help)));
  }
}

TEST(Reference, ExplainKnowsEveryCode) {
  const std::string list = run_mechfmu({"explain"}).out;
  for (const ErrorCode& code : error_codes()) EXPECT_TRUE(contains(list, std::string(code.title)));
  const RunResult one = run_mechfmu({"explain", "e203"});
  EXPECT_EQ(0, one.exit_code);
  EXPECT_TRUE(contains(one.out, std::string(find_error_code("E203")->paragraph)));
}

TEST(Reference, SchemaIsASchema) {
  const RunResult r = run_mechfmu({"schema"});
  EXPECT_EQ(0, r.exit_code);
  EXPECT_TRUE(contains(r.out, "<xs:schema"));
  EXPECT_TRUE(contains(r.out, "</xs:schema>"));
}

TEST(New, WritesAMechanismThatPassesCheck) {
  const TestFolder folder;
  RunOptions options;
  options.folder = folder.path();
  const RunResult r = run_mechfmu({"new"}, options);
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(r.out, "four_bar/four_bar.xml"));
  EXPECT_EQ("next: mechfmu build four_bar/four_bar.xml", last_line(r.err));
  EXPECT_EQ(read_text(example("four_bar")), read_text(folder / "four_bar/four_bar.xml"));
  EXPECT_EQ(0, run_mechfmu({"check", "four_bar/four_bar.xml"}, options).exit_code);
}

TEST(New, NeverOverwrites) {
  const TestFolder folder;
  folder.write("mine/pendulum.xml", "precious");
  const RunResult r = run_mechfmu({"new", "pendulum", folder / "mine"});
  EXPECT_EQ(5, r.exit_code);
  EXPECT_TRUE(contains(r.err, "already there"));
  EXPECT_EQ("precious", read_text(folder / "mine/pendulum.xml"));
}

TEST(New, AFileWhereTheFolderShouldBeIsAnError) {
  const TestFolder folder;
  folder.write("mine", "a file");
  EXPECT_EQ(5, run_mechfmu({"new", "pendulum", folder / "mine"}).exit_code);
  EXPECT_EQ("a file", read_text(folder / "mine"));
}

TEST(Doctor, FindsTheCompilerOfThisMachine) {
  const RunResult r = run_mechfmu({"doctor", "--json"});
  EXPECT_EQ(0, r.exit_code) << r.out << r.err;
  EXPECT_EQ("true", read_json(r.out)["can_build"]);
}

TEST(Doctor, WithoutCompilerItNamesThePackage) {
  const TestFolder empty;
  RunOptions options;
  options.environment = {{"PATH", empty.path()}, {"CXX", std::nullopt}};
  const RunResult r = run_mechfmu({"doctor"}, options);
  EXPECT_EQ(5, r.exit_code);
  EXPECT_TRUE(contains(r.out, "MISSING"));
  EXPECT_TRUE(contains(r.err, "apt install g++"));
}

}  // namespace
}  // namespace mechfmu::test
