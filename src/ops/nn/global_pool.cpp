// SPDX-License-Identifier: Apache-2.0
// GlobalAveragePool, GlobalMaxPool, GlobalLpPool: one value per channel.
#include <cmath>
#include <limits>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

Status InferGlobalPool(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  TensorType type = in.type(0);
  if (type.dims) {
    if (type.rank() < 2) {
      return Status(Code::kInvalidModel, StrCat("the input is ", DimsToString(*type.dims),
                                                ", expected rank 2 at least"));
    }
    for (size_t i = 2; i < type.dims->size(); ++i) (*type.dims)[i] = Dim(1);
  }
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

/// y[n, c] = reduce(first, last) over the elements of each plane.
template <class Reduce>
Status EvalGlobalPool(EvalContext& in, const Reduce& reduce) {
  const Tensor& x = in.input(0);
  Shape shape = x.shape();
  const int64_t plane = ProductOf(shape, 2, shape.size());
  for (size_t i = 2; i < shape.size(); ++i) shape[i] = 1;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  const std::vector<double> values = ToDoubles(x);
  for (int64_t i = 0; i < y->num_elements(); ++i) {
    y->SetDouble(i, reduce(values.data() + i * plane, values.data() + (i + 1) * plane));
  }
  return OkStatus();
}

double Mean(const double* first, const double* last) {
  double sum = 0;
  for (const double* x = first; x != last; ++x) sum += *x;
  return sum / static_cast<double>(last - first);
}

double Maximum(const double* first, const double* last) {
  double best = -std::numeric_limits<double>::infinity();
  for (const double* x = first; x != last; ++x) {
    if (std::isnan(*x)) return *x;
    if (*x > best) best = *x;
  }
  return best;
}

Status EvalGlobalLpPool(EvalContext& in) {
  const double p = static_cast<double>(in.node().GetInt("p", 2));
  return EvalGlobalPool(in, [p](const double* first, const double* last) {
    double sum = 0;
    for (const double* x = first; x != last; ++x) sum += std::pow(std::fabs(*x), p);
    return std::pow(sum, 1 / p);
  });
}

}  // namespace

OpDef GlobalAveragePoolOp() {
  return OpDef("GlobalAveragePool")
      .Input("X")
      .Output("Y")
      .Doc("Mean over all spatial dims of X [N, C, spatial...], which become 1.")
      .Infer(InferGlobalPool)
      .Reference([](EvalContext& in) { return EvalGlobalPool(in, Mean); });
}

OpDef GlobalMaxPoolOp() {
  return OpDef("GlobalMaxPool")
      .Input("X")
      .Output("Y")
      .Doc("Maximum over all spatial dims of X [N, C, spatial...], which become 1; NaN wins.")
      .Infer(InferGlobalPool)
      .Reference([](EvalContext& in) { return EvalGlobalPool(in, Maximum); });
}

OpDef GlobalLpPoolOp() {
  return OpDef("GlobalLpPool")
      .Input("X")
      .Output("Y")
      .DefaultAttr("p", AttrKind::kInt, int64_t{2}, "The norm: (sum |x|^p)^(1/p).")
      .Doc("p-norm over all spatial dims of X [N, C, spatial...], which become 1.")
      .Infer(InferGlobalPool)
      .Reference(EvalGlobalLpPool);
}

}  // namespace cairn
