// SPDX-License-Identifier: Apache-2.0
// Operators that map each row along one axis to a row of the same length.
#include "ops/nn/axis_rows.h"

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {

Status InferAlongAxis(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  if (const Dims* x = in.dims(0)) {
    const auto rank = static_cast<int64_t>(x->size());
    RETURN_IF_ERROR(NormalizeAxis(in.node().GetInt("axis", -1), rank).status());
  }
  in.SetOutput(0, in.type(0));
  return OkStatus();
}

Status EvalAlongAxis(EvalContext& in, const RowFn& f) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(in.node().GetInt("axis", -1), x.rank()));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), x.shape()));
  if (x.num_elements() == 0) return OkStatus();
  const auto at = static_cast<size_t>(axis);
  const int64_t outer = ProductOf(x.shape(), 0, at), length = x.shape()[at];
  const int64_t inner = ProductOf(x.shape(), at + 1, x.shape().size());
  std::vector<double> row(static_cast<size_t>(length));
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      const int64_t first = o * length * inner + i;
      for (int64_t k = 0; k < length; ++k) {
        row[static_cast<size_t>(k)] = x.GetDouble(first + k * inner);
      }
      f(row);
      for (int64_t k = 0; k < length; ++k) {
        y->SetDouble(first + k * inner, row[static_cast<size_t>(k)]);
      }
    }
  }
  return OkStatus();
}

}  // namespace cairn
