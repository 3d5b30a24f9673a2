// SPDX-License-Identifier: Apache-2.0
// InstanceNormalization, GroupNormalization, and the moments they share with others.
#include <cmath>
#include <span>

#include "ops/axes.h"
#include "ops/elements.h"
#include "ops/nn/normalization.h"

namespace cairn {

Moments MomentsOf(std::span<const double> values) {
  Moments moments;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) moments.mean += value;
  moments.mean /= count;
  for (const double value : values) {
    moments.variance += (value - moments.mean) * (value - moments.mean);
  }
  moments.variance /= count;
  return moments;
}

namespace {

Status InferPerChannel(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  const Dims* x = in.dims(0);
  if (x && x->size() < 2) {
    return Status(Code::kInvalidModel,
                  StrCat("input is ", in.type(0).ToString(), ", expected rank 2 or more"));
  }
  for (size_t i = 1; i < 3; ++i) {
    RETURN_IF_ERROR(RequireRank(in, i, 1));
    if (x && in.dims(i) && (*x)[1].is_const() && (*in.dims(i))[0].is_const() &&
        !((*x)[1] == (*in.dims(i))[0])) {
      return Status(Code::kInvalidModel,
                    StrCat("input ", i, " is ", in.type(i).ToString(), ", the data ",
                           in.type(0).ToString(), " has ", (*x)[1], " channels"));
    }
  }
  in.SetOutput(0, in.type(0));
  return OkStatus();
}

/// Normalises blocks of `block` channels; scale and bias are per channel.
Status EvalBlocks(EvalContext& in, int64_t block, double epsilon) {
  const Tensor& x = in.input(0);
  const int64_t channels = x.shape()[1], plane = ProductOf(x.shape(), 2, x.shape().size());
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), x.shape()));
  const std::vector<double> values = ToDoubles(x);
  const int64_t size = block * plane;
  for (int64_t start = 0; start < x.num_elements(); start += size) {
    const Moments moments =
        MomentsOf(std::span(values).subspan(static_cast<size_t>(start), static_cast<size_t>(size)));
    const double factor = 1.0 / std::sqrt(moments.variance + epsilon);
    for (int64_t i = start; i < start + size; ++i) {
      const int64_t c = i / plane % channels;
      const double normal = (values[static_cast<size_t>(i)] - moments.mean) * factor;
      y->SetDouble(i, in.input(1).GetDouble(c) * normal + in.input(2).GetDouble(c));
    }
  }
  return OkStatus();
}

Status EvalInstanceNormalization(EvalContext& in) {
  return EvalBlocks(in, 1, in.node().GetFloat("epsilon", 1e-5f));
}

Status InferGroupNormalization(InferContext& in) {
  RETURN_IF_ERROR(InferPerChannel(in));
  const int64_t groups = in.node().GetInt("num_groups", 0);
  const Dims* x = in.dims(0);
  if (groups < 1 || (x && (*x)[1].is_const() && (*x)[1].value() % groups != 0)) {
    return Status(
        Code::kInvalidModel,
        StrCat("num_groups ", groups, " does not divide the channels of ", in.type(0).ToString()));
  }
  return OkStatus();
}

Status EvalGroupNormalization(EvalContext& in) {
  const int64_t groups = in.node().GetInt("num_groups", 1);
  return EvalBlocks(in, in.input(0).shape()[1] / groups, in.node().GetFloat("epsilon", 1e-5f));
}

}  // namespace

OpDef InstanceNormalizationOp() {
  return OpDef("InstanceNormalization")
      .Input("input")
      .Input("scale")
      .Input("B")
      .Output("output")
      .DefaultAttr("epsilon", AttrKind::kFloat, 1e-5f, "Added to the variance.")
      .Doc(
          "y = scale * (x - mean) / sqrt(var + epsilon) + B with the moments of each channel of "
          "each "
          "batch entry; scale and B per channel.")
      .Infer(InferPerChannel)
      .Reference(EvalInstanceNormalization);
}

OpDef GroupNormalizationOp() {
  return OpDef("GroupNormalization")
      .Input("X")
      .Input("scale")
      .Input("bias")
      .Output("Y")
      .DefaultAttr("epsilon", AttrKind::kFloat, 1e-5f, "Added to the variance.")
      .Attr("num_groups", AttrKind::kInt, "Number of groups of channels.")
      .DefaultAttr("stash_type", AttrKind::kInt, int64_t{1},
                   "Accepted; moments are computed in double.")
      .Doc(
          "As InstanceNormalization with the moments of each group of channels; scale and bias per "
          "channel.")
      .Infer(InferGroupNormalization)
      .Reference(EvalGroupNormalization);
}

}  // namespace cairn
