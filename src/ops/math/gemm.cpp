// SPDX-License-Identifier: Apache-2.0
// Gemm: alpha * op(A) * op(B) + beta * C for matrices.
#include "ops/elementwise.h"

namespace cairn {
namespace {

Status InferGemm(InferContext& in) {
  RETURN_IF_ERROR(RequireSameDtype(in, 0, 1));
  if (in.has_input(2)) RETURN_IF_ERROR(RequireSameDtype(in, 0, 2));
  RETURN_IF_ERROR(RequireRank(in, 0, 2));
  RETURN_IF_ERROR(RequireRank(in, 1, 2));
  const ElementType dtype = in.type(0).dtype;
  const bool trans_a = in.node().GetInt("transA", 0) != 0;
  const bool trans_b = in.node().GetInt("transB", 0) != 0;
  const Dims *a = in.dims(0), *b = in.dims(1);
  const Dim m = a ? (*a)[trans_a ? 1 : 0] : in.NewSymbol();
  const Dim n = b ? (*b)[trans_b ? 0 : 1] : in.NewSymbol();
  if (a && b) {
    const Dim ka = (*a)[trans_a ? 0 : 1], kb = (*b)[trans_b ? 1 : 0];
    if (ka.is_const() && kb.is_const() && !(ka == kb)) {
      return Status(Code::kInvalidModel,
                    StrCat("operands ", in.type(0).ToString(), " and ", in.type(1).ToString(),
                           " do not multiply: inner sizes are ", ka, " and ", kb));
    }
  }
  const Dims dims = {m, n};
  if (in.dims(2)) {
    ASSIGN_OR_RETURN(const Dims sum,
                     BroadcastDims(dims, *in.dims(2), [&in] { return in.NewSymbol(); }));
    if (sum.size() != 2) {
      return Status(Code::kInvalidModel, StrCat("C is ", in.type(2).ToString(),
                                                ", expected to broadcast to ", DimsToString(dims)));
    }
  }
  in.SetOutput(0, TensorType(dtype, dims));
  return OkStatus();
}

Status EvalGemm(EvalContext& in) {
  const Tensor &a = in.input(0), &b = in.input(1);
  const bool trans_a = in.node().GetInt("transA", 0) != 0;
  const bool trans_b = in.node().GetInt("transB", 0) != 0;
  const double alpha = in.node().GetFloat("alpha", 1), beta = in.node().GetFloat("beta", 1);
  const int64_t m = a.shape()[trans_a ? 1 : 0], k = a.shape()[trans_a ? 0 : 1];
  const int64_t n = b.shape()[trans_b ? 0 : 1];
  if (b.shape()[trans_b ? 1 : 0] != k) {
    return Status(Code::kInvalidArgument, "inner sizes of A and B differ");
  }
  const std::vector<double> va = ToDoubles(a), vb = ToDoubles(b);
  std::vector<double> result(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t p = 0; p < k; ++p) {
      const double factor = va[static_cast<size_t>(trans_a ? p * m + i : i * k + p)];
      double* row = result.data() + i * n;
      for (int64_t j = 0; j < n; ++j) {
        row[j] += factor * vb[static_cast<size_t>(trans_b ? j * k + p : p * n + j)];
      }
    }
  }
  for (double& value : result) value *= alpha;
  if (in.has_input(2)) {
    const Tensor& c = in.input(2);
    ASSIGN_OR_RETURN(const Shape shape, BroadcastShapes({m, n}, c.shape()));
    if (shape != Shape{m, n})
      return Status(Code::kInvalidArgument, "C does not broadcast to [M,N]");
    ForEachPair(c.shape(), c.shape(), shape, [&](int64_t i, int64_t p, int64_t) {
      result[static_cast<size_t>(i)] += beta * c.GetDouble(p);
    });
  }
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, a.dtype(), {m, n}));
  StoreDoubles(result, *y);
  return OkStatus();
}

}  // namespace

OpDef GemmOp() {
  return OpDef("Gemm")
      .Input("A")
      .Input("B")
      .OptionalInput("C")
      .Output("Y")
      .DefaultAttr("alpha", AttrKind::kFloat, 1.0f, "Factor of the product.")
      .DefaultAttr("beta", AttrKind::kFloat, 1.0f, "Factor of C.")
      .DefaultAttr("transA", AttrKind::kInt, int64_t{0}, "1: A is given transposed.")
      .DefaultAttr("transB", AttrKind::kInt, int64_t{0}, "1: B is given transposed.")
      .Doc("alpha * A * B + beta * C for matrices A [M,K] and B [K,N]; C broadcasts to [M,N].")
      .Infer(InferGemm)
      .Reference(EvalGemm);
}

}  // namespace cairn
