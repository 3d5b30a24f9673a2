// SPDX-License-Identifier: Apache-2.0
// Emitter: writes the chosen candidates into a draft; keeps each value's tensors per layout.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "plan/draft.h"
#include "plan/lowering.h"

namespace cairn::plan {

class Emitter {
 public:
  Emitter(const LowerContext& context, const Graph& graph, Draft& draft, PlanReport& report)
      : context_(context), graph_(graph), draft_(draft), report_(report) {}

  const LowerContext& context() const { return context_; }
  Draft& draft() { return draft_; }

  /// Creates the tensors of the model's inputs.
  Status AddInputs();
  /// Declares that `value` exists in `layout`, for emitting a node on its own.
  Result<TensorId> Declare(const Value& value, Layout layout);
  /// Emits `node` by `candidate`.
  Status EmitNode(const Node& node, const Candidate& candidate);
  /// Binds the model's outputs to tensors, copying where a tensor cannot lie in the caller's
  /// buffer. Returns the tensor of each output.
  Result<std::vector<TensorId>> AddOutputs();

  // For candidates' emit functions; they speak of the node being emitted.
  const Node& node() const { return *node_; }
  const Candidate& candidate() const { return *candidate_; }

  /// The tensor of node input `i` in the layout that the candidate asks for; kNoTensor when absent.
  Result<TensorId> In(size_t i);
  /// As In for a layout of the caller's choice.
  Result<TensorId> InAs(size_t i, Layout layout);
  /// A new tensor for node output `i`; a throw-away tensor is made by the caller when it is absent.
  Result<TensorId> Out(size_t i);
  /// A tensor that belongs to no value.
  Result<TensorId> Temporary(ElementType dtype, Layout layout, Shape dims);
  /// A constant with the given bytes.
  TensorId Constant(ElementType dtype, Layout layout, Shape dims, std::span<const std::byte> bytes);
  /// A constant of `bytes` bytes in a kernel's own form, which `fill` writes unless it was prepared.
  /// `form` tells it from other forms of the node's constants.
  TensorId Packed(const std::string& form, Shape dims, size_t bytes,
                  const std::function<void(std::byte*)>& fill);
  /// A plain tensor as a constant in `layout`.
  Result<TensorId> ConstantTensor(const Tensor& tensor, Layout layout);
  /// A one-dimensional f32 constant; `packed` marks a kernel's own form.
  TensorId FloatConstant(std::span<const float> values, Layout layout = Layout::kPlain);
  /// Lets node output `i` be the bytes of `base` from `offset` on.
  Result<TensorId> View(size_t i, TensorId base, uint64_t offset);

  /// Appends a task of the candidate's kernel with the node's provenance.
  DraftTask& AddTask(std::vector<TensorId> inputs, std::vector<TensorId> outputs);
  /// As AddTask with another kernel.
  DraftTask& AddTask(std::string kernel, std::vector<TensorId> inputs,
                     std::vector<TensorId> outputs);
  /// Copies the bytes of `src` to `dst`, tensors of equal bytes.
  void AddCopy(TensorId src, TensorId dst);

 private:
  struct ValueTensors {
    std::array<TensorId, 2> in_layout = {kNoTensor, kNoTensor};
  };

  Result<TensorId> NewTensor(const Value& value, Layout layout);
  Result<TensorId> TensorOf(const Value& value, Layout layout);
  Result<TensorId> Convert(const Value& value, TensorId src, Layout to);
  DraftTask& AppendTask(Task task);
  /// A constant that lies in the weights section already.
  TensorId StoredConstant(ElementType dtype, Layout layout, Shape dims, uint64_t offset,
                          uint64_t bytes);

  const LowerContext& context_;
  const Graph& graph_;
  Draft& draft_;
  PlanReport& report_;
  const Node* node_ = nullptr;
  const Candidate* candidate_ = nullptr;
  std::unordered_map<const Value*, ValueTensors> tensors_;
};

}  // namespace cairn::plan
