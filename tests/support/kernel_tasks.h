// SPDX-License-Identifier: Apache-2.0
// Pieces of the tests that compare kernels, through planning and binding, with the reference.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "ir/text.h"
#include "support/node_graph.h"
#include "support/plan_runner.h"

namespace cairn::testing {

/// Seeded choices.
class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_() % static_cast<uint64_t>(high - low + 1));
  }
  template <class T>
  T OneOf(std::initializer_list<T> list) {
    return *(list.begin() + Between(0, static_cast<int64_t>(list.size()) - 1));
  }
  bool Coin() { return Between(0, 1) == 1; }

 private:
  std::mt19937_64 random_;
};

/// Plans, runs and compares; no node may have fallen back to the reference.
inline plan::CompiledProgram ExpectKernels(Graph& graph, double tolerance = 2e-5) {
  plan::CompiledProgram compiled = ExpectMatchesReference(graph, {}, tolerance);
  EXPECT_TRUE(compiled.report.reference_nodes.empty())
      << "reference used: " << compiled.report.reference_nodes.front() << " in\n"
      << PrintGraph(graph);
  return compiled;
}

/// Gives `node` an epilogue region built by `build`, called with the region and its inputs: the
/// node's output, then node inputs from `num_formal` on.
template <class BuildFn>
void SetEpilogue(Node& node, size_t num_formal, const BuildFn& build) {
  auto region = std::make_shared<Graph>("epilogue");
  std::vector<Value*> inputs = {region->AddInput({}, node.output()->type())};
  for (size_t i = num_formal; i < node.inputs().size(); ++i) {
    inputs.push_back(region->AddInput({}, node.input(i)->type()));
  }
  region->AddOutput(build(*region, inputs));
  ASSERT_TRUE(InferGraph(*region).ok());
  node.Set("epilogue", Region(region));
  node.Set("num_epilogue_inputs", static_cast<int64_t>(node.inputs().size() - num_formal));
  const Status inferred = InferNode(node);
  ASSERT_TRUE(inferred.ok()) << inferred.ToString();
}

inline Value* Unary(Graph& graph, const char* op, Value* x) {
  return graph.AddNode(op, {}, {x})->output();
}
inline Value* Binary(Graph& graph, const char* op, Value* a, Value* b) {
  return graph.AddNode(op, {}, {a, b})->output();
}

}  // namespace cairn::testing
