// What reaches the host's logger. Reference: FMI 2.0 on fmi2CallbackLogger and fmi2SetDebugLogging,
// log_categories.def.
#include <algorithm>
#include <limits>

#include "host.hpp"

namespace mechfmu::test {
namespace {

fmi2Status provoke_error(Host& host) { return host.set(kRealCount, 1); }
void provoke_event(Host& host) { fmi2Reset(host); }
fmi2Status provoke_discard(Host& host) {
  return host.set(kForce, std::numeric_limits<double>::infinity());
}

std::vector<std::string> categories(const Host& host) {
  std::vector<std::string> result;
  for (const Message& message : host.messages) result.push_back(message.category);
  return result;
}

std::vector<std::string> provoke_everything(Host& host) {
  host.messages.clear();
  provoke_error(host);
  provoke_discard(host);
  provoke_event(host);
  return categories(host);
}

using Names = std::vector<std::string>;

TEST(Log, WithoutLoggingReasonsAreStillGivenAndEventsAreNot) {
  Host host("quiet", false);
  EXPECT_EQ((Names{"logStatusError", "logStatusDiscard"}), provoke_everything(host));
}

TEST(Log, WithLoggingEventsAreReportedToo) {
  Host host("loud", true);
  EXPECT_EQ((Names{"logEvents"}), categories(host));  // the instantiation
  EXPECT_EQ((Names{"logStatusError", "logStatusDiscard", "logEvents"}), provoke_everything(host));
}

TEST(Log, SetDebugLoggingWithoutNamesDoesNotTouchThePointer) {
  Host host;
  const auto* garbage = reinterpret_cast<const fmi2String*>(8);
  EXPECT_EQ(fmi2OK, fmi2SetDebugLogging(host, fmi2True, 0, garbage));
  EXPECT_EQ((Names{"logStatusError", "logStatusDiscard", "logEvents"}), provoke_everything(host));
  EXPECT_EQ(fmi2OK, fmi2SetDebugLogging(host, fmi2False, 0, garbage));
  EXPECT_EQ((Names{"logStatusError"}), provoke_everything(host));
}

TEST(Log, NamedCategoriesAreSwitchedAlone) {
  Host host;
  const fmi2String events[] = {"logEvents"};
  EXPECT_EQ(fmi2OK, fmi2SetDebugLogging(host, fmi2True, 1, events));
  EXPECT_EQ((Names{"logStatusError", "logStatusDiscard", "logEvents"}), provoke_everything(host));
  const fmi2String statuses[] = {"logStatusError", "logStatusDiscard"};
  EXPECT_EQ(fmi2OK, fmi2SetDebugLogging(host, fmi2False, 2, statuses));
  EXPECT_EQ((Names{"logEvents"}), provoke_everything(host));
  const fmi2String all[] = {"logAll"};
  EXPECT_EQ(fmi2OK, fmi2SetDebugLogging(host, fmi2False, 1, all));
  EXPECT_EQ(Names{}, provoke_everything(host));
}

TEST(Log, AnUnknownCategoryIsAWarningThatNamesIt) {
  Host host;
  const fmi2String names[] = {"logNonsense", "logEvents"};
  EXPECT_EQ(fmi2Warning, fmi2SetDebugLogging(host, fmi2True, 2, names));
  EXPECT_NE(std::string::npos, host.last_text().find("'logNonsense'"));
  host.messages.clear();
  provoke_event(host);
  EXPECT_EQ(Names{"logEvents"}, categories(host));  // the known one was switched all the same
}

TEST(Log, ANullCategoryIsAnErrorThatSwitchesNothing) {
  Host host;
  const fmi2String names[] = {"logEvents", nullptr};
  EXPECT_EQ(fmi2Error, fmi2SetDebugLogging(host, fmi2True, 2, names));
  EXPECT_EQ(fmi2Error, fmi2SetDebugLogging(host, fmi2True, 1, nullptr));
  host.messages.clear();
  provoke_event(host);
  EXPECT_TRUE(host.messages.empty());
}

TEST(Log, PercentSignsOfTheHostDoNotBecomeFormatsAndHashesAreDoubled) {
  Host host;
  const fmi2String names[] = {"%s%n#r1#"};
  EXPECT_EQ(fmi2Warning, fmi2SetDebugLogging(host, fmi2True, 1, names));
  ASSERT_EQ(1u, host.messages.size());
  EXPECT_EQ("%s", host.messages[0].format);
  EXPECT_NE(std::string::npos, host.messages[0].text.find("'%s%n##r1##'"));
}

TEST(Log, AMessageThatIsTooLongIsCutAndNotOverrun) {
  Host host;
  const std::string hashes(5000, '#');
  const fmi2String names[] = {hashes.c_str()};
  EXPECT_EQ(fmi2Warning, fmi2SetDebugLogging(host, fmi2True, 1, names));
  ASSERT_EQ(1u, host.messages.size());
  EXPECT_LT(host.messages[0].text.size(), 2048u);
  EXPECT_EQ(0, std::count(host.messages[0].text.begin(), host.messages[0].text.end(), '#') % 2);
}

TEST(Log, MessagesCarryTheNameTheStatusAndNoNewline) {
  Host host("my name", true);
  provoke_everything(host);
  for (const Message& message : host.messages) {
    EXPECT_EQ("my name", message.instance);
    EXPECT_EQ(std::string::npos, message.text.find('\n'));
  }
  ASSERT_EQ(3u, host.messages.size());
  EXPECT_EQ(fmi2Error, host.messages[0].status);
  EXPECT_EQ(fmi2Discard, host.messages[1].status);
  EXPECT_EQ(fmi2OK, host.messages[2].status);
}

}  // namespace
}  // namespace mechfmu::test
