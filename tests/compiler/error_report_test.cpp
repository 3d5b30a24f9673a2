// SPDX-License-Identifier: Apache-2.0
// The table of error codes and the layout of the report.
#include "compiler/error_report.h"

#include <gtest/gtest.h>

#include <regex>

namespace cairn {
namespace {

TEST(ErrorCodes, AreSortedUniqueAndComplete) {
  const auto codes = ErrorCodes();
  for (size_t i = 0; i < codes.size(); ++i) {
    EXPECT_EQ(codes[i].code.size(), 6u) << codes[i].code;
    EXPECT_FALSE(codes[i].title.empty()) << codes[i].code;
    EXPECT_FALSE(codes[i].text.empty()) << codes[i].code;
    EXPECT_TRUE(i == 0 || codes[i - 1].code < codes[i].code) << codes[i].code;
  }
  EXPECT_EQ(FindErrorCode("E00000"), nullptr);
}

TEST(FormatError, FillsArgumentsByName) {
  const ErrorCode code{"E1", "T", "a {x} b {y} c {x}", "", ""};
  EXPECT_EQ(FormatError(code, {{"y", "2"}, {"x", "1"}}), "a 1 b 2 c 1");
  EXPECT_EQ(FormatError(code, {{"x", "{y}"}}), "a {y} b  c {y}");
}

TEST(ErrorReport, FirstErrorHeadsTheReport) {
  ErrorReport report;
  EXPECT_FALSE(report.has_error());
  EXPECT_EQ(report.Text(), "");
  report.Add("E10016", {{"opname", "a"}, {"parameter", "--out_nodes"}});
  report.Add("E10005", {{"value", "x"}, {"parameter", "p"}});
  report.AddDetail("two\nlines");
  EXPECT_EQ(report.code(), "E10016");
  const std::regex layout(
      R"(\[PID: \d+\] \d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.\d{3} Invalid_Argument_Operator_Name)"
      R"(\(E10016\): Name \[a\] in parameter \[--out_nodes\] is not part of the model\n)"
      R"(        Solution: [^\n]+\n)"
      R"(TraceBack \(most recent call last\):\n)"
      R"(        Invalid_Argument\(E10005\): [^\n]+\n)"
      R"(        two\n        lines\n)");
  EXPECT_TRUE(std::regex_match(report.Text(), layout)) << report.Text();
}

TEST(ErrorReport, WarningsAreNoError) {
  ErrorReport report;
  report.AddWarning("careful");
  EXPECT_FALSE(report.has_error());
  EXPECT_EQ(report.warnings(), std::vector<std::string>{"careful"});
}

TEST(ErrorReport, StagesBlameTheModelOnlyForWhatItSays) {
  const auto code_of = [](Code code) {
    ErrorReport report;
    ReportStageFailure("plan", Status(code, "a reason"), report);
    return report.code();
  };
  EXPECT_EQ(code_of(Code::kInvalidModel), "E16001");
  EXPECT_EQ(code_of(Code::kUnsupported), "E10055");
  EXPECT_EQ(code_of(Code::kOutOfMemory), "E10059");
  for (const Code code : {Code::kInvalidArgument, Code::kInternal, Code::kNotFound}) {
    EXPECT_EQ(code_of(code), "E19999");
  }
}

}  // namespace
}  // namespace cairn
