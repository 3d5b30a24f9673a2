// SPDX-License-Identifier: Apache-2.0
// CausalConvWithState: a depthwise convolution over the past, with the past carried along.
#include <cmath>

#include "ops/elements.h"

namespace cairn {
namespace {

enum Input : size_t { kInput, kWeight, kBias, kPast };

Status InferCausalConv(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, kInput));
  for (const size_t i : {kWeight, kBias, kPast}) {
    if (!in.has_input(i)) continue;
    RETURN_IF_ERROR(RequireSameDtype(in, kInput, i));
    RETURN_IF_ERROR(RequireRank(in, i, i == kBias ? 1 : 3));
  }
  RETURN_IF_ERROR(RequireRank(in, kInput, 3));
  const std::string activation = in.node().GetString("activation", "none");
  if (activation != "none" && activation != "silu" && activation != "swish") {
    return Status(Code::kInvalidModel,
                  StrCat("activation is '", activation, "', expected none, silu or swish"));
  }
  in.SetOutput(0, in.type(kInput));
  TensorType state(in.type(kInput).dtype);
  if (in.dims(kInput)) {
    const Dims& x = *in.dims(kInput);
    const Dims* w = in.dims(kWeight);
    state.dims = Dims{x[0], x[1], w ? (*w)[2] - Dim(1) : in.NewSymbol()};
  }
  in.SetOutput(1, std::move(state));
  return OkStatus();
}

Status CheckShapes(const EvalContext& in) {
  const Shape &x = in.input(kInput).shape(), &w = in.input(kWeight).shape();
  const bool fits = w[0] == x[1] && w[1] == 1 && w[2] >= 1 &&
                    (!in.has_input(kBias) || in.input(kBias).shape()[0] == x[1]) &&
                    (!in.has_input(kPast) ||
                     in.input(kPast).shape() == Shape{x[0], x[1], w[2] - 1});
  if (fits) return OkStatus();
  return Status(Code::kInvalidArgument,
                StrCat("input ", ShapeToString(x), " and weight ", ShapeToString(w),
                       in.has_input(kPast)
                           ? StrCat(" with state ", ShapeToString(in.input(kPast).shape()))
                           : std::string(),
                       " do not fit"));
}

Status EvalCausalConv(EvalContext& in) {
  RETURN_IF_ERROR(CheckShapes(in));
  const Tensor &x = in.input(kInput), &w = in.input(kWeight);
  const bool swish = in.node().GetString("activation", "none") != "none";
  const int64_t channels = x.shape()[1], length = x.shape()[2], taps = w.shape()[2];
  const int64_t past = taps - 1;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), x.shape()));
  ASSIGN_OR_RETURN(Tensor * state, in.NewOutput(1, x.dtype(), {x.shape()[0], channels, past}));
  for (int64_t row = 0; row < x.shape()[0] * channels; ++row) {
    const int64_t c = row % channels;
    // Position p counts from the oldest value of the state.
    const auto value = [&](int64_t p) {
      if (p >= past) return x.GetDouble(row * length + p - past);
      return in.has_input(kPast) ? in.input(kPast).GetDouble(row * past + p) : 0.0;
    };
    for (int64_t t = 0; t < length; ++t) {
      double sum = in.has_input(kBias) ? in.input(kBias).GetDouble(c) : 0;
      for (int64_t k = 0; k < taps; ++k) sum += w.GetDouble(c * taps + k) * value(t + k);
      y->SetDouble(row * length + t, swish ? sum / (1 + std::exp(-sum)) : sum);
    }
    for (int64_t p = 0; p < past; ++p) state->SetDouble(row * past + p, value(length + p));
  }
  return OkStatus();
}

}  // namespace

OpDef CausalConvWithStateOp() {
  return OpDef("CausalConvWithState")
      .Input("input")
      .Input("weight")
      .OptionalInput("bias")
      .OptionalInput("past_state")
      .Output("output")
      .Output("present_state")
      .DefaultAttr("activation", AttrKind::kString, std::string("none"),
                   "silu or swish: y sigmoid(y) of the sum.")
      .Doc("For input [N,C,L] and weight [C,1,k], the sum of k values up to each position of a "
           "channel, the k - 1 before the first from past_state [N,C,k-1] (zeros when absent). "
           "present_state: the last k - 1 values.")
      .Infer(InferCausalConv)
      .Reference(EvalCausalConv);
}

}  // namespace cairn
