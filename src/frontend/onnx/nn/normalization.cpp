// SPDX-License-Identifier: Apache-2.0
// Normalisations that changed or are written with other operators: GroupNormalization 18,
// MeanVarianceNormalization.
#include <cmath>

#include "frontend/onnx/node_import.h"

namespace cairn::onnx {
namespace {

/// A vector of one value per group, repeated to one per channel.
Result<Value*> PerChannel(NodeImport& node, Value* per_group, int64_t groups, int64_t channels) {
  ASSIGN_OR_RETURN(Value * column,
                   node.Emit("Reshape", {per_group, node.IntConstant({groups, 1})}));
  ASSIGN_OR_RETURN(Value * table,
                   node.Emit("Expand", {column, node.IntConstant({groups, channels / groups})}));
  return node.Emit("Reshape", {table, node.IntConstant({channels})});
}

}  // namespace

Status ConvertGroupNormalization(NodeImport& node) {
  if (node.opset() >= 21) return node.PassThrough();
  ASSIGN_OR_RETURN(const int64_t groups, node.Int("num_groups", 0));
  const Value* x = node.input(0);
  const bool known = x && x->type().dims && x->type().rank() > 1 && (*x->type().dims)[1].is_const();
  if (!known) return Status(Code::kUnsupported, "the number of channels is not known");
  const int64_t channels = (*x->type().dims)[1].value();
  if (groups < 1 || channels % groups != 0) {
    return Status(Code::kInvalidModel,
                  StrCat("num_groups ", groups, " does not divide ", channels, " channels"));
  }
  ASSIGN_OR_RETURN(Value * scale, PerChannel(node, node.input(1), groups, channels));
  ASSIGN_OR_RETURN(Value * bias, PerChannel(node, node.input(2), groups, channels));
  return node.Finish("GroupNormalization", {node.input(0), scale, bias}, node.attributes);
}

Status ConvertMeanVarianceNormalization(NodeImport& node) {
  ASSIGN_OR_RETURN(std::vector<int64_t> list, node.IntList("axes"));
  if (!node.Has("axes")) list = {0, 2, 3};
  Value* axes = node.IntConstant(std::move(list));
  Value* x = node.input(0);
  if (!x || !IsFloat(x->type().dtype))
    return Status(Code::kInvalidModel, "the input must be a float");
  ASSIGN_OR_RETURN(Tensor small, Tensor::Allocate(x->type().dtype, {}));
  small.SetDouble(0, 1e-9);
  ASSIGN_OR_RETURN(Value * mean, node.Emit("ReduceMean", {x, axes}));
  ASSIGN_OR_RETURN(Value * centered, node.Emit("Sub", {x, mean}));
  ASSIGN_OR_RETURN(Value * square, node.Emit("Mul", {centered, centered}));
  ASSIGN_OR_RETURN(Value * variance, node.Emit("ReduceMean", {square, axes}));
  ASSIGN_OR_RETURN(Value * deviation, node.Emit("Sqrt", {variance}));
  ASSIGN_OR_RETURN(Value * divisor, node.Emit("Add", {deviation, node.Constant(std::move(small))}));
  return node.Finish("Div", {centered, divisor}, {});
}

}  // namespace cairn::onnx
