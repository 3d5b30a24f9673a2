// SPDX-License-Identifier: Apache-2.0
// MatMulIntegerToFloat, DynamicQuantizeMatMul, QGemm: exact integer products, scaled to floats.
#include "frontend/onnx/op_registry.h"
#include "frontend/onnx/quant/quantised_value.h"

namespace cairn::onnx {
namespace {

/// A per-column zero point [N] of the right factor stays; all others are scalars.
struct Factor {
  Value *tensor, *scale, *zero_point;
};

/// a_scale * b_scale * (A - a_zero_point)(B - b_zero_point), the product exact in i32.
Result<Value*> ScaledProduct(NodeImport& node, const Factor& a, const Factor& b) {
  ASSIGN_OR_RETURN(Value * product, node.Emit("MatMulInteger", {a.tensor, b.tensor, a.zero_point,
                                                                b.zero_point}));
  ASSIGN_OR_RETURN(Value * real,
                   node.Emit("Cast", {product}, {{"to", TensorType(a.scale->type().dtype)}}));
  ASSIGN_OR_RETURN(Value * scale, node.Emit("Mul", {a.scale, b.scale}));
  return node.Emit("Mul", {real, scale});
}

Status FinishWithBias(NodeImport& node, Value* product, Value* bias) {
  if (bias) return node.Finish("Add", {product, bias}, {});
  node.Bind(0, product);
  return OkStatus();
}

Result<Value*> Transposed(NodeImport& node, Value* matrix, const std::string& attribute) {
  ASSIGN_OR_RETURN(const int64_t wanted, node.Int(attribute, 0));
  if (wanted == 0) return matrix;
  return node.Emit("Transpose", {matrix}, {{"perm", Ints{1, 0}}});
}

}  // namespace

// (A, B, a_scale, b_scale, a_zero_point, b_zero_point, bias)
Status ConvertMatMulIntegerToFloat(NodeImport& node) {
  const Factor a{node.input(0), node.input(2), node.input(4)};
  const Factor b{node.input(1), node.input(3), node.input(5)};
  if (!a.scale || !b.scale) return Status(Code::kInvalidModel, "a scale is missing");
  ASSIGN_OR_RETURN(Value * product, ScaledProduct(node, a, b));
  return FinishWithBias(node, product, node.input(6));
}

// (A, B, b_scale, b_zero_point, bias): A is quantised by what it holds.
Status ConvertDynamicQuantizeMatMul(NodeImport& node) {
  if (!node.input(2)) return Status(Code::kInvalidModel, "b_scale is missing");
  ASSIGN_OR_RETURN(const std::vector<Value*> a,
                   node.EmitAll("DynamicQuantizeLinear", {node.input(0)}, {}, 3));
  ASSIGN_OR_RETURN(Value * product,
                   ScaledProduct(node, {a[0], a[1], a[2]},
                                 {node.input(1), node.input(2), node.input(3)}));
  return FinishWithBias(node, product, node.input(4));
}

// (A, a_scale, a_zero_point, B, b_scale, b_zero_point, C, y_scale, y_zero_point); C is i32 in units
// of alpha * a_scale * b_scale.
Status ConvertQGemm(NodeImport& node) {
  ASSIGN_OR_RETURN(const float alpha, node.Float("alpha", 1));
  ASSIGN_OR_RETURN(Value * a, Transposed(node, node.input(0), "transA"));
  ASSIGN_OR_RETURN(Value * b, Transposed(node, node.input(3), "transB"));
  ASSIGN_OR_RETURN(Value * sum,
                   node.Emit("MatMulInteger", {a, b, node.input(2), node.input(5)}));
  if (node.input(6)) {
    ASSIGN_OR_RETURN(sum, node.Emit("Add", {sum, node.input(6)}));
  }
  ASSIGN_OR_RETURN(Value * real, node.Emit("Cast", {sum}, {{"to", TensorType(ElementType::kF32)}}));
  ASSIGN_OR_RETURN(Value * scale, node.Emit("Mul", {node.input(1), node.input(4)}));
  ASSIGN_OR_RETURN(scale, node.Emit("Mul", {scale, node.Constant(Tensor::ScalarF32(alpha))}));
  ASSIGN_OR_RETURN(Value * y, node.Emit("Mul", {real, scale}));
  if (node.input(7)) return FinishQuantized(node, y, 7);
  node.Bind(0, y);
  return OkStatus();
}

}  // namespace cairn::onnx
