// SPDX-License-Identifier: Apache-2.0
// LRN: local response normalisation across channels.
#include <algorithm>
#include <cmath>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

Status InferLrn(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  constexpr int64_t kMaxSize = 1 << 24;
  const int64_t size = in.node().GetInt("size", 0);
  if (size < 1 || size > kMaxSize)
    return Status(Code::kInvalidModel, StrCat("size is ", size, ", expected 1 to ", kMaxSize));
  if (in.dims(0) && in.dims(0)->size() < 2) {
    return Status(Code::kInvalidModel,
                  StrCat("input is ", in.type(0).ToString(), ", expected rank 2 or more"));
  }
  in.SetOutput(0, in.type(0));
  return OkStatus();
}

Status EvalLrn(EvalContext& in) {
  const Tensor& x = in.input(0);
  const int64_t size = in.node().GetInt("size", 1);
  const double alpha = in.node().GetFloat("alpha", 0.0001f),
               beta = in.node().GetFloat("beta", 0.75f);
  const double bias = in.node().GetFloat("bias", 1);
  const int64_t channels = x.shape()[1], plane = ProductOf(x.shape(), 2, x.shape().size());
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), x.shape()));
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    const int64_t c = i / plane % channels;
    const int64_t first = std::max<int64_t>(0, c - (size - 1) / 2);
    const int64_t last = std::min(channels - 1, c + size / 2);
    double sum = 0;
    for (int64_t k = first; k <= last; ++k) {
      const double value = x.GetDouble(i + (k - c) * plane);
      sum += value * value;
    }
    y->SetDouble(i,
                 x.GetDouble(i) / std::pow(bias + alpha / static_cast<double>(size) * sum, beta));
  }
  return OkStatus();
}

}  // namespace

OpDef LRNOp() {
  return OpDef("LRN")
      .Input("X")
      .Output("Y")
      .DefaultAttr("alpha", AttrKind::kFloat, 0.0001f, "Factor of the mean square.")
      .DefaultAttr("beta", AttrKind::kFloat, 0.75f, "Exponent.")
      .DefaultAttr("bias", AttrKind::kFloat, 1.0f, "Added before the power.")
      .Attr("size", AttrKind::kInt, "Number of neighbouring channels.")
      .Doc("y = x / (bias + alpha / size * sum of x^2 over neighbouring channels)^beta.")
      .Infer(InferLrn)
      .Reference(EvalLrn);
}

}  // namespace cairn
