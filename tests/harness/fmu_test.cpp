// Opening FMUs of other tools: what is missing is said in words. Reference: FMI 2.0.5, section 2.3
// (layout of the zip file), RFC 3986 for the resource URI, facts about hosts P7 and P23.
#include "harness/fmu.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "probe.hpp"

namespace mechfmu::test {
namespace {

TEST(Fmu, IsUnpackedIntoAFolderThatGoesWithIt) {
  const TestFolder folder;
  Diagnostics diagnostics;
  std::unique_ptr<Fmu> fmu = Fmu::open(make_probe_fmu(folder), diagnostics);
  ASSERT_TRUE(fmu) << all_text(diagnostics);
  const std::string unpacked = fmu->folder();
  EXPECT_TRUE(std::filesystem::exists(unpacked + "/modelDescription.xml"));
  fmu.reset();
  EXPECT_FALSE(std::filesystem::exists(unpacked));
}

TEST(Fmu, MissingPlatformNamesThoseThatAreThere) {
  const TestFolder folder;
  Diagnostics diagnostics;
  const auto fmu = Fmu::open(
      make_probe_fmu(folder, "a.fmu", kProbeDescription, MECHFMU_PROBE, "win64"), diagnostics);
  ASSERT_TRUE(fmu);
  EXPECT_FALSE(fmu->load(diagnostics));
  const std::string text = all_text(diagnostics);
  EXPECT_NE(std::string::npos, text.find("E616"));
  EXPECT_NE(std::string::npos, text.find(host_platform()));
  EXPECT_NE(std::string::npos, text.find("win64"));
}

TEST(Fmu, ALibraryThatIsNoneIsSaidSo) {
  const TestFolder folder;
  Diagnostics diagnostics;
  const std::string library = folder.write("fake.so", "not a library");
  const auto fmu =
      Fmu::open(make_probe_fmu(folder, "a.fmu", kProbeDescription, library), diagnostics);
  ASSERT_TRUE(fmu);
  EXPECT_FALSE(fmu->load(diagnostics));
  EXPECT_NE(std::string::npos, all_text(diagnostics).find("E617"));
  EXPECT_EQ(std::string::npos,
            all_text(diagnostics).find(fmu->folder()));  // no private folder in messages
}

TEST(Fmu, AMissingFunctionIsNamed) {
  const TestFolder folder;
  Diagnostics diagnostics;
  const auto fmu = Fmu::open(
      make_probe_fmu(folder, "a.fmu", kProbeDescription, MECHFMU_INCOMPLETE_PROBE), diagnostics);
  ASSERT_TRUE(fmu);
  EXPECT_FALSE(fmu->load(diagnostics));
  EXPECT_NE(std::string::npos, all_text(diagnostics).find("fmi2CancelStep"));
}

TEST(Fmu, ModelExchangeAloneCannotBeRun) {
  const TestFolder folder;
  Diagnostics diagnostics;
  const auto fmu =
      Fmu::open(make_probe_fmu(folder, "a.fmu",
                               replace(kProbeDescription,
                                       "<CoSimulation modelIdentifier=\"probe\" "
                                       "canHandleVariableCommunicationStepSize=\"true\" "
                                       "canInterpolateInputs=\"true\"/>",
                                       "<ModelExchange modelIdentifier=\"probe\"/>")),
                diagnostics);
  ASSERT_TRUE(fmu);
  EXPECT_FALSE(fmu->load(diagnostics));
  EXPECT_NE(std::string::npos, all_text(diagnostics).find("E615"));
}

TEST(Fmu, AZipFileWithoutModelDescription) {
  const TestFolder folder;
  Diagnostics diagnostics;
  const std::string path = folder.write("a.fmu", make_archive({{"readme.txt", "hello", false}}));
  EXPECT_FALSE(Fmu::open(path, diagnostics));
  EXPECT_NE(std::string::npos, all_text(diagnostics).find("E611"));
}

TEST(Fmu, ARefusedInstanceRepeatsWhatTheFmuSaid) {
  const TestFolder folder;
  Diagnostics diagnostics;
  const auto fmu =
      Fmu::open(make_probe_fmu(folder, "a.fmu", replace(kProbeDescription, "{probe}", "{other}")),
                diagnostics);
  ASSERT_TRUE(fmu);
  ASSERT_TRUE(fmu->load(diagnostics)) << all_text(diagnostics);
  EXPECT_FALSE(fmu->instantiate("a", {}, CallLog(), false, diagnostics));
  EXPECT_NE(std::string::npos, all_text(diagnostics).find("guid {other} is not {probe}"));
}

TEST(Fmu, ArchivesAreKnownByTheirFirstBytes) {
  const TestFolder folder;
  EXPECT_TRUE(is_archive(make_probe_fmu(folder, "named_wrongly.xml")));
  EXPECT_FALSE(is_archive(folder.write("a.fmu", "<mechanism/>")));
  EXPECT_FALSE(is_archive(folder / "not_there"));
  EXPECT_FALSE(is_archive(folder.path()));
}

TEST(FileUri, EscapesEverythingThatIsNotPlain) {
  EXPECT_EQ("file:///tmp/a%20b%23%25/%C3%BC-1.2_~", make_file_uri("/tmp/a b#%/\xC3\xBC-1.2_~"));
}

TEST(References, AreReplacedByNamesOfTheRightType) {
  Diagnostics diagnostics;
  const auto d = read_model_description(SourceText("x", kProbeDescription), diagnostics);
  ASSERT_TRUE(d);
  EXPECT_EQ("x steps flag label", expand_references("#r0# #i0# #b0# #s0#", d->variables));
  EXPECT_EQ("a # b", expand_references("a ## b", d->variables));
  EXPECT_EQ("#r99# #q0# #", expand_references("#r99# #q0# #", d->variables));
}

}  // namespace
}  // namespace mechfmu::test
