// What is said about text that is not well-formed XML, and what the parser keeps of text that is.
#include "readers/xml_document.hpp"

#include <gtest/gtest.h>

#include <string>

#include "readers/messages.hpp"
#include "readers/utf8.hpp"

namespace mechfmu {
namespace {

using test::messages;
using test::with_link;

TEST(XmlError, ATagIsNotClosed) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M">
  <body name="a">
    <point mass="1"/>
</mechanism>
)xml"),
            R"txt(model.xml:4:1: error E105: </mechanism> where </body> is expected
    4 | </mechanism>
      | ^~~~~~~~~~~
   hint: <body> was opened in line 2
)txt");
}

TEST(XmlError, TheFileEndsInsideAnElement) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M">
  <body name="a">
)xml"),
            R"txt(model.xml:2:3: error E105: <body> is never closed
    2 |   <body name="a">
      |   ^~~~~
   hint: add </body>
)txt");
}

TEST(XmlError, TheFileEndsInsideATag) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M">
  <body name="a")xml"),
            R"txt(model.xml:2:3: error E105: the tag <body has no '>'
    2 |   <body name="a"
      |   ^~~~~
)txt");
}

TEST(XmlError, AnEndTagClosesNothing) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M"/>
</mechanism>
)xml"),
            R"txt(model.xml:2:1: error E105: </mechanism> closes nothing
    2 | </mechanism>
      | ^~~~~~~~~~~
   hint: remove it, or add its start tag
)txt");
}

TEST(XmlError, AClosingQuoteIsMissing) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M>
</mechanism>
)xml"),
            R"txt(model.xml:1:12: error E105: the value of 'name' has no closing quote
    1 | <mechanism name="M>
      |            ^~~~
)txt");
}

TEST(XmlError, AClosingQuoteIsMissingBeforeAnotherTag) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M>
  <body name="a"/>
</mechanism>
)xml"),
            R"txt(model.xml:2:3: error E105: '<' in the value of 'name'
    2 |   <body name="a"/>
      |   ^
   hint: write &lt; for a comparison, or add the missing quote
)txt");
}

TEST(XmlError, AValueHasNoQuotes) {
  EXPECT_EQ(messages(R"xml(<mechanism name=M/>)xml"),
            R"txt(model.xml:1:12: error E105: the value of 'name' is not in quotes
    1 | <mechanism name=M/>
      |            ^~~~
   hint: write name="..."
)txt");
}

TEST(XmlError, AnAttributeHasNoValue) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M" cut></mechanism>)xml"),
            R"txt(model.xml:1:21: error E105: attribute 'cut' has no value
    1 | <mechanism name="M" cut></mechanism>
      |                     ^~~
   hint: write cut="..."
)txt");
}

TEST(XmlError, NoBlankBetweenAttributes) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M"gravity="0 0 0"/>)xml"),
            R"txt(model.xml:1:20: error E105: a blank is needed between attributes
    1 | <mechanism name="M"gravity="0 0 0"/>
      |                    ^
)txt");
}

TEST(XmlError, ACommentIsNotClosed) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M">
  <!-- so far
</mechanism>
)xml"),
            R"txt(model.xml:2:3: error E105: the comment is never closed
    2 |   <!-- so far
      |   ^~~~
   hint: it ends with -->
)txt");
}

TEST(XmlError, TextBeforeTheFirstElement) {
  EXPECT_EQ(messages(R"xml(mechanism name="M"
)xml"),
            R"txt(model.xml:1:1: error E105: the file does not begin with an element
    1 | mechanism name="M"
      | ^
   hint: a mechanism file begins with <mechanism ...>
)txt");
}

TEST(XmlError, TextAfterTheLastElement) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M"/>
more
)xml"),
            R"txt(model.xml:2:1: error E105: there is text after the end of the root element
    2 | more
      | ^
)txt");
}

TEST(XmlError, ASecondRootElement) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M"/>
<mechanism name="N"/>
)xml"),
            R"txt(model.xml:2:1: error E105: <mechanism> after the end of <mechanism>
    2 | <mechanism name="N"/>
      | ^~~~~~~~~~
   hint: a file holds one root element
)txt");
}

TEST(XmlError, ADocumentTypeIsThere) {
  EXPECT_EQ(messages(R"xml(<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>
<mechanism name="&lol2;"/>
)xml"),
            R"txt(model.xml:2:1: error E107: document types and entity definitions are not accepted
    2 | <!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>
      | ^~
   hint: remove the <!DOCTYPE ...>
)txt");
}

TEST(XmlError, AnEntityIsUnknown) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M" description="&copy; 2024"/>)xml"),
            R"txt(model.xml:1:34: error E107: the entity &copy; is not known
    1 | <mechanism name="M" description="&copy; 2024"/>
      |                                  ^~~~~~
   hint: XML has &lt; &gt; &amp; &quot; &apos;
)txt");
}

TEST(XmlError, AnAmpersandIsAlone) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M" description="rod & link"/>)xml"),
            R"txt(model.xml:1:38: error E105: '&' begins no entity
    1 | <mechanism name="M" description="rod & link"/>
      |                                      ^
   hint: write &amp; for a single '&'
)txt");
}

TEST(XmlError, ACharacterNumberIsImpossible) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M" description="&#0;"/>)xml"),
            R"txt(model.xml:1:34: error E105: &#0; is not a character of XML
    1 | <mechanism name="M" description="&#0;"/>
      |                                  ^~~~
)txt");
}

TEST(XmlError, AnotherEncodingIsDeclared) {
  EXPECT_EQ(messages(R"xml(<?xml version="1.0" encoding="ISO-8859-1"?>
<mechanism name="M"/>)xml"),
            R"txt(model.xml:1:31: error E104: the encoding ISO-8859-1 is not supported
    1 | <?xml version="1.0" encoding="ISO-8859-1"?>
      |                               ^~~~~~~~~~
   hint: save the file as UTF-8 and write encoding="UTF-8"
)txt");
}

TEST(XmlError, AnAttributeStandsTwice) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="a" value="1"
           value="2"/>)xml")),
            R"txt(model.xml:3:12: error E106: <parameter> has the attribute 'value' twice
    3 |            value="2"/>
      |            ^~~~~
   hint: the first one is in line 2
)txt");
}

std::optional<XmlElement> parse(const std::string& text) {
  Diagnostics diagnostics;
  return parse_xml(SourceText("model.xml", text), diagnostics);
}

// Reference: XML 1.0, sections 2.3 to 3.1.
TEST(XmlDocument, KeepsElementsAttributesAndText) {
  const std::optional<XmlElement> root = parse(
      "<?xml version='1.0'?><!-- c --><a x = '1' y=\"2\"\n><b/>t<![CDATA[<]]></a><!-- d -->\n");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->name, "a");
  ASSERT_EQ(root->attributes.size(), 2U);
  EXPECT_EQ(root->find("x")->value.text, "1");
  EXPECT_EQ(root->find("y")->value.text, "2");
  ASSERT_EQ(root->children.size(), 1U);
  EXPECT_EQ(root->children[0].name, "b");
  EXPECT_TRUE(root->text);
  EXPECT_EQ(root->find("z"), nullptr);
}

// Reference: the five entities of XML 1.0, section 4.6, and the UTF-8 of U+00B0 and U+1F600.
TEST(XmlDocument, DecodesEntitiesAndRemembersWhereTheyStood) {
  const std::optional<XmlElement> root = parse("<a x='1&lt;2&amp;&#176;&#x1F600;!'/>");
  ASSERT_TRUE(root);
  const ValueText& value = root->attributes[0].value;
  EXPECT_EQ(value.text, "1<2&\xC2\xB0\xF0\x9F\x98\x80!");
  EXPECT_EQ(value.offset_of(0), 6U);   // 1
  EXPECT_EQ(value.offset_of(1), 7U);   // &lt;
  EXPECT_EQ(value.offset_of(2), 11U);  // 2
  EXPECT_EQ(value.offset_of(3), 12U);  // &amp;
  EXPECT_EQ(value.offset_of(value.text.size() - 1), value.span.end - 1);
}

TEST(XmlDocument, AcceptsAByteOrderMarkAndCountsColumnsWithoutIt) {
  EXPECT_EQ(messages("\xEF\xBB\xBF<robot/>"),
            R"txt(model.xml:1:1: error E109: this is a URDF file, not a mechanism file
    1 | <robot/>
      | ^~~~~~
   hint: mechfmu convert makes one of it, <import file="..."/> makes it part of one
)txt");
}

TEST(XmlError, TheFileIsNotUtf8) {
  EXPECT_EQ(messages("<mechanism name=\"M\" description=\"l\xE4nge\"/>").substr(0, 69),
            "model.xml:1:35: error E104: byte 0xE4 is not UTF-8\n    1 | <mechanism");
}

TEST(XmlError, TheFileIsUtf16) {
  EXPECT_EQ(messages(std::string("\xFF\xFE<\0m\0", 6)),
            "model.xml: error E104: the file is UTF-16\n   hint: save it as UTF-8\n");
}

TEST(XmlError, AControlCharacterIsInTheFile) {
  EXPECT_EQ(messages(std::string("<a>\0</a>", 8)),
            "model.xml:1:4: error E105: the control character 0x00 is not allowed in XML\n"
            "    1 | <a> </a>\n      |    ^\n");
}

TEST(XmlError, TheFileHoldsOnlyAComment) {
  EXPECT_EQ(messages("<!-- nothing -->"),
            "model.xml:1:1: error E105: the file holds no element\n    1 | <!-- nothing -->\n"
            "      | ^\n   hint: it should hold <mechanism>\n");
}

// Reference: the limits of xml_document.hpp; at the limit all is well, one more is refused.
TEST(XmlError, ElementsAreNestedTooDeeply) {
  const auto nest = [](std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += "<a>";
    for (std::size_t i = 0; i < depth; ++i) text += "</a>";
    return text;
  };
  EXPECT_TRUE(parse(nest(kMaxXmlDepth)));
  EXPECT_EQ(messages(nest(kMaxXmlDepth + 1)).substr(0, 75),
            "model.xml:1:193: error E108: elements are nested deeper than 64 levels\n    ");
}

TEST(XmlError, AnElementHasTooManyAttributes) {
  const auto make = [](std::size_t count) {
    std::string text = "<a";
    for (std::size_t i = 0; i < count; ++i) text += " x" + std::to_string(i) + "=''";
    return text + "/>";
  };
  EXPECT_TRUE(parse(make(kMaxXmlAttributes)));
  EXPECT_NE(messages(make(kMaxXmlAttributes + 1)).find("E108: <a> has more than 256 attributes"),
            std::string::npos);
}

TEST(XmlError, TheFileHasTooManyElements) {
  std::string text = "<a>";
  for (std::size_t i = 1; i < kMaxXmlElements; ++i) text += "<b/>";
  EXPECT_TRUE(parse(text + "</a>"));
  EXPECT_NE(messages(text + "<b/></a>").find("E108: the file has more than 200000 elements"),
            std::string::npos);
}

TEST(XmlError, AValueIsTooLong) {
  const std::string most(kMaxAttributeLength, 'x');
  EXPECT_TRUE(parse("<a b='" + most + "'/>"));
  EXPECT_NE(messages("<a b='" + most + "x'/>")
                .find("E118: the value of 'b' has 65537 characters, the limit is 65536"),
            std::string::npos);
}

// Reference: the Unicode standard, table 3-7 (well-formed byte sequences).
TEST(Utf8, RefusesOverlongSurrogatesAndCutSequences) {
  EXPECT_EQ(find_invalid_utf8("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"), std::nullopt);
  EXPECT_EQ(find_invalid_utf8("ab\xC0\xAF"), 2U);
  EXPECT_EQ(find_invalid_utf8("\xE0\x80\xAF"), 0U);
  EXPECT_EQ(find_invalid_utf8("\xED\xA0\x80"), 0U);
  EXPECT_EQ(find_invalid_utf8("\xF4\x90\x80\x80"), 0U);
  EXPECT_EQ(find_invalid_utf8("abc\xE2\x82"), 3U);
  EXPECT_EQ(find_invalid_utf8("\x80"), 0U);
}

TEST(Utf8, RefusesCharacterNumbersThatXmlDoesNotHave) {
  EXPECT_EQ(decode_character_reference("65"), "A");
  EXPECT_EQ(decode_character_reference("x41"), "A");
  for (const char* bad :
       {"", "x", "0", "8", "xD800", "x110000", "xFFFF", "1a", "99999999999999999999"})
    EXPECT_EQ(decode_character_reference(bad), std::nullopt) << bad;
}

// Every prefix of a good file ends in a message, not in a crash.
TEST(XmlDocument, SurvivesEveryCutOfAFile) {
  const std::string text =
      with_link("<parameter name='a' value='1 &lt; 2'/><!-- c --><![CDATA[x]]><?p?>");
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    EXPECT_NE(messages(text.substr(0, length)), "") << length;
}

}  // namespace
}  // namespace mechfmu
