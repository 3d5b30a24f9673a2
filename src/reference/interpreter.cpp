// SPDX-License-Identifier: Apache-2.0
// Walks a graph node by node with the operators' reference semantics.
#include "reference/interpreter.h"

#include <unordered_map>

#include "ops/op_def.h"

namespace cairn {
namespace {

/// Values of one graph while it runs; tensors are dropped after their last reader.
class Run {
 public:
  Run(const Graph& graph, const NodeObserver& observer) : graph_(graph), observer_(observer) {}

  Result<std::vector<Tensor>> Execute(std::vector<Tensor> inputs) {
    RETURN_IF_ERROR(BindInputs(std::move(inputs)));
    for (const Node* node : graph_.Nodes()) {
      Status status = Step(*node);
      if (!status.ok()) {
        return status.WithContext(StrCat("node '", node->name(), "' (", node->op(), ")"));
      }
    }
    std::vector<Tensor> outputs;
    for (const Value* value : graph_.outputs()) outputs.push_back(Read(value));
    return outputs;
  }

 private:
  struct Slot {
    Tensor tensor;
    int readers = 0;  ///< Uses still to come.
  };

  Status BindInputs(std::vector<Tensor> inputs) {
    if (inputs.size() != graph_.inputs().size()) {
      return Status(Code::kInvalidArgument,
                    StrCat("graph '", graph_.name(), "' has ", graph_.inputs().size(),
                           " inputs, given ", inputs.size()));
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Value* value = graph_.inputs()[i];
      RETURN_IF_ERROR(CheckInput(*value, inputs[i]));
      slots_[value] = {std::move(inputs[i]), value->num_uses()};
    }
    return OkStatus();
  }

  static Status CheckInput(const Value& value, const Tensor& tensor) {
    const TensorType& type = value.type();
    auto mismatch = [&] {
      return Status(Code::kInvalidArgument,
                    StrCat("input '", value.name(), "' is ", type.ToString(), ", given ",
                           tensor.TypeToString()));
    };
    const bool held = IsOptionalKind(type.kind) && tensor.kind() == HeldKind(type.kind);
    if (tensor.kind() != type.kind && !held) return mismatch();
    if (type.kind != ValueKind::kTensor || type.dtype == ElementType::kUndefined) return OkStatus();
    if (tensor.dtype() != type.dtype) return mismatch();
    if (!type.dims) return OkStatus();
    if (tensor.rank() != type.rank()) return mismatch();
    for (size_t d = 0; d < type.dims->size(); ++d) {
      const Dim& dim = (*type.dims)[d];
      if (dim.is_const() && dim.value() != tensor.shape()[d]) return mismatch();
    }
    return OkStatus();
  }

  Tensor Read(const Value* value) {
    if (!value) return Tensor();
    if (value->is_constant()) return value->constant();
    Slot& slot = slots_.at(value);
    Tensor tensor = slot.tensor;
    if (--slot.readers <= 0) slot.tensor = Tensor();
    return tensor;
  }

  Status Step(const Node& node) {
    std::vector<Tensor> inputs;
    for (const Value* input : node.inputs()) inputs.push_back(Read(input));
    ASSIGN_OR_RETURN(std::vector<Tensor> outputs, EvaluateNode(node, std::move(inputs)));
    if (observer_) observer_(node, outputs);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Value* value = node.output(i);
      if (value && value->num_uses() > 0)
        slots_[value] = {std::move(outputs[i]), value->num_uses()};
    }
    return OkStatus();
  }

  const Graph& graph_;
  const NodeObserver& observer_;
  std::unordered_map<const Value*, Slot> slots_;
};

Status CheckOutputs(const Node& node, const std::vector<Tensor>& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (node.output(i) && !outputs[i].defined()) {
      return Status(Code::kInternal, StrCat("the reference left output ", i, " without a value"));
    }
  }
  return OkStatus();
}

}  // namespace

Result<std::vector<Tensor>> RunReference(const Graph& graph, std::vector<Tensor> inputs,
                                         const NodeObserver& observer) {
  return Run(graph, observer).Execute(std::move(inputs));
}

Result<std::vector<Tensor>> EvaluateNode(const Node& node, std::vector<Tensor> inputs) {
  const OpDef* def = FindOp(node.op());
  if (!def || !def->reference()) {
    return Status(Code::kUnsupported, StrCat("operator '", node.op(), "' has no reference"));
  }
  inputs.resize(node.inputs().size());
  const auto formal = static_cast<std::ptrdiff_t>(node.num_formal_inputs());
  const auto captured = formal + static_cast<std::ptrdiff_t>(node.num_captures());
  const std::vector<Tensor> captures(inputs.begin() + formal, inputs.begin() + captured);
  const std::vector<Tensor> operands(inputs.begin() + captured, inputs.end());
  inputs.resize(static_cast<size_t>(formal));
  EvalContext context(node, std::move(inputs), [&](const Graph& region, std::vector<Tensor> args) {
    args.insert(args.end(), captures.begin(), captures.end());
    return RunReference(region, std::move(args));
  });
  RETURN_IF_ERROR(def->reference()(context));
  std::vector<Tensor> outputs = context.TakeOutputs();
  RETURN_IF_ERROR(CheckOutputs(node, outputs));
  if (node.epilogue()) {
    std::vector<Tensor> args = {outputs[0]};
    args.insert(args.end(), operands.begin(), operands.end());
    ASSIGN_OR_RETURN(std::vector<Tensor> result, RunReference(**node.epilogue(), std::move(args)));
    outputs[0] = std::move(result.at(0));
  }
  return outputs;
}

}  // namespace cairn
