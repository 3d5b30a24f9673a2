// SPDX-License-Identifier: Apache-2.0
// Softmax, LogSoftmax, Hardmax: before operator set 13 over all axes from `axis` on, flattened.
#include "frontend/onnx/op_registry.h"
#include "ops/axes.h"

namespace cairn::onnx {
namespace {

constexpr int64_t kAlongOneAxis = 13;

/// [op {axis}] => [Reshape(op {axis = -1}(Flatten {axis}), Shape)]
Status ConvertFlattened(NodeImport& node, int64_t axis) {
  Value* x = node.input(0);
  ASSIGN_OR_RETURN(Value * flat, node.Emit("Flatten", {x}, {{"axis", axis}}));
  ASSIGN_OR_RETURN(Value * rows, node.Emit(node.op_type(), {flat}, {{"axis", int64_t{-1}}}));
  ASSIGN_OR_RETURN(Value * shape, node.Emit("Shape", {x}));
  return node.Finish("Reshape", {rows, shape}, {});
}

}  // namespace

Status ConvertSoftmax(NodeImport& node) {
  if (node.opset() >= kAlongOneAxis || node.input(0) == nullptr) return node.PassThrough();
  ASSIGN_OR_RETURN(const int64_t axis, node.Int("axis", 1));
  const TensorType& type = node.input(0)->type();
  if (!type.has_rank()) return ConvertFlattened(node, axis);
  ASSIGN_OR_RETURN(const int64_t normal, NormalizeAxis(axis, type.rank()));
  // Later axes of size 1 change nothing.
  bool last = true;
  for (auto i = static_cast<size_t>(normal) + 1; i < type.dims->size(); ++i) {
    last = last && (*type.dims)[i] == Dim(1);
  }
  if (!last) return ConvertFlattened(node, normal);
  return node.Finish(node.op_type(), node.inputs(), {{"axis", normal}});
}

}  // namespace cairn::onnx
