// SPDX-License-Identifier: Apache-2.0
// BatchNormalization: with given statistics, or (training mode) with those of the batch.
#include "frontend/onnx/op_registry.h"

namespace cairn::onnx {
namespace {

/// running = old * momentum + new * (1 - momentum).
Result<Value*> Running(NodeImport& node, Value* old_value, Value* new_value, float momentum) {
  ASSIGN_OR_RETURN(Value * kept,
                   node.Emit("Mul", {old_value, node.Constant(Tensor::ScalarF32(momentum))}));
  ASSIGN_OR_RETURN(Value * added,
                   node.Emit("Mul", {new_value, node.Constant(Tensor::ScalarF32(1 - momentum))}));
  return node.Emit("Add", {kept, added});
}

/// Statistics of all axes but the second one, [C]: (mean, population variance).
Result<std::pair<Value*, Value*>> Statistics(NodeImport& node) {
  Value* x = node.input(0);
  std::vector<int64_t> axes = {0};
  for (int64_t i = 2; i < x->type().rank(); ++i) axes.push_back(i);
  Value* over = node.IntConstant(axes);
  ASSIGN_OR_RETURN(Value * kept_mean, node.Emit("ReduceMean", {x, over}));
  ASSIGN_OR_RETURN(Value * centred, node.Emit("Sub", {x, kept_mean}));
  ASSIGN_OR_RETURN(Value * square, node.Emit("Mul", {centred, centred}));
  ASSIGN_OR_RETURN(Value * mean, node.Emit("ReduceMean", {x, over}, {{"keepdims", int64_t{0}}}));
  ASSIGN_OR_RETURN(Value * variance,
                   node.Emit("ReduceMean", {square, over}, {{"keepdims", int64_t{0}}}));
  return std::make_pair(mean, variance);
}

bool IsF32(const Value* value) { return value && value->type().dtype == ElementType::kF32; }

/// [BatchNormalization {training_mode = 1}(x, scale, b, old mean, old variance)] =>
/// [BatchNormalization(x, scale, b, mean(x), variance(x)), running mean, running variance]
Status ConvertTraining(NodeImport& node, float epsilon, float momentum) {
  for (size_t i = 0; i < 5; ++i) {
    if (!IsF32(node.input(i)) || !node.input(0)->type().has_rank()) {
      return Status(Code::kUnsupported, "training mode takes float32 inputs of known rank only");
    }
  }
  ASSIGN_OR_RETURN(const auto statistics, Statistics(node));
  const auto [mean, variance] = statistics;
  RETURN_IF_ERROR(node.FinishOutputs("BatchNormalization",
                                     {node.input(0), node.input(1), node.input(2), mean, variance},
                                     {{"epsilon", epsilon}}, 0, 1));
  if (node.num_outputs() > 1) {
    ASSIGN_OR_RETURN(Value * running_mean, Running(node, node.input(3), mean, momentum));
    node.Bind(1, running_mean);
  }
  if (node.num_outputs() > 2) {
    ASSIGN_OR_RETURN(Value * running_variance, Running(node, node.input(4), variance, momentum));
    node.Bind(2, running_variance);
  }
  if (node.num_outputs() > 3) node.Bind(3, mean);
  if (node.num_outputs() > 4) node.Bind(4, variance);
  return OkStatus();
}

}  // namespace

Status ConvertBatchNormalization(NodeImport& node) {
  ASSIGN_OR_RETURN(const float epsilon, node.Float("epsilon", 1e-5f));
  ASSIGN_OR_RETURN(const float momentum, node.Float("momentum", 0.9f));
  ASSIGN_OR_RETURN(const int64_t training, node.Int("training_mode", 0));
  ASSIGN_OR_RETURN(const int64_t spatial, node.Int("spatial", 1));
  if (spatial == 0)
    return Status(Code::kUnsupported, "spatial is 0 (statistics per element), expected 1");
  // Before operator set 14 training is told by wanting the statistics.
  bool wants_statistics = false;
  for (size_t i = 1; i < 5; ++i) wants_statistics = wants_statistics || node.wants_output(i);
  if (training != 0 || wants_statistics) return ConvertTraining(node, epsilon, momentum);
  RETURN_IF_ERROR(
      node.FinishOutputs("BatchNormalization", node.inputs(), {{"epsilon", epsilon}}, 0, 1));
  return OkStatus();
}

}  // namespace cairn::onnx
