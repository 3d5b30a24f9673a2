// SPDX-License-Identifier: Apache-2.0
// Switch files and the optimization switch: both syntaxes, names of both worlds, errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "passes/pass.h"

namespace cairn {
namespace {

TEST(Switches, JsonNamesMapToOurPasses) {
  auto report = ParseFusionSwitchFile(R"({"Switch": {
      "GraphFusion": {"ConvBatchnormFusionPass": "off", "RequantFusionPass": "on", "FuseGelu": "on"},
      "UBFusion": {"TbeConvSingleInFusionPass": "off", "TbePool2dQuantFusionPass": "off"}}})");
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  const std::map<std::string, bool> expected = {
      {"FuseConvBatchNorm", false}, {"FuseGelu", true}, {"FuseEpilogues", false}};
  EXPECT_EQ(report->switches, expected);
  EXPECT_EQ(report->unknown, std::vector<std::string>{"RequantFusionPass"});
  EXPECT_EQ(report->without_effect, std::vector<std::string>{"TbePool2dQuantFusionPass"});
}

TEST(Switches, AllIsTheDefaultOfItsGroup) {
  auto report = ParseFusionSwitchFile(
      R"({"Switch": {"GraphFusion": {"ALL": "off", "LayerNormFusionPass": "on"}}})");
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  for (const PassDef& pass : AllPasses()) {
    const auto it = report->switches.find(pass.name);
    if (pass.stage == PassStage::kFuse) {
      ASSERT_NE(it, report->switches.end()) << pass.name;
      EXPECT_EQ(it->second, std::string_view(pass.name) == "FuseLayerNorm") << pass.name;
    } else {
      EXPECT_EQ(it, report->switches.end()) << pass.name;
    }
  }
  report = ParseFusionSwitchFile(R"({"Switch": {"UBFusion": {"ALL": "off"}}})");
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->switches,
            (std::map<std::string, bool>{{"FuseEpilogues", false}, {"GroupElementwise", false}}));
}

TEST(Switches, LinesAreTheOtherSyntax) {
  auto report =
      ParseFusionSwitchFile("ALL:off\r\n ConvScaleFusionPass : on \n\nPadFusionPass:on\n");
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_TRUE(report->switches.at("FuseConvScale"));
  EXPECT_TRUE(report->switches.at("FusePad"));
  EXPECT_FALSE(report->switches.at("FuseEpilogues"));
  EXPECT_FALSE(ParseFusionSwitchFile("A:on\nB:on\nA:off").ok());
  EXPECT_FALSE(ParseFusionSwitchFile("FuseGelu:maybe").ok());
  EXPECT_FALSE(ParseFusionSwitchFile("FuseGelu").ok());
}

TEST(Switches, BadFilesAreRefused) {
  for (const char* text :
       {"", " \n", "[]", "3", "{}", R"({"Switch": 1})", R"({"Switch": {"GraphFusion": []}})",
        R"({"Switch": {"GraphFusion": {"FuseGelu": true}}})",
        R"({"Switch": {"GraphFusion": {"FuseGelu": "ON"}}})", "{\"Switch\": {"}) {
    EXPECT_FALSE(ParseFusionSwitchFile(text).ok()) << text;
  }
  EXPECT_FALSE(ParseFusionSwitchFile(std::string(100000, '[')).ok());
}

TEST(Switches, BinaryAndBrokenJsonFilesAreCalledThat) {
  using testing::HasSubstr;
  const auto message = [](std::string_view text) {
    return ParseFusionSwitchFile(text).status().message();
  };
  EXPECT_THAT(message(std::string_view("A:on\n\0\x01", 7)), HasSubstr("not text"));
  EXPECT_THAT(message("{\"Switch\": {\"GraphFusion\": {\"A\": \"off\"}"),
              HasSubstr("not valid JSON"));
}

TEST(Switches, OptimizationSwitchIsSeparatedBySemicolons) {
  auto report =
      ParseOptimizationSwitch("FuseGelu:off;CommonSubexpressionEliminationPass:off;Nothing:on");
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_EQ(report->switches, (std::map<std::string, bool>{
                                  {"FuseGelu", false}, {"EliminateCommonSubexpressions", false}}));
  EXPECT_EQ(report->unknown, std::vector<std::string>{"Nothing"});
  EXPECT_TRUE(ParseOptimizationSwitch("").ok());
  EXPECT_FALSE(ParseOptimizationSwitch("FuseGelu").ok());
}

TEST(Switches, EveryMappedNameIsAPass) {
  std::set<std::string> passes, originals;
  for (const PassDef& pass : AllPasses()) {
    EXPECT_TRUE(passes.insert(pass.name).second) << pass.name << " is listed twice";
    EXPECT_NE(std::string_view(pass.doc), "") << pass.name;
    if (std::string_view original = pass.original_name; !original.empty()) {
      EXPECT_TRUE(originals.insert(std::string(original)).second) << original;
    }
  }
#define CAIRN_SWITCH(name, list)                                                             \
  {                                                                                          \
    auto report = ParseOptimizationSwitch(std::string(name) + ":off");                       \
    ASSERT_TRUE(report.ok());                                                                \
    EXPECT_TRUE(report->unknown.empty()) << name;                                            \
    for (const auto& [pass, on] : report->switches) EXPECT_TRUE(passes.count(pass)) << pass; \
  }
#include "passes/switch_names.def"
#undef CAIRN_SWITCH
}

}  // namespace
}  // namespace cairn
