// SPDX-License-Identifier: Apache-2.0
// GridSample: samples an image at normalised positions.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

enum class Sampling : uint8_t { kNearest, kLinear, kCubic };
enum class Padding : uint8_t { kZeros, kBorder, kReflection };

struct SampleMode {
  Sampling sampling = Sampling::kLinear;
  Padding padding = Padding::kZeros;
  bool align_corners = false;
};

Result<SampleMode> ReadMode(const Node& node) {
  SampleMode mode;
  const std::string sampling = node.GetString("mode", "linear");
  const std::string padding = node.GetString("padding_mode", "zeros");
  if (sampling == "nearest")
    mode.sampling = Sampling::kNearest;
  else if (sampling == "cubic")
    mode.sampling = Sampling::kCubic;
  else if (sampling != "linear") {
    return Status(Code::kInvalidModel,
                  StrCat("'mode' is '", sampling, "', expected nearest, linear or cubic"));
  }
  if (padding == "border")
    mode.padding = Padding::kBorder;
  else if (padding == "reflection")
    mode.padding = Padding::kReflection;
  else if (padding != "zeros") {
    return Status(Code::kInvalidModel, StrCat("'padding_mode' is '", padding,
                                              "', expected zeros, border or reflection"));
  }
  mode.align_corners = node.GetInt("align_corners", 0) != 0;
  return mode;
}

Status InferGridSample(InferContext& in) {
  RETURN_IF_ERROR(ReadMode(in.node()).status());
  RETURN_IF_ERROR(RequireFloat(in, 1));
  const Dims *x = in.dims(0), *grid = in.dims(1);
  if (!x || !grid) {
    in.SetOutput(0, TensorType(in.type(0).dtype));
    return OkStatus();
  }
  const auto spatial = static_cast<int64_t>(x->size()) - 2;
  if (spatial < 1 || grid->size() != x->size() ||
      (grid->back().is_const() && grid->back().value() != spatial)) {
    return Status(Code::kInvalidModel,
                  StrCat("X is ", DimsToString(*x), ", the grid ", DimsToString(*grid),
                         ", expected [N, C, spatial] and [N, sizes, rank - 2]"));
  }
  Dims dims = {(*x)[0], (*x)[1]};
  dims.insert(dims.end(), grid->begin() + 1, grid->end() - 1);
  in.SetOutput(0, TensorType(in.type(0).dtype, std::move(dims)));
  return OkStatus();
}

/// Reflects `x` by the borders until it lies between them.
double Reflect(double x, double low, double high) {
  const double range = high - low;
  if (range <= 0 || !std::isfinite(x)) return low;
  const double beyond = x < low ? low - x : x - high;
  if (beyond <= 0) return x;
  const double turns = std::floor(beyond / range);
  const double rest = beyond - turns * range;
  const bool from_low = (std::fmod(turns, 2) == 0) == (x < low);
  return from_low ? low + rest : high - rest;
}

std::array<double, 4> CubicWeights(double t) {
  constexpr double kA = -0.75;
  const auto outer = [](double x) { return ((kA * x - 5 * kA) * x + 8 * kA) * x - 4 * kA; };
  const auto inner = [](double x) { return ((kA + 2) * x - (kA + 3)) * x * x + 1; };
  return {outer(t + 1), inner(t), inner(1 - t), outer(2 - t)};
}

/// Positions and weights along one axis; position -1 stands for a zero.
struct Taps {
  std::vector<int64_t> positions;
  std::vector<double> weights;
};

class AxisSampler {
 public:
  AxisSampler(const SampleMode& mode, int64_t length) : mode_(mode), length_(length) {
    low_ = mode.align_corners ? 0 : -0.5;
    high_ = static_cast<double>(length) - (mode.align_corners ? 1 : 0.5);
  }

  Taps Sample(double normalized) const {
    const double n = static_cast<double>(length_);
    double x =
        mode_.align_corners ? (normalized + 1) / 2 * (n - 1) : ((normalized + 1) * n - 1) / 2;
    if (mode_.sampling == Sampling::kNearest) x = std::nearbyint(x);
    if (!(x >= low_ && x <= high_)) {
      if (mode_.padding == Padding::kBorder) x = std::clamp(x, 0.0, n - 1);
      if (mode_.padding == Padding::kReflection) x = Reflect(x, low_, high_);
    }
    // Far beyond the border everything is outside; NaN too.
    if (!(std::fabs(x) < 1e15)) return {{-1}, {1.0}};
    const double below = std::floor(x);
    const auto first = static_cast<int64_t>(below);
    switch (mode_.sampling) {
      case Sampling::kNearest:
        return {{Place(first)}, {1.0}};
      case Sampling::kLinear:
        return {{Place(first), Place(first + 1)}, {1 - (x - below), x - below}};
      case Sampling::kCubic:
        break;
    }
    const auto weights = CubicWeights(x - below);
    return {{Place(first - 1), Place(first), Place(first + 1), Place(first + 2)},
            {weights.begin(), weights.end()}};
  }

 private:
  int64_t Place(int64_t i) const {
    if (i >= 0 && i < length_) return i;
    if (mode_.padding == Padding::kZeros) return -1;
    if (mode_.padding == Padding::kBorder) return std::clamp<int64_t>(i, 0, length_ - 1);
    const double reflected = Reflect(static_cast<double>(i), low_, high_);
    return std::clamp<int64_t>(static_cast<int64_t>(reflected), 0, length_ - 1);
  }

  SampleMode mode_;
  int64_t length_;
  double low_ = 0, high_ = 0;
};

/// Offsets into a plane and their weights, over all axes.
struct Samples {
  std::vector<int64_t> offsets;
  std::vector<double> weights;
};

Samples Combine(const std::vector<Taps>& axes, const Shape& spatial) {
  Samples result{{0}, {1.0}};
  for (size_t d = 0; d < axes.size(); ++d) {
    Samples next;
    for (size_t i = 0; i < result.offsets.size(); ++i) {
      for (size_t k = 0; k < axes[d].positions.size(); ++k) {
        const int64_t position = axes[d].positions[k];
        if (position < 0) continue;
        next.offsets.push_back(result.offsets[i] * spatial[d] + position);
        next.weights.push_back(result.weights[i] * axes[d].weights[k]);
      }
    }
    result = std::move(next);
  }
  return result;
}

void StoreSample(const Tensor& x, int64_t plane, const Samples& samples, bool nearest, int64_t i,
                 Tensor& y) {
  if (nearest) {
    if (!samples.offsets.empty()) CopyElement(x, plane + samples.offsets[0], y, i);
    return;
  }
  double sum = 0;
  for (size_t k = 0; k < samples.offsets.size(); ++k) {
    sum += samples.weights[k] * x.GetDouble(plane + samples.offsets[k]);
  }
  y.SetDouble(i, IsFloat(y.dtype()) ? sum : std::trunc(sum));
}

Status EvalGridSample(EvalContext& in) {
  const Tensor &x = in.input(0), &grid = in.input(1);
  ASSIGN_OR_RETURN(const SampleMode mode, ReadMode(in.node()));
  const Shape spatial(x.shape().begin() + 2, x.shape().end());
  const auto rank = static_cast<int64_t>(spatial.size());
  if (grid.rank() != x.rank() || grid.shape().back() != rank || grid.shape()[0] != x.shape()[0]) {
    return Status(Code::kInvalidArgument, StrCat("X ", ShapeToString(x.shape()), " and grid ",
                                                 ShapeToString(grid.shape()), " do not fit"));
  }
  Shape shape = {x.shape()[0], x.shape()[1]};
  shape.insert(shape.end(), grid.shape().begin() + 1, grid.shape().end() - 1);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  const int64_t out_plane = ProductOf(shape, 2, shape.size());
  const int64_t in_plane = ProductOf(spatial, 0, spatial.size());
  if (y->num_elements() == 0 || in_plane == 0) return OkStatus();
  std::vector<AxisSampler> samplers;
  for (const int64_t length : spatial) samplers.emplace_back(mode, length);
  std::vector<Taps> taps(spatial.size());
  for (int64_t n = 0; n < shape[0]; ++n) {
    for (int64_t p = 0; p < out_plane; ++p) {
      // The grid names the last axis first.
      const int64_t at = ((n * out_plane) + p) * rank;
      for (int64_t d = 0; d < rank; ++d) {
        const auto axis = static_cast<size_t>(d);
        taps[axis] = samplers[axis].Sample(grid.GetDouble(at + rank - 1 - d));
      }
      const Samples samples = Combine(taps, spatial);
      for (int64_t c = 0; c < shape[1]; ++c) {
        const int64_t plane = n * shape[1] + c;
        StoreSample(x, plane * in_plane, samples, mode.sampling == Sampling::kNearest,
                    plane * out_plane + p, *y);
      }
    }
  }
  return OkStatus();
}

}  // namespace

OpDef GridSampleOp() {
  return OpDef("GridSample")
      .Input("X")
      .Input("grid")
      .Output("Y")
      .DefaultAttr(
          "align_corners", AttrKind::kInt, int64_t{0},
          "What -1 and 1 are along an axis: 1 the centres of the outermost elements, 0 their "
          "outer edges.")
      .DefaultAttr("mode", AttrKind::kString, std::string("linear"),
                   "nearest (halves to even), linear or cubic (a = -0.75).")
      .DefaultAttr("padding_mode", AttrKind::kString, std::string("zeros"),
                   "What lies outside: zeros, border (repeated) or reflection.")
      .Doc(
          "Y[n, c, p...] = X[n, c] sampled at grid[n, p...], a vector of positions in [-1, 1], "
          "last "
          "spatial axis first.")
      .Infer(InferGridSample)
      .Reference(EvalGridSample);
}

}  // namespace cairn
