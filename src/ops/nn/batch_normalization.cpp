// SPDX-License-Identifier: Apache-2.0
// BatchNormalization with given statistics.
#include <cmath>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

const char* const kNames[] = {"X", "scale", "B", "input_mean", "input_var"};

Status InferBatchNormalization(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  const Dims* x = in.dims(0);
  for (size_t i = 1; i < 5; ++i) {
    RETURN_IF_ERROR(RequireFloat(in, i));
    RETURN_IF_ERROR(RequireRank(in, i, 1));
    const Dims* parameter = in.dims(i);
    if (!x || !parameter) continue;
    const Dim channels = x->size() > 1 ? (*x)[1] : Dim(1);
    const Dim& given = (*parameter)[0];
    if (channels.is_const() && given.is_const() && !(channels == given)) {
      return Status(Code::kInvalidModel, StrCat("'", kNames[i], "' has ", given,
                                                " elements, the input ", channels, " channels"));
    }
  }
  in.SetOutput(0, in.type(0));
  return OkStatus();
}

Status EvalBatchNormalization(EvalContext& in) {
  const Tensor& x = in.input(0);
  const Shape& shape = x.shape();
  const int64_t channels = shape.size() > 1 ? shape[1] : 1;
  const int64_t inner = shape.size() > 2 ? ProductOf(shape, 2, shape.size()) : 1;
  std::vector<double> parameters[5];
  for (size_t i = 1; i < 5; ++i) {
    if (in.input(i).num_elements() != channels) {
      return Status(Code::kInvalidArgument,
                    StrCat("'", kNames[i], "' has ", in.input(i).num_elements(),
                           " elements, expected ", channels));
    }
    parameters[i] = ToDoubles(in.input(i));
  }
  const double epsilon = in.node().GetFloat("epsilon", 1e-5f);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    const auto c = static_cast<size_t>(i / inner % channels);
    const double normalized =
        (x.GetDouble(i) - parameters[3][c]) / std::sqrt(parameters[4][c] + epsilon);
    y->SetDouble(i, normalized * parameters[1][c] + parameters[2][c]);
  }
  return OkStatus();
}

}  // namespace

OpDef BatchNormalizationOp() {
  return OpDef("BatchNormalization")
      .Input("X")
      .Input("scale")
      .Input("B")
      .Input("input_mean")
      .Input("input_var")
      .Output("Y")
      .DefaultAttr("epsilon", AttrKind::kFloat, 1e-5f, "Added to the variance.")
      .Doc(
          "Y = (X - mean) / sqrt(var + epsilon) * scale + B, per channel of X [N, C, ...]. The "
          "statistics are given: nothing is learned.")
      .Infer(InferBatchNormalization)
      .Reference(EvalBatchNormalization);
}

}  // namespace cairn
