// SPDX-License-Identifier: Apache-2.0
// CumProd: running product along an axis.
#include "ops/elementwise.h"

namespace cairn {
namespace {

Status InferCumProd(InferContext& in) {
  RETURN_IF_ERROR(RequireIndexType(in, 1));
  if (const auto axis = in.Ints(1); axis && axis->size() == 1 && in.dims(0)) {
    RETURN_IF_ERROR(NormalizeAxis((*axis)[0], in.type(0).rank()).status());
  }
  return InferSameAsFirst(in);
}

Status EvalCumProd(EvalContext& in) {
  const Tensor& x = in.input(0);
  if (in.input(1).num_elements() != 1) {
    return Status(Code::kInvalidArgument, "'axis' must have one element");
  }
  ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(in.input(1).GetInt(0), x.rank()));
  const bool exclusive = in.node().GetInt("exclusive", 0) != 0;
  const bool reverse = in.node().GetInt("reverse", 0) != 0;
  const auto at = static_cast<size_t>(axis);
  const int64_t outer = ProductOf(x.shape(), 0, at), size = x.shape()[at];
  const int64_t inner = ProductOf(x.shape(), at + 1, x.shape().size());
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), x.shape()));
  return DispatchArithmetic(x.dtype(), [&]<class T>(T) {
    // Integers wrap.
    using Product = std::conditional_t<std::is_same_v<T, double>, double, uint64_t>;
    for (int64_t line = 0; line < outer * inner; ++line) {
      const int64_t first = line / inner * size * inner + line % inner;
      Product product = 1;
      for (int64_t step = 0; step < size; ++step) {
        const int64_t i = first + (reverse ? size - 1 - step : step) * inner;
        const Product next = product * static_cast<Product>(GetAs<T>(x, i));
        SetAs<T>(*y, i, static_cast<T>(exclusive ? product : next));
        product = next;
      }
    }
    return OkStatus();
  });
}

}  // namespace

OpDef CumProdOp() {
  return OpDef("CumProd")
      .Input("x")
      .Input("axis")
      .Output("y")
      .DefaultAttr("exclusive", AttrKind::kInt, int64_t{0}, "1: the element itself is left out.")
      .DefaultAttr("reverse", AttrKind::kInt, int64_t{0}, "1: products from the end.")
      .Doc("The product of all elements up to each element along the axis.")
      .Infer(InferCumProd)
      .Reference(EvalCumProd);
}

}  // namespace cairn
