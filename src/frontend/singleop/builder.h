// SPDX-License-Identifier: Apache-2.0
// What the translation of an operator works with: its operands as graph values, and node makers.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "frontend/singleop/operator.h"

namespace cairn::singleop {

class Builder {
 public:
  explicit Builder(const Operator& op);

  const Operator& op() const { return op_; }
  Graph& graph() { return *graph_; }
  size_t num_inputs() const { return op_.inputs.size(); }
  bool Has(size_t i) const { return i < op_.inputs.size() && values_[i] != nullptr; }
  /// The value of a present input; kInvalidArgument names an absent one.
  Result<Value*> In(size_t i) const;
  /// As In; float16 and bfloat16 as float32, so that sums are not rounded in between.
  Result<Value*> Wide(size_t i);
  /// The elements of an integer input; kFailedPrecondition when they are not known.
  Result<Ints> ConstantInts(size_t i) const;

  int64_t Int(std::string_view name, int64_t fallback) const;
  float Float(std::string_view name, float fallback) const;
  std::string String(std::string_view name, std::string_view fallback) const;
  Ints IntList(std::string_view name, const Ints& fallback = {}) const;

  /// The first output of a new node with inferred type.
  Result<Value*> Make(const std::string& op, std::vector<Value*> inputs,
                      std::initializer_list<std::pair<const char*, Attribute>> attributes = {});
  /// As Make for a node with several outputs.
  Result<Node*> MakeNode(const std::string& op, std::vector<Value*> inputs, int num_outputs,
                         std::initializer_list<std::pair<const char*, Attribute>> attributes = {});
  Result<Value*> CastTo(Value* value, ElementType dtype);
  /// Casts the operands to the type that holds both: float beats integer, wider beats narrower.
  Status MakeAlike(Value*& a, Value*& b);
  Value* Constant(Tensor tensor) { return graph_->AddConstant("", std::move(tensor)); }
  Value* ConstantInts64(const Ints& values) { return Constant(Tensor::FromInts(values)); }

  /// Appends the next output, cast and reshaped to what the caller wants.
  Status AddOutput(Value* value);

  std::unique_ptr<Graph> Release() { return std::move(graph_); }

 private:
  template <class T>
  const T* Get(std::string_view name) const {
    const auto found = op_.attributes.find(std::string(name));
    return found == op_.attributes.end() ? nullptr : std::get_if<T>(&found->second);
  }

  const Operator& op_;
  std::unique_ptr<Graph> graph_;
  std::vector<Value*> values_;
};

/// Adds the nodes and outputs of one operator.
using LowerFn = Status (*)(Builder&);

// Matrices (matrix.cpp).
Status LowerMatMul(Builder& b);
Status LowerBatchMatMul(Builder& b);
Status LowerGemm(Builder& b);

// Networks (network.cpp).
Status LowerBatchNorm(Builder& b);
Status LowerConv2D(Builder& b);
Status LowerPooling(Builder& b);
Status LowerSoftmax(Builder& b);

// Element-wise (elementwise.cpp).
Status LowerAffine(Builder& b);
Status LowerCast(Builder& b);
Status LowerMuls(Builder& b);
Status LowerRsqrt(Builder& b);
Status LowerScaledAdd(Builder& b);
Status LowerSquare(Builder& b);

// Arrays and reductions (array.cpp).
Status LowerBroadcastTo(Builder& b);
Status LowerConcat(Builder& b);
Status LowerReduceMax(Builder& b);
Status LowerReduceMean(Builder& b);
Status LowerReduceMin(Builder& b);
Status LowerReduceSum(Builder& b);
Status LowerReshape(Builder& b);
Status LowerTopK(Builder& b);
Status LowerTranspose(Builder& b);

}  // namespace cairn::singleop
