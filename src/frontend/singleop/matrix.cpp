// SPDX-License-Identifier: Apache-2.0
// Matrix products; float16 operands are summed in float32 and rounded once.
#include "frontend/singleop/builder.h"

namespace cairn::singleop {
namespace {

bool IsInt8(const Value* value) {
  const ElementType dtype = value->type().dtype;
  return dtype == ElementType::kI8 || dtype == ElementType::kU8;
}

/// The last two axes swapped.
Result<Value*> Transposed(Builder& b, Value* value) {
  if (!value->type().has_rank() || value->type().rank() < 2)
    return Status(Code::kInvalidArgument, StrCat("a matrix is needed, not ", value->type()));
  Ints perm(static_cast<size_t>(value->type().rank()));
  for (size_t i = 0; i < perm.size(); ++i) perm[i] = static_cast<int64_t>(i);
  std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return b.Make("Transpose", {value}, {{"perm", perm}});
}

/// The product of inputs 0 and 1: float32, or int32 for 8-bit integers.
Result<Value*> Product(Builder& b, bool transpose_a, bool transpose_b) {
  ASSIGN_OR_RETURN(Value * a, b.Wide(0));
  ASSIGN_OR_RETURN(Value * c, b.Wide(1));
  const bool integer = IsInt8(a) && IsInt8(c);
  if (!integer) {
    return b.Make("MatMul", {a, c},
                  {{"transA", int64_t{transpose_a}}, {"transB", int64_t{transpose_b}}});
  }
  if (transpose_a) {
    ASSIGN_OR_RETURN(a, Transposed(b, a));
  }
  if (transpose_b) {
    ASSIGN_OR_RETURN(c, Transposed(b, c));
  }
  return b.Make("MatMulInteger", {a, c});
}

Status LowerProduct(Builder& b, bool transpose_a, bool transpose_b) {
  ASSIGN_OR_RETURN(Value * product, Product(b, transpose_a, transpose_b));
  if (b.Has(2)) {
    ASSIGN_OR_RETURN(Value * bias, b.In(2));
    ASSIGN_OR_RETURN(bias, b.CastTo(bias, product->type().dtype));
    ASSIGN_OR_RETURN(product, b.Make("Add", {product, bias}));
  }
  return b.AddOutput(product);
}

}  // namespace

Status LowerMatMul(Builder& b) {
  return LowerProduct(b, b.Int("transpose_x1", 0) != 0, b.Int("transpose_x2", 0) != 0);
}

Status LowerBatchMatMul(Builder& b) {
  return LowerProduct(b, b.Int("adj_x1", 0) != 0, b.Int("adj_x2", 0) != 0);
}

// [GEMM(a, b, c, alpha, beta)] => alpha * (op(a) op(b)) + beta * c, in float32, or in int32 when all
// of it is integer.
Status LowerGemm(Builder& b) {
  ASSIGN_OR_RETURN(Value * product,
                   Product(b, b.Int("transpose_a", 0) != 0, b.Int("transpose_b", 0) != 0));
  ASSIGN_OR_RETURN(Value * c, b.Wide(2));
  ASSIGN_OR_RETURN(Value * alpha, b.Wide(3));
  ASSIGN_OR_RETURN(Value * beta, b.Wide(4));
  ASSIGN_OR_RETURN(product, b.CastTo(product, c->type().dtype));
  ASSIGN_OR_RETURN(alpha, b.CastTo(alpha, c->type().dtype));
  ASSIGN_OR_RETURN(beta, b.CastTo(beta, c->type().dtype));
  ASSIGN_OR_RETURN(Value * scaled, b.Make("Mul", {product, alpha}));
  ASSIGN_OR_RETURN(Value * addend, b.Make("Mul", {c, beta}));
  ASSIGN_OR_RETURN(Value * result, b.Make("Add", {scaled, addend}));
  return b.AddOutput(result);
}

}  // namespace cairn::singleop
