// Templates and escaping. References: the two rules in template_text.hpp; XML 1.0, 2.2 (which
// characters are legal).
#include "emit/template_text.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace mechfmu {
namespace {

TemplateValues make_list(const char* list, std::vector<std::string> names) {
  TemplateValues values;
  for (std::string& name : names) {
    values.lists[list].emplace_back();
    values.lists[list].back().values["name"] = std::move(name);
  }
  return values;
}

TEST(TemplateText, InsertsValuesAsTheyAre) {
  TemplateValues values;
  values.values = {{"a", "<1>"}, {"b", "{{a}}"}};
  EXPECT_EQ(fill_template("x {{a}} {{ b }} y", values), "x <1> {{a}} y");
}

TEST(TemplateText, RepeatsTheTextBetweenOncePerElement) {
  EXPECT_EQ(fill_template("[{{#each v}}{{name}};{{/each}}]", make_list("v", {"a", "b"})), "[a;b;]");
  TemplateValues none;
  none.lists["v"];
  EXPECT_EQ(fill_template("[{{#each v}}{{name}};{{/each}}]", none), "[]");
}

TEST(TemplateText, BlockTagsAloneOnALineLeaveNoLine) {
  EXPECT_EQ(fill_template("a\n  {{#each v}}\n{{name}}\n{{/each}}\nb\n", make_list("v", {"1", "2"})),
            "a\n1\n2\nb\n");
}

TEST(TemplateText, ListsNestAndInnerNamesHideOuterOnes) {
  TemplateValues values = make_list("outer", {"o"});
  values.values["name"] = "top";
  values.lists["outer"].front().lists = make_list("inner", {"i", "j"}).lists;
  EXPECT_EQ(fill_template(
                "{{name}}{{#each outer}}{{name}}{{#each inner}}{{name}}{{/each}}{{name}}{{/each}}",
                values),
            "topoijo");
}

TEST(TemplateText, MistakesInTemplatesAreOurs) {
  EXPECT_THROW(fill_template("{{missing}}", {}), std::logic_error);
  EXPECT_THROW(fill_template("{{#each missing}}{{/each}}", {}), std::logic_error);
  EXPECT_THROW(fill_template("{{#each v}}", make_list("v", {})), std::logic_error);
  EXPECT_THROW(fill_template("{{/each}}", {}), std::logic_error);
  EXPECT_THROW(fill_template("{{open", {}), std::logic_error);
}

TEST(EscapeXml, MarkupAndLineEndsBecomeReferences) {
  EXPECT_EQ(escape_xml("a<b>&\"c\"\t\n\r"), "a&lt;b&gt;&amp;&quot;c&quot;&#9;&#10;&#13;");
}

TEST(EscapeXml, TextInOtherLanguagesIsKept) {
  EXPECT_EQ(escape_xml("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x94\xA7"),
            "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x94\xA7");
}

TEST(EscapeXml, WhatXmlCannotHoldBecomesAQuestionMark) {
  EXPECT_EQ(escape_xml(std::string("a\0b", 3)), "a?b");
  EXPECT_EQ(escape_xml("\x01\x1F\x7F"), "???");
  EXPECT_EQ(escape_xml("\x80"), "?");                 // a continuation byte alone
  EXPECT_EQ(escape_xml("\xC3"), "?");                 // cut off
  EXPECT_EQ(escape_xml("\xC0\xAF"), "??");            // overlong
  EXPECT_EQ(escape_xml("\xE0\x80\x80"), "???");       // overlong
  EXPECT_EQ(escape_xml("\xED\xA0\x80"), "???");       // a surrogate
  EXPECT_EQ(escape_xml("\xEF\xBF\xBE"), "???");       // U+FFFE
  EXPECT_EQ(escape_xml("\xF4\x90\x80\x80"), "????");  // above U+10FFFF
  EXPECT_EQ(escape_xml("\xC3<"), "?&lt;");
}

}  // namespace
}  // namespace mechfmu
