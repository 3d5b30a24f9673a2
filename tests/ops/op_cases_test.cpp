// SPDX-License-Identifier: Apache-2.0
// Runs every tests/ops/*.test file; fails for an operator without documentation or without cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ops/op_case.h"
#include "ops/op_def.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> CaseFiles() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(OP_CASES_DIR)) {
    if (entry.path().extension() == ".test") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string NameOf(const testing::TestParamInfo<std::string>& info) {
  return fs::path(info.param).stem().string();
}

class OpCases : public testing::TestWithParam<std::string> {};

TEST_P(OpCases, GiveTheExpectedResult) {
  const auto file = ReadOpCases(GetParam());
  ASSERT_TRUE(file.ok()) << file.status().message();
  ASSERT_NE(FindOp(file->op), nullptr) << "no operator '" << file->op << "'";
  for (const OpCase& test : file->cases) {
    EXPECT_EQ(RunOpCase(file->op, test), "")
        << fs::path(GetParam()).filename() << ":" << test.line << ": case " << test.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, OpCases, testing::ValuesIn(CaseFiles()), NameOf);

TEST(OpDefinitions, HaveDocumentationAndCases) {
  std::set<std::string> tested;
  for (const std::string& path : CaseFiles()) {
    const auto file = ReadOpCases(path);
    ASSERT_TRUE(file.ok()) << file.status().message();
    if (!file->cases.empty()) tested.insert(file->op);
  }
  std::vector<std::string> untested;
  for (const OpDef* op : AllOps()) {
    EXPECT_FALSE(op->doc().empty()) << op->name() << " has no documentation";
    EXPECT_NE(op->infer(), nullptr) << op->name() << " has no type inference";
    EXPECT_NE(op->reference(), nullptr) << op->name() << " has no reference";
    // Operators with regions are tested in graphs: tests/reference.
    const bool has_region =
        std::any_of(op->attrs().begin(), op->attrs().end(), [](const auto& attr) {
          return attr.kind == AttrKind::kRegion || attr.kind == AttrKind::kRegions;
        });
    if (!has_region && !tested.count(op->name())) untested.push_back(op->name());
  }
  EXPECT_TRUE(untested.empty()) << "no cases in tests/ops for " << StrJoin(untested, ", ");
}

}  // namespace
}  // namespace cairn
