// SPDX-License-Identifier: Apache-2.0
// The interpreter itself: order, inputs, epilogues, regions, errors.
#include "reference/interpreter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/op_def.h"

namespace cairn {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const TensorType kPair(ElementType::kF32, {Dim(2)});

Tensor Floats(std::vector<float> values) {
  const Shape shape = {static_cast<int64_t>(values.size())};
  return Tensor::FromValues<float>(ElementType::kF32, shape, values);
}

std::vector<double> Values(const Tensor& tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.num_elements(); ++i) values.push_back(tensor.GetDouble(i));
  return values;
}

/// y = relu(x), z = x + y, both outputs; y is an output twice.
TEST(Interpreter, RunsInOrderAndReturnsEveryOutput) {
  Graph graph;
  Value* x = graph.AddInput("x", kPair);
  Value* y = graph.AddNode("Relu", "act", {x})->output();
  Value* z = graph.AddNode("Add", "sum", {x, y})->output();
  graph.AddOutput(y);
  graph.AddOutput(z);
  graph.AddOutput(y);
  ASSERT_TRUE(InferGraph(graph).ok());
  std::vector<std::string> seen;
  const auto result =
      RunReference(graph, {Floats({-1, 2})}, [&](const Node& node, const auto& outputs) {
        seen.push_back(node.name());
        EXPECT_EQ(outputs.size(), 1u);
      });
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_THAT(seen, ElementsAre("act", "sum"));
  EXPECT_THAT(Values((*result)[0]), ElementsAre(0, 2));
  EXPECT_THAT(Values((*result)[1]), ElementsAre(-1, 4));
  EXPECT_THAT(Values((*result)[2]), ElementsAre(0, 2));
}

TEST(Interpreter, InputAndConstantMayBeOutputs) {
  Graph graph;
  graph.AddOutput(graph.AddInput("x", kPair));
  graph.AddOutput(graph.AddConstant("c", Floats({7})));
  const auto result = RunReference(graph, {Floats({1, 2})});
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(Values((*result)[0]), ElementsAre(1, 2));
  EXPECT_THAT(Values((*result)[1]), ElementsAre(7));
}

TEST(Interpreter, ChecksInputs) {
  Graph graph;
  graph.AddOutput(graph.AddInput("x", TensorType(ElementType::kF32, {Dim(2), Dim::Symbol("N")})));
  EXPECT_THAT(RunReference(graph, {}).status().message(), HasSubstr("has 1 inputs, given 0"));
  EXPECT_THAT(RunReference(graph, {Floats({1, 2})}).status().message(),
              AllOf(HasSubstr("'x' is f32[2,N]"), HasSubstr("given f32[2]")));
  EXPECT_FALSE(RunReference(graph, {Tensor::FromInts({1, 2})}).ok());
  EXPECT_TRUE(RunReference(graph, {Floats({1, 2}).Reshaped({2, 1})}).ok());
}

TEST(Interpreter, ErrorsNameTheNode) {
  Graph graph;
  Value* x = graph.AddInput("x", TensorType(ElementType::kF32, {Dim::Symbol("N")}));
  Value* index = graph.AddConstant("i", Tensor::FromInts({5}));
  graph.AddOutput(graph.AddNode("Gather", "pick", {x, index})->output());
  ASSERT_TRUE(InferGraph(graph).ok());
  EXPECT_THAT(RunReference(graph, {Floats({1, 2})}).status().message(),
              AllOf(HasSubstr("'pick' (Gather)"), HasSubstr("index 5 is out of range")));
}

/// A size that is known beside one that is not: the sum cannot be checked, the elements end anyway.
TEST(Interpreter, SplitsNoMoreElementsThanThereAre) {
  Graph graph;
  Value* x = graph.AddInput("x", TensorType(ElementType::kF32, {Dim::Symbol("N")}));
  Value* size = graph.AddNode("Shape", "size", {x})->output();
  Value* large = graph.AddConstant("large", Tensor::FromInts({1000000}));
  Node* sizes = graph.AddNode("Concat", "sizes", {large, size});
  sizes->Set("axis", int64_t{0});
  Value* pair = graph.AddConstant("pair", Tensor::FromInts({1, 2}));
  Node* split = graph.AddNode("Split", "split", {pair, sizes->output()}, 2);
  graph.AddOutput(split->output(0));
  ASSERT_TRUE(InferGraph(graph).ok());
  EXPECT_FALSE(RunReference(graph, {Floats({1, 2})}).ok());
}

/// Add with the epilogue relu(out) * operand.
TEST(Interpreter, AppliesEpiloguesToTheFirstOutput) {
  Graph graph;
  Value* x = graph.AddInput("x", kPair);
  Value* bias = graph.AddConstant("b", Floats({-2, 1}));
  Value* factor = graph.AddConstant("f", Floats({10, 100}));
  Node* node = graph.AddNode("Add", "sum", {x, bias, factor});
  auto epilogue = std::make_shared<Graph>("epilogue");
  Value* out = epilogue->AddInput("out", TensorType());
  Value* operand = epilogue->AddInput("operand", TensorType());
  Value* relu = epilogue->AddNode("Relu", "relu", {out})->output();
  epilogue->AddOutput(epilogue->AddNode("Mul", "mul", {relu, operand})->output());
  node->Set("epilogue", Region(epilogue));
  node->Set("num_epilogue_inputs", int64_t{1});
  graph.AddOutput(node->output());
  const Status status = InferGraph(graph);
  ASSERT_TRUE(status.ok()) << status.message();
  const auto result = RunReference(graph, {Floats({1, 2})});
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_THAT(Values((*result)[0]), ElementsAre(0, 300));
}

TEST(Interpreter, RunsElementwiseGroups) {
  Graph graph;
  Value* x = graph.AddInput("x", kPair);
  Value* two = graph.AddConstant("two", Floats({2}));
  Node* node = graph.AddNode("ElementwiseGroup", "group", {x, two}, 2);
  auto body = std::make_shared<Graph>("body");
  Value* a = body->AddInput("a", TensorType());
  Value* b = body->AddInput("b", TensorType());
  Value* product = body->AddNode("Mul", "mul", {a, b})->output();
  body->AddOutput(product);
  body->AddOutput(body->AddNode("Neg", "neg", {product})->output());
  node->Set("body", Region(body));
  graph.AddOutput(node->output(0));
  graph.AddOutput(node->output(1));
  const Status status = InferGraph(graph);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(node->output(1)->type(), kPair);
  const auto result = RunReference(graph, {Floats({3, -4})});
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_THAT(Values((*result)[0]), ElementsAre(6, -8));
  EXPECT_THAT(Values((*result)[1]), ElementsAre(-6, 8));
}

TEST(Interpreter, NodesWithoutReferenceAreNamed) {
  Graph graph;
  Value* x = graph.AddInput("x", kPair);
  graph.AddOutput(graph.AddNode("com.example.Blur", "blur", {x})->output());
  EXPECT_THAT(RunReference(graph, {Floats({1, 2})}).status().message(),
              AllOf(HasSubstr("'blur'"), HasSubstr("has no reference")));
}

}  // namespace
}  // namespace cairn
