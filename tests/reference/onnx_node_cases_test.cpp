// SPDX-License-Identifier: Apache-2.0
// Judges importer and reference by the ONNX backend cases. Every case either passes or is listed in
// unsupported_cases.txt with its reason; a listed case that passes is an error too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "reference/onnx_case.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;

/// Folder of the cases: ONNX_TEST_DATA when set, else where CMake found the Debian package.
fs::path DataFolder() {
  const char* given = std::getenv("ONNX_TEST_DATA");
  return given ? given : ONNX_TEST_DATA_DIR;
}

/// Lines "case: reason"; '#' opens a comment. The reason "broken data" skips a case that
/// contradicts itself.
std::map<std::string, std::string> ReadUnsupported() {
  std::map<std::string, std::string> cases;
  std::ifstream file(UNSUPPORTED_CASES_FILE);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t colon = line.find(": ");
    cases[line.substr(0, colon)] = colon == std::string::npos ? "" : line.substr(colon + 2);
  }
  return cases;
}

std::vector<fs::path> CasesOf(const fs::path& group) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(group)) {
    if (fs::exists(entry.path() / "model.onnx")) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

class OnnxCases : public testing::TestWithParam<const char*> {};

TEST_P(OnnxCases, AgreeOrAreListed) {
  const fs::path group = DataFolder() / GetParam();
  ASSERT_TRUE(fs::exists(group)) << group << " is missing: install libonnx-testdata";
  const auto listed = ReadUnsupported();
  int passed = 0, unsupported = 0;
  for (const fs::path& folder : CasesOf(group)) {
    const std::string name = folder.filename().string();
    const CaseResult result = RunOnnxCase(folder);
    const auto entry = listed.find(name);
    const bool is_listed = entry != listed.end();
    if (is_listed && entry->second.starts_with("broken data")) continue;
    if (result.outcome == CaseResult::Outcome::kPassed) {
      ++passed;
      EXPECT_FALSE(is_listed) << name << " passes: take it off the list";
    } else if (result.outcome == CaseResult::Outcome::kUnsupported) {
      ++unsupported;
      EXPECT_TRUE(is_listed) << name << ": " << result.reason;
    } else {
      ADD_FAILURE() << name << ": " << result.reason;
    }
  }
  std::printf("%s: %d passed, %d listed as unsupported\n", GetParam(), passed, unsupported);
  EXPECT_GT(passed, 0);
}

INSTANTIATE_TEST_SUITE_P(Groups, OnnxCases,
                         testing::Values("node", "simple", "pytorch-converted",
                                         "pytorch-operator"));

}  // namespace
}  // namespace cairn
