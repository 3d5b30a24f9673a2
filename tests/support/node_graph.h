// SPDX-License-Identifier: Apache-2.0
// Builds small graphs node by node for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ir/graph.h"
#include "ops/op_def.h"

namespace cairn::testing {

/// A tensor of normally distributed values.
inline Tensor RandomTensor(Shape shape, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  Tensor tensor = *Tensor::Allocate(ElementType::kF32, std::move(shape));
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    tensor.mutable_data<float>()[i] = normal(random);
  }
  return tensor;
}

class NodeGraph {
 public:
  using Attrs = std::vector<std::pair<std::string, Attribute>>;

  Value* Input(Shape shape, ElementType dtype = ElementType::kF32) {
    return graph_->AddInput({}, TensorType(dtype, Dims(shape.begin(), shape.end())));
  }
  Value* Constant(Tensor tensor) { return graph_->AddConstant({}, std::move(tensor)); }
  Value* Weights(Shape shape) { return Constant(RandomTensor(std::move(shape), ++seed_)); }
  Value* Scalar(float value) { return Constant(Tensor::ScalarF32(value)); }
  Value* IntList(const std::vector<int64_t>& values) { return Constant(Tensor::FromInts(values)); }

  Value* Op(const std::string& op, std::vector<Value*> inputs, const Attrs& attributes = {},
            int num_outputs = 1) {
    Node* node = graph_->AddNode(op, {}, std::move(inputs), num_outputs);
    for (const auto& [name, attribute] : attributes) node->Set(name, attribute);
    const Status inferred = InferNode(*node);
    EXPECT_TRUE(inferred.ok()) << inferred.ToString();
    last_ = node;
    return node->output(0);
  }
  Node* last() const { return last_; }
  void Output(Value* value) { graph_->AddOutput(value, value->name()); }
  Graph& operator*() { return *graph_; }
  Graph* operator->() { return graph_.get(); }

 private:
  std::unique_ptr<Graph> graph_ = std::make_unique<Graph>();
  Node* last_ = nullptr;
  uint64_t seed_ = 100;
};

}  // namespace cairn::testing
