// SPDX-License-Identifier: Apache-2.0
// RoiAlign: pools regions of an image into grids of fixed size, with interpolated samples.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/elements.h"

namespace cairn {
namespace {

constexpr int64_t kMaxSamples = int64_t{1} << 24;  ///< Of one cell.

struct RoiMode {
  bool half_pixel = true, maximum = false;
  int64_t height = 1, width = 1, sampling = 0;
  double scale = 1;
};

Result<RoiMode> ReadMode(const Node& node) {
  RoiMode mode;
  const std::string pixel = node.GetString("coordinate_transformation_mode", "half_pixel");
  const std::string pooling = node.GetString("mode", "avg");
  if (pixel != "half_pixel" && pixel != "output_half_pixel") {
    return Status(Code::kInvalidModel, StrCat("'coordinate_transformation_mode' is '", pixel,
                                              "', expected half_pixel or output_half_pixel"));
  }
  if (pooling != "avg" && pooling != "max") {
    return Status(Code::kInvalidModel, StrCat("'mode' is '", pooling, "', expected avg or max"));
  }
  mode.half_pixel = pixel == "half_pixel";
  mode.maximum = pooling == "max";
  mode.height = node.GetInt("output_height", 1);
  mode.width = node.GetInt("output_width", 1);
  mode.sampling = node.GetInt("sampling_ratio", 0);
  mode.scale = node.GetFloat("spatial_scale", 1);
  if (mode.height < 1 || mode.width < 1 || mode.sampling < 0 || mode.height > INT32_MAX ||
      mode.width > INT32_MAX || mode.sampling > INT32_MAX) {
    return Status(Code::kInvalidModel, "output size or sampling ratio is out of range");
  }
  return mode;
}

Status InferRoiAlign(InferContext& in) {
  ASSIGN_OR_RETURN(const RoiMode mode, ReadMode(in.node()));
  RETURN_IF_ERROR(RequireFloat(in, 0));
  RETURN_IF_ERROR(RequireRank(in, 0, 4));
  RETURN_IF_ERROR(RequireRank(in, 1, 2));
  RETURN_IF_ERROR(RequireRank(in, 2, 1));
  const Dim rois = in.dims(1) ? (*in.dims(1))[0] : in.dims(2) ? (*in.dims(2))[0] : in.NewSymbol();
  const Dim channels = in.dims(0) ? (*in.dims(0))[1] : in.NewSymbol();
  in.SetOutput(0,
               TensorType(in.type(0).dtype, {rois, channels, Dim(mode.height), Dim(mode.width)}));
  return OkStatus();
}

/// The four neighbours of a sampling point with their bilinear weights; weights 0 outside.
struct Corners {
  std::array<int64_t, 4> offsets{};
  std::array<double, 4> weights{};
};

/// One axis of a sampling point: lower and upper neighbour and the weight of the upper one.
struct AxisPoint {
  int64_t low = 0, high = 0;
  double upper = 0;
};

AxisPoint Locate(double position, int64_t length) {
  const double x = std::max(position, 0.0);
  AxisPoint point;
  point.low = static_cast<int64_t>(x);
  if (point.low >= length - 1) {
    point.low = point.high = length - 1;
  } else {
    point.high = point.low + 1;
    point.upper = x - static_cast<double>(point.low);
  }
  return point;
}

Corners Interpolate(double y, double x, int64_t height, int64_t width) {
  const bool inside =
      y >= -1 && y <= static_cast<double>(height) && x >= -1 && x <= static_cast<double>(width);
  if (!inside) return {};
  const AxisPoint v = Locate(y, height), u = Locate(x, width);
  return {{v.low * width + u.low, v.low * width + u.high, v.high * width + u.low,
           v.high * width + u.high},
          {(1 - v.upper) * (1 - u.upper), (1 - v.upper) * u.upper, v.upper * (1 - u.upper),
           v.upper * u.upper}};
}

/// One axis of a region: where it starts, the size of a bin, samples per bin.
struct RoiAxis {
  double start = 0, bin = 0;
  int64_t samples = 0;
  double At(int64_t cell, int64_t sample) const {
    return start + bin * (static_cast<double>(cell) +
                          (static_cast<double>(sample) + 0.5) / static_cast<double>(samples));
  }
};

RoiAxis MakeAxis(const RoiMode& mode, double begin, double end, int64_t cells) {
  const double offset = mode.half_pixel ? 0.5 : 0;
  RoiAxis axis;
  axis.start = begin * mode.scale - offset;
  double extent = (end * mode.scale - offset) - axis.start;
  if (!mode.half_pixel) extent = std::max(extent, 1.0);
  axis.bin = extent / static_cast<double>(cells);
  axis.samples = mode.sampling > 0
                     ? mode.sampling
                     : static_cast<int64_t>(std::ceil(std::clamp(axis.bin, 0.0, 1e6)));
  return axis;
}

/// Pools the samples of one cell. The maximum is over weighted neighbours, not over sums of them,
/// as in the operator's published cases.
double PoolCell(const RoiMode& mode, const std::vector<Corners>& points, const double* plane) {
  double sum = 0, best = 0;
  bool first = true;
  for (const Corners& point : points) {
    for (size_t k = 0; k < 4; ++k) {
      const double value = point.weights[k] * plane[point.offsets[k]];
      sum += value;
      best = first || value > best ? value : best;
      first = false;
    }
  }
  return mode.maximum ? best : sum / std::max<double>(1, static_cast<double>(points.size()));
}

Status CheckOperands(const EvalContext& in) {
  const Tensor &x = in.input(0), &rois = in.input(1), &batches = in.input(2);
  if (x.rank() != 4 || rois.rank() != 2 || rois.shape()[1] != 4 ||
      batches.num_elements() != rois.shape()[0] || x.shape()[2] < 1 || x.shape()[3] < 1) {
    return Status(Code::kInvalidArgument,
                  StrCat("X ", ShapeToString(x.shape()), ", rois ", ShapeToString(rois.shape()),
                         " and batch_indices ", ShapeToString(batches.shape()), " do not fit"));
  }
  for (int64_t i = 0; i < batches.num_elements(); ++i) {
    if (batches.GetInt(i) >= 0 && batches.GetInt(i) < x.shape()[0]) continue;
    return Status(Code::kInvalidArgument, StrCat("batch index ", batches.GetInt(i),
                                                 " is outside of a batch of ", x.shape()[0]));
  }
  return OkStatus();
}

Status EvalRoiAlign(EvalContext& in) {
  ASSIGN_OR_RETURN(const RoiMode mode, ReadMode(in.node()));
  RETURN_IF_ERROR(CheckOperands(in));
  const Tensor &x = in.input(0), &rois = in.input(1);
  const int64_t channels = x.shape()[1], height = x.shape()[2], width = x.shape()[3];
  ASSIGN_OR_RETURN(
      Tensor * y, in.NewOutput(0, x.dtype(), {rois.shape()[0], channels, mode.height, mode.width}));
  // Without channels, the cells of a large result would be walked for nothing.
  if (y->num_elements() == 0) return OkStatus();
  const std::vector<double> values = ToDoubles(x);
  std::vector<Corners> points;
  for (int64_t r = 0; r < rois.shape()[0]; ++r) {
    const RoiAxis u = MakeAxis(mode, rois.GetDouble(4 * r), rois.GetDouble(4 * r + 2), mode.width);
    const RoiAxis v =
        MakeAxis(mode, rois.GetDouble(4 * r + 1), rois.GetDouble(4 * r + 3), mode.height);
    if (std::max(u.samples, v.samples) > kMaxSamples || u.samples * v.samples > kMaxSamples) {
      return Status(Code::kInvalidArgument,
                    StrCat("region ", r, " asks for ", u.samples, " x ", v.samples,
                           " samples per cell, at most ", kMaxSamples, " are computed"));
    }
    for (int64_t cell = 0; cell < mode.height * mode.width; ++cell) {
      points.clear();
      for (int64_t i = 0; i < v.samples; ++i) {
        for (int64_t j = 0; j < u.samples; ++j) {
          points.push_back(
              Interpolate(v.At(cell / mode.width, i), u.At(cell % mode.width, j), height, width));
        }
      }
      for (int64_t c = 0; c < channels; ++c) {
        const int64_t plane = in.input(2).GetInt(r) * channels + c;
        y->SetDouble((r * channels + c) * mode.height * mode.width + cell,
                     PoolCell(mode, points, values.data() + plane * height * width));
      }
    }
  }
  return OkStatus();
}

}  // namespace

OpDef RoiAlignOp() {
  return OpDef("RoiAlign")
      .Input("X")
      .Input("rois")
      .Input("batch_indices")
      .Output("Y")
      .DefaultAttr(
          "coordinate_transformation_mode", AttrKind::kString, std::string("half_pixel"),
          "half_pixel: regions are shifted by -0.5; output_half_pixel: they are not, and have "
          "at least size 1.")
      .DefaultAttr("mode", AttrKind::kString, std::string("avg"),
                   "avg, or max over the weighted neighbours of all samples.")
      .DefaultAttr("output_height", AttrKind::kInt, int64_t{1}, "Cells of a region, vertically.")
      .DefaultAttr("output_width", AttrKind::kInt, int64_t{1}, "Cells of a region, horizontally.")
      .DefaultAttr("sampling_ratio", AttrKind::kInt, int64_t{0},
                   "Samples per cell and axis; 0: the size of the cell, rounded up.")
      .DefaultAttr("spatial_scale", AttrKind::kFloat, 1.f, "Factor from regions to X.")
      .Doc(
          "Y[r, c] pools the region rois[r] = (x1, y1, x2, y2) of X[batch_indices[r], c] in a grid "
          "of "
          "cells; each cell samples X bilinearly at regular points.")
      .Infer(InferRoiAlign)
      .Reference(EvalRoiAlign);
}

}  // namespace cairn
