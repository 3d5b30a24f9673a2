// SPDX-License-Identifier: Apache-2.0
// MaxRoiPool: maxima over a grid of bins in each region of interest.
#include <algorithm>
#include <cmath>

#include "ops/elements.h"

namespace cairn {
namespace {

Status InferMaxRoiPool(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  RETURN_IF_ERROR(RequireSameDtype(in, 0, 1));
  RETURN_IF_ERROR(RequireRank(in, 0, 4));
  RETURN_IF_ERROR(RequireRank(in, 1, 2));
  const Ints pooled = in.node().GetInts("pooled_shape");
  if (pooled.size() != 2 || pooled[0] < 1 || pooled[1] < 1) {
    return Status(Code::kInvalidModel,
                  StrCat("pooled_shape is [", StrJoin(pooled), "], expected two positive sizes"));
  }
  in.SetOutput(0, TensorType(in.type(0).dtype,
                             {in.dims(1) ? (*in.dims(1))[0] : in.NewSymbol(),
                              in.dims(0) ? (*in.dims(0))[1] : in.NewSymbol(), Dim(pooled[0]),
                              Dim(pooled[1])}));
  return OkStatus();
}

/// Pixels [begin, end) of bin `index` of `count` in a region that starts at `first`.
struct Span {
  int64_t begin, end;
};
Span BinSpan(int64_t first, int64_t size, int64_t index, int64_t count, int64_t limit) {
  const double step = static_cast<double>(size) / static_cast<double>(count);
  const auto begin = static_cast<int64_t>(std::floor(static_cast<double>(index) * step)) + first;
  const auto end = static_cast<int64_t>(std::ceil(static_cast<double>(index + 1) * step)) + first;
  return {std::clamp<int64_t>(begin, 0, limit), std::clamp<int64_t>(end, 0, limit)};
}

Status EvalMaxRoiPool(EvalContext& in) {
  const Tensor &x = in.input(0), &rois = in.input(1);
  const Ints pooled = in.node().GetInts("pooled_shape");
  const double scale = in.node().GetFloat("spatial_scale", 1);
  if (rois.shape()[1] != 5) {
    return Status(Code::kInvalidArgument,
                  StrCat("the regions are ", rois.TypeToString(), ", expected [n,5]"));
  }
  const int64_t channels = x.shape()[1], height = x.shape()[2], width = x.shape()[3];
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), {rois.shape()[0], channels, pooled[0],
                                                           pooled[1]}));
  int64_t to = 0;
  for (int64_t r = 0; r < rois.shape()[0]; ++r) {
    const auto corner = [&](int64_t k) {
      constexpr double kFar = 1e9;
      const double at = std::round(rois.GetDouble(r * 5 + k) * scale);
      return static_cast<int64_t>(std::isnan(at) ? 0 : std::clamp(at, -kFar, kFar));
    };
    const double batch = rois.GetDouble(r * 5);
    if (!(batch >= 0 && batch < static_cast<double>(x.shape()[0]))) {
      return Status(Code::kInvalidArgument,
                    StrCat("region ", r, " is of image ", batch, " of ", x.shape()[0]));
    }
    const int64_t left = corner(1), top = corner(2);
    const int64_t w = std::max<int64_t>(corner(3) - left + 1, 1);
    const int64_t h = std::max<int64_t>(corner(4) - top + 1, 1);
    for (int64_t c = 0; c < channels; ++c) {
      const int64_t plane = (static_cast<int64_t>(batch) * channels + c) * height * width;
      for (int64_t bin = 0; bin < pooled[0] * pooled[1]; ++bin, ++to) {
        const Span rows = BinSpan(top, h, bin / pooled[1], pooled[0], height);
        const Span cols = BinSpan(left, w, bin % pooled[1], pooled[1], width);
        const bool empty = rows.begin >= rows.end || cols.begin >= cols.end;
        double largest = empty ? 0 : -HUGE_VAL;
        for (int64_t i = rows.begin; i < rows.end; ++i) {
          for (int64_t j = cols.begin; j < cols.end; ++j) {
            largest = std::max(largest, x.GetDouble(plane + i * width + j));
          }
        }
        y->SetDouble(to, largest);
      }
    }
  }
  return OkStatus();
}

}  // namespace

OpDef MaxRoiPoolOp() {
  return OpDef("MaxRoiPool")
      .Input("X")
      .Input("rois")
      .Output("Y")
      .Attr("pooled_shape", AttrKind::kInts, "Height and width of the result.")
      .DefaultAttr("spatial_scale", AttrKind::kFloat, 1.0f, "From region to pixel coordinates.")
      .Doc("For each region [image, x1, y1, x2, y2] with corners rounded to pixels, the maxima of X "
           "[N,C,H,W] over pooled_shape bins; 0 for a bin outside of the image.")
      .Infer(InferMaxRoiPool)
      .Reference(EvalMaxRoiPool);
}

}  // namespace cairn
