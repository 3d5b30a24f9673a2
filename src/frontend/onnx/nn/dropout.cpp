// SPDX-License-Identifier: Apache-2.0
// Dropout: in inference its input passes; in training mode elements are dropped at random.
#include "frontend/onnx/node_import.h"

namespace cairn::onnx {
namespace {

Result<Value*> Converted(NodeImport& node, Value* value, ElementType to) {
  if (value->type().dtype == to) return value;
  return node.Emit("Cast", {value}, {{"to", TensorType(to)}});
}

/// [Dropout(x, ratio, training)] => [Where(keep, x / (1 - ratio), 0)], keep where a uniform random
/// number is at least the ratio; x as it is, and all kept, while `training` is false.
Status ConvertTraining(NodeImport& node) {
  Value *x = node.input(0), *training = node.input(2);
  const ElementType dtype = x->type().dtype;
  Attributes uniform = {{"dtype", TensorType(ElementType::kF32)}};
  if (node.Has("seed")) {
    ASSIGN_OR_RETURN(const int64_t seed, node.Int("seed", 0));
    uniform["seed"] = static_cast<float>(seed);
  }
  ASSIGN_OR_RETURN(Value * random, node.Emit("RandomUniformLike", {x}, std::move(uniform)));
  Value* ratio = node.input(1) ? node.input(1) : node.Constant(Tensor::ScalarF32(0.5f));
  ASSIGN_OR_RETURN(ratio, Converted(node, ratio, ElementType::kF32));
  ASSIGN_OR_RETURN(Value * keep, node.Emit("GreaterOrEqual", {random, ratio}));
  ASSIGN_OR_RETURN(Value * share, node.Emit("Sub", {node.Constant(Tensor::ScalarF32(1)), ratio}));
  ASSIGN_OR_RETURN(share, Converted(node, share, dtype));
  ASSIGN_OR_RETURN(Value * scaled, node.Emit("Div", {x, share}));
  if (!training->is_constant()) {
    ASSIGN_OR_RETURN(Value * resting, node.Emit("Not", {training}));
    ASSIGN_OR_RETURN(keep, node.Emit("Or", {keep, resting}));
    ASSIGN_OR_RETURN(scaled, node.Emit("Where", {training, scaled, x}));
  }
  ASSIGN_OR_RETURN(Tensor zero, Tensor::Allocate(dtype, {}));
  RETURN_IF_ERROR(
      node.FinishOutputs("Where", {keep, scaled, node.Constant(std::move(zero))}, {}, 0, 1));
  node.Bind(1, keep);
  return OkStatus();
}

}  // namespace

Status ConvertDropout(NodeImport& node) {
  const Value* training = node.input(2);
  if (node.opset() < 7) {
    ASSIGN_OR_RETURN(const int64_t is_test, node.Int("is_test", 0));
    if (is_test == 0)
      return Status(Code::kUnsupported, "is_test is 0; export the model for inference");
  }
  const bool off = !training || (training->is_constant() && training->constant().GetInt(0) == 0);
  const Value* ratio = node.input(1);
  const bool keeps_all = ratio && ratio->is_constant() && ratio->constant().GetDouble(0) == 0;
  if (!off && !keeps_all) return ConvertTraining(node);
  RETURN_IF_ERROR(node.FinishOutputs("Identity", {node.input(0)}, {}, 0, 1));
  if (!node.wants_output(1)) return OkStatus();
  ASSIGN_OR_RETURN(Value * shape, node.Emit("Shape", {node.input(0)}));
  // The mask has the type of the data before operator set 10 and is left to the implementation
  // before 12; there it is zero, as in other runtimes.
  const ElementType type = node.opset() < 10 ? node.input(0)->type().dtype : ElementType::kBool;
  ASSIGN_OR_RETURN(Tensor kept, Tensor::Allocate(type, {1}));
  kept.SetInt(0, node.opset() < 12 ? 0 : 1);
  return node.FinishOutputs("ConstantOfShape", {shape}, {{"value", std::move(kept)}}, 1, 1);
}

}  // namespace cairn::onnx
