// Our own fmi2*.h. Reference: the names and signatures of the standard, spelled out; and, when the
// build is given the official headers (-DMECHFMU_FMI_HEADERS=DIR), those.
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <type_traits>

#include "host.hpp"

namespace mechfmu::test {
namespace {

TEST(Headers, TypesAndEnumerationsHaveTheValuesOfTheStandard) {
  static_assert(std::is_same_v<fmi2Real, double> && std::is_same_v<fmi2Integer, int>);
  static_assert(std::is_same_v<fmi2Boolean, int> && std::is_same_v<fmi2Byte, char>);
  static_assert(std::is_same_v<fmi2ValueReference, unsigned int>);
  static_assert(std::is_same_v<fmi2String, const char*> && std::is_same_v<fmi2FMUstate, void*>);
  EXPECT_EQ(0, fmi2OK);
  EXPECT_EQ(1, fmi2Warning);
  EXPECT_EQ(2, fmi2Discard);
  EXPECT_EQ(3, fmi2Error);
  EXPECT_EQ(4, fmi2Fatal);
  EXPECT_EQ(5, fmi2Pending);
  EXPECT_EQ(0, fmi2ModelExchange);
  EXPECT_EQ(1, fmi2CoSimulation);
  EXPECT_EQ(0, fmi2DoStepStatus);
  EXPECT_EQ(1, fmi2PendingStatus);
  EXPECT_EQ(2, fmi2LastSuccessfulTime);
  EXPECT_EQ(3, fmi2Terminated);
  EXPECT_EQ(1, fmi2True);
  EXPECT_EQ(0, fmi2False);
}

TEST(Headers, CallbacksAreLaidOutAsTheBinaryInterfaceDemands) {
  EXPECT_EQ(0u, offsetof(fmi2CallbackFunctions, logger));
  EXPECT_EQ(1 * sizeof(void*), offsetof(fmi2CallbackFunctions, allocateMemory));
  EXPECT_EQ(2 * sizeof(void*), offsetof(fmi2CallbackFunctions, freeMemory));
  EXPECT_EQ(3 * sizeof(void*), offsetof(fmi2CallbackFunctions, stepFinished));
  EXPECT_EQ(4 * sizeof(void*), offsetof(fmi2CallbackFunctions, componentEnvironment));
  EXPECT_EQ(5 * sizeof(void*), sizeof(fmi2CallbackFunctions));
  EXPECT_EQ(24u, offsetof(fmi2EventInfo, nextEventTime));
}

// A signature without what C ignores: comments, names of arguments, blanks.
using Signatures = std::set<std::string>;

std::string read_without_comments(const std::string& path) {
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  for (std::size_t begin; (begin = text.find("/*")) != std::string::npos;)
    text.erase(begin, text.find("*/", begin) + 2 - begin);
  for (std::size_t begin; (begin = text.find("//")) != std::string::npos;)
    text.erase(begin, text.find('\n', begin) - begin);
  return text;
}

// "const fmi2Real value[]" -> "const fmi2Real *"
std::string normalise_argument(const std::string& text) {
  std::string spaced;
  for (char c : text) {
    if (c == '*' || c == '[')
      spaced += " * ";
    else if (c != ']')
      spaced += c;
  }
  std::istringstream words(spaced);
  std::string word, result;
  bool has_type = false, has_pointer = false;
  while (words >> word) {
    if (word == "*") {
      has_pointer = true;
    } else if (word == "const") {
      result += "const ";
    } else if (!has_type) {
      result += word;
      has_type = true;
    }
  }
  return has_pointer ? result + " *" : result;
}

Signatures find_signatures(const std::string& folder) {
  const std::string text = read_without_comments(folder + "/fmi2FunctionTypes.h");
  Signatures result;
  for (std::size_t at = 0; (at = text.find("TYPE", at)) != std::string::npos; at += 4) {
    const std::size_t open = text.find_first_not_of(" \t\n", at + 4);
    if (open == std::string::npos || text[open] != '(') continue;
    const std::size_t begin = text.rfind("typedef", at);
    const std::size_t close = text.find(')', open);
    std::string signature;
    std::istringstream head(text.substr(begin + 7, at - begin - 7));
    for (std::string word; head >> word;) signature += word + " ";
    std::istringstream arguments(text.substr(open + 1, close - open - 1));
    for (std::string argument; std::getline(arguments, argument, ',');)
      signature.append("(").append(normalise_argument(argument)).append(")");
    result.insert(signature);
  }
  return result;
}

TEST(Headers, FortyFourFunctionTypesAreDeclared) {
  EXPECT_EQ(44u, find_signatures(MECHFMU_PROJECT_DIR "/fmu_src/fmi/headers").size());
}

TEST(Headers, SignaturesAreThoseOfTheOfficialHeaders) {
  const std::string official = MECHFMU_FMI_HEADERS;
  if (official.empty())
    GTEST_SKIP() << "the official headers are not given: configure with -DMECHFMU_FMI_HEADERS=DIR";
  EXPECT_EQ(find_signatures(official), find_signatures(MECHFMU_PROJECT_DIR "/fmu_src/fmi/headers"));
}

}  // namespace
}  // namespace mechfmu::test
