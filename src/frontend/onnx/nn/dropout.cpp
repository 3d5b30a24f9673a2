// SPDX-License-Identifier: Apache-2.0
// Dropout: in inference its input passes.
#include "frontend/onnx/node_import.h"

namespace cairn::onnx {

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
  if (!off && !keeps_all) {
    return Status(Code::kUnsupported, "training mode is on; export the model for inference");
  }
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
