// SPDX-License-Identifier: Apache-2.0
// Clip: limits values to [min, max].
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

Status InferClip(InferContext& in) {
  for (size_t i = 1; i < in.num_inputs(); ++i) {
    if (!in.has_input(i)) continue;
    RETURN_IF_ERROR(RequireSameDtype(in, 0, i));
    // onnx:Clip min and max are scalars; [1] is common in the wild.
    if (in.dims(i) && !in.dims(i)->empty() && !(ProductOf(*in.dims(i)) == Dim(1)) &&
        ProductOf(*in.dims(i)).is_const()) {
      return Status(Code::kInvalidModel,
                    StrCat("input ", i, " is ", in.type(i).ToString(), ", expected a scalar"));
    }
  }
  return InferSameAsFirst(in);
}

template <class T>
T Limit(T x, std::optional<T> low, std::optional<T> high) {
  // onnx:Clip NaN propagates; min above max gives max.
  if (low && x < *low) x = *low;
  if (high && x > *high) x = *high;
  return x;
}

Status EvalClip(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), x.shape()));
  return DispatchArithmetic(x.dtype(), [&]<class T>(T) {
    std::optional<T> low, high;
    if (in.has_input(1)) low = GetAs<T>(in.input(1), 0);
    if (in.has_input(2)) high = GetAs<T>(in.input(2), 0);
    for (int64_t i = 0; i < x.num_elements(); ++i) {
      SetAs<T>(*y, i, Limit<T>(GetAs<T>(x, i), low, high));
    }
    return OkStatus();
  });
}

}  // namespace

OpDef ClipOp() {
  return OpDef("Clip")
      .Input("input")
      .OptionalInput("min")
      .OptionalInput("max")
      .Output("output")
      .Doc(
          "Limits x to [min, max]; an absent bound does not limit; NaN stays NaN; max wins when it "
          "is below min.")
      .Infer(InferClip)
      .Reference(EvalClip)
      .Traits(kPure | kElementwise);
}

}  // namespace cairn
