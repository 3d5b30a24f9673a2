// SPDX-License-Identifier: Apache-2.0
// The ONNX backend cases give the same results after all passes, with inputs as they are and with
// inputs turned into constants.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "passes/pass.h"
#include "reference/onnx_case.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> CasesOf(const char* group) {
  const char* given = std::getenv("ONNX_TEST_DATA");
  std::vector<fs::path> folders;
  for (const auto& entry :
       fs::directory_iterator(fs::path(given ? given : ONNX_TEST_DATA_DIR) / group)) {
    if (fs::exists(entry.path() / "model.onnx")) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

Status Optimise(Graph& graph, const std::vector<Tensor>& /*inputs*/) {
  return RunPasses(graph, PassOptions()).status();
}

Status OptimiseWithConstants(Graph& graph, const std::vector<Tensor>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].is_tensor()) continue;  // Constants are tensors.
    graph.ReplaceAllUses(graph.inputs()[i], graph.AddConstant("", inputs[i]));
  }
  return RunPasses(graph, PassOptions()).status();
}

class OnnxCasesAfterPasses : public testing::TestWithParam<const char*> {};

TEST_P(OnnxCasesAfterPasses, KeepTheirResults) {
  using Outcome = CaseResult::Outcome;
  int passed = 0;
  for (const fs::path& folder : CasesOf(GetParam())) {
    // What importer and reference make of the case is judged by the tests of the reference.
    if (RunOnnxCase(folder).outcome != Outcome::kPassed) continue;
    for (const PrepareFn& prepare : {PrepareFn(Optimise), PrepareFn(OptimiseWithConstants)}) {
      const CaseResult result = RunOnnxCase(folder, prepare);
      EXPECT_EQ(result.outcome, Outcome::kPassed) << folder.filename() << ": " << result.reason;
      passed += result.outcome == Outcome::kPassed ? 1 : 0;
    }
  }
  std::printf("%s: %d passed\n", GetParam(), passed);
  EXPECT_GT(passed, 0);
}

INSTANTIATE_TEST_SUITE_P(Groups, OnnxCasesAfterPasses,
                         testing::Values("node", "simple", "pytorch-converted",
                                         "pytorch-operator"));

}  // namespace
}  // namespace cairn
