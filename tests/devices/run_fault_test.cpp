// SPDX-License-Identifier: Apache-2.0
// What a run says when the data make a task fail.
#include <gtest/gtest.h>

#include "support/node_graph.h"
#include "support/plan_runner.h"

namespace cairn::testing {
namespace {

TEST(RunFaults, TheReferencesReasonReachesTheCaller) {
  NodeGraph g;
  Value* x = g.Input({4, 2});
  Value* lengths = g.Input({2}, ElementType::kI64);
  g.Output(g.Op("ReverseSequence", {x, lengths}));
  plan::PlanOptions options;
  options.use_kernels = false;
  auto compiled = plan::PlanProgram(*g, HostTarget(), options);
  ASSERT_TRUE(compiled.ok()) << compiled.status().ToString();
  std::vector<Tensor> inputs = RandomInputs(*g, 1);
  inputs[1] = Tensor::FromInts({4, 9});
  const auto result = RunProgram(*compiled, inputs, 1);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.status().message().find("a sequence is too long"), std::string::npos)
      << result.status().message();
  inputs[1] = Tensor::FromInts({4, 1});
  EXPECT_TRUE(RunProgram(*compiled, inputs, 1).ok());
}

}  // namespace
}  // namespace cairn::testing
