// SPDX-License-Identifier: Apache-2.0
// The command-line parser and the option table of atc.
#include <gtest/gtest.h>

#include <set>

#include "base/strings.h"
#include "tools/atc/arguments.h"
#include "tools/atc/option.h"

namespace cairn::atc {
namespace {

struct Parsed {
  bool ok = false;
  Arguments arguments;
  std::string complaint;
  ErrorReport report;
};

Parsed Parse(const std::vector<std::string>& words) {
  Parsed parsed;
  parsed.ok = ParseArguments(words, parsed.arguments, parsed.complaint, parsed.report);
  return parsed;
}

TEST(OptionTable, IsConsistent) {
  std::set<std::string_view> names;
  for (const Option& option : Options()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name << " is listed twice";
    EXPECT_EQ(option.conduct == Conduct::kReal, option.note.empty()) << option.name;
    EXPECT_EQ(option.allowed.empty(), option.allowed_code.empty()) << option.name;
    EXPECT_EQ(option.help.empty(), option.section == Section::kLegacy) << option.name;
    for (std::string_view value : SplitList(option.real_values)) {
      EXPECT_TRUE(option.allowed.empty() || ListHas(option.allowed, value)) << option.name;
    }
    const bool open_default = option.default_value.empty() || option.name == "framework";
    EXPECT_TRUE(option.allowed.empty() || open_default ||
                ListHas(option.allowed, option.default_value))
        << option.name;
    EXPECT_TRUE(option.allowed_code.empty() || FindErrorCode(option.allowed_code) != nullptr);
  }
}

TEST(OptionTable, HelpShowsEveryOptionAndSection) {
  const std::string help = HelpText();
  for (const Option& option : Options()) {
    if (option.section == Section::kLegacy) continue;
    EXPECT_NE(help.find("--" + std::string(option.name)), std::string::npos) << option.name;
  }
  for (const char* section : {"Basic [General]", "Basic [Input]", "Basic [Output]",
                              "Basic [Target]", "Advanced [Feature]", "Advanced [Model Tuning]",
                              "Advanced [Operator Tuning]", "Advanced [Debug]"}) {
    EXPECT_NE(help.find(section), std::string::npos) << section;
  }
}

TEST(ParseArguments, AcceptsBothValueFormsAndDashVariants) {
  const Parsed parsed =
      Parse({"--model=a=b.onnx", "--output", "out", "-framework=5", "--input-shape", "x:1",
             "--out-nodes=a:0", "-soc_version", "native"});
  ASSERT_TRUE(parsed.ok) << parsed.complaint;
  EXPECT_EQ(parsed.arguments.Get("model"), "a=b.onnx");
  EXPECT_EQ(parsed.arguments.Get("output"), "out");
  EXPECT_EQ(parsed.arguments.GetInt("framework"), 5);
  EXPECT_EQ(parsed.arguments.Get("input_shape"), "x:1");
  EXPECT_EQ(parsed.arguments.Get("out_nodes"), "a:0");
  EXPECT_EQ(parsed.arguments.Get("soc_version"), "native");
}

TEST(ParseArguments, UnambiguousPrefixesNameTheirOption) {
  EXPECT_EQ(Parse({"--out_node=a"}).arguments.Get("out_nodes"), "a");
  EXPECT_EQ(Parse({"--soc=native"}).arguments.Get("soc_version"), "native");
  EXPECT_EQ(Parse({"--input=x"}).complaint.substr(0, 31), "unknown command line flag 'inpu");
}

TEST(ParseArguments, LastOfRepeatedOptionsWins) {
  EXPECT_EQ(Parse({"--log=info", "--log=debug"}).arguments.Get("log"), "debug");
}

TEST(ParseArguments, ReadsBooleans) {
  EXPECT_TRUE(Parse({"--save_original_model"}).arguments.GetBool("save_original_model"));
  for (const char* yes : {"1", "t", "TRUE", "y", "Yes"}) {
    EXPECT_TRUE(
        Parse({StrCat("--enable_single_stream=", yes)}).arguments.GetBool("enable_single_stream"));
  }
  for (const char* no : {"0", "F", "false", "n", "NO"}) {
    const Parsed parsed = Parse({StrCat("--oo_constant_folding=", no)});
    ASSERT_TRUE(parsed.ok);
    EXPECT_FALSE(parsed.arguments.GetBool("oo_constant_folding"));
  }
  EXPECT_EQ(Parse({"--enable_single_stream=on"}).report.code(), "E10005");
  EXPECT_EQ(Parse({"--enable_single_stream", "false"}).complaint, "Non-option parameter: false");
}

TEST(ParseArguments, AsksForHelp) {
  for (const char* word : {"--help", "-h", "--h", "-help"}) {
    EXPECT_TRUE(Parse({word}).arguments.GetBool("help")) << word;
  }
}

TEST(ParseArguments, ComplainsAboutTheForm) {
  EXPECT_EQ(Parse({"model.onnx"}).complaint, "Non-option parameter: model.onnx");
  EXPECT_EQ(Parse({"--outptu=x"}).complaint,
            "unknown command line flag 'outptu'; did you mean 'output'?");
  EXPECT_EQ(Parse({"--nothing_like_it"}).complaint, "unknown command line flag 'nothing_like_it'");
  EXPECT_EQ(Parse({"--model"}).complaint,
            "flag 'model' is missing its argument; flag description: The model file to compile "
            "(.onnx).");
  EXPECT_EQ(Parse({"--model", "--framework=5"}).complaint.substr(0, 37),
            "flag 'model' is missing its argument;");
  for (const char* word : {"", "-", "--", "--=x"}) {
    EXPECT_EQ(Parse({word}).complaint,
              "input argument value is empty or command line format is invalid");
  }
}

TEST(ParseArguments, Int32TakesDigitsOnly) {
  for (const char* value : {"-1", "", "5.0", "0x5", " 5", "99999999999"}) {
    const Parsed parsed = Parse({StrCat("--framework=", value)});
    EXPECT_FALSE(parsed.ok);
    EXPECT_EQ(parsed.report.code(), "E10003") << value;
    EXPECT_NE(parsed.report.Text().find("value type must be [int32]"), std::string::npos);
  }
  EXPECT_EQ(Parse({"--framework=05"}).arguments.GetInt("framework"), 5);
}

TEST(ParseArguments, ClosedSetsHaveTheirCodes) {
  const std::pair<const char*, const char*> cases[] = {
      {"--framework=2", "E10007"},         {"--mode=2", "E10001"},
      {"--log=verbose", "E10010"},         {"--display_model_info=2", "E10006"},
      {"--external_weight=3", "E10006"},   {"--deterministic_level=4", "E10001"},
      {"--op_debug_level=5", "E10001"},    {"--core_type=Cube", "E10001"},
      {"--precision_mode=fp16", "E10001"}, {"--precision_mode_v2=force_fp16", "E10001"},
      {"--buffer_optimize=off", "E10001"}, {"--jit_compile=3", "E10001"},
      {"--oo_level=O2", "E10001"},         {"--op_compiler_cache_mode=on", "E10001"},
      {"--status_check=2", "E10006"},      {"--virtual_type=2", "E10006"}};
  for (const auto& [word, code] : cases) EXPECT_EQ(Parse({word}).report.code(), code) << word;
  EXPECT_NE(Parse({"--op_select_implmode=high_preformance"})
                .report.Text()
                .find("did you mean 'high_performance'"),
            std::string::npos);
}

}  // namespace
}  // namespace cairn::atc
