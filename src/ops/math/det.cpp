// SPDX-License-Identifier: Apache-2.0
// Det: determinants of square matrices.
#include <cmath>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

Status InferDet(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  TensorType type = in.type(0);
  if (type.dims) {
    const size_t rank = type.dims->size();
    const bool square =
        rank >= 2 && (!(*type.dims)[rank - 1].is_const() || !(*type.dims)[rank - 2].is_const() ||
                      (*type.dims)[rank - 1] == (*type.dims)[rank - 2]);
    if (!square) {
      return Status(Code::kInvalidModel,
                    StrCat("input 0 is ", type.ToString(), ", expected square matrices"));
    }
    type.dims->resize(rank - 2);
  }
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

/// Gaussian elimination with row pivots.
double Determinant(std::vector<double>& a, size_t n) {
  double result = 1;
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t row = k + 1; row < n; ++row) {
      if (std::fabs(a[row * n + k]) > std::fabs(a[pivot * n + k])) pivot = row;
    }
    if (a[pivot * n + k] == 0) return 0;
    if (pivot != k) {
      for (size_t c = 0; c < n; ++c) std::swap(a[pivot * n + c], a[k * n + c]);
      result = -result;
    }
    result *= a[k * n + k];
    for (size_t row = k + 1; row < n; ++row) {
      const double factor = a[row * n + k] / a[k * n + k];
      for (size_t c = k; c < n; ++c) a[row * n + c] -= factor * a[k * n + c];
    }
  }
  return result;
}

Status EvalDet(EvalContext& in) {
  const Tensor& x = in.input(0);
  if (x.rank() < 2 || x.shape().back() != x.shape()[x.shape().size() - 2]) {
    return Status(Code::kInvalidArgument,
                  StrCat("input 0 is ", x.TypeToString(), ", expected square matrices"));
  }
  const auto n = static_cast<size_t>(x.shape().back());
  Shape shape(x.shape().begin(), x.shape().end() - 2);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  std::vector<double> matrix(n * n);
  for (int64_t b = 0; b < y->num_elements(); ++b) {
    for (size_t i = 0; i < n * n; ++i) {
      matrix[i] = x.GetDouble(b * static_cast<int64_t>(n * n) + static_cast<int64_t>(i));
    }
    y->SetDouble(b, Determinant(matrix, n));
  }
  return OkStatus();
}

}  // namespace

OpDef DetOp() {
  return OpDef("Det")
      .Input("X")
      .Output("Y")
      .Doc("The determinants of the matrices in the last two axes.")
      .Infer(InferDet)
      .Reference(EvalDet);
}

}  // namespace cairn
