// SPDX-License-Identifier: Apache-2.0
// Resampling along one axis: which input elements an output element is made of.
#pragma once

#include <string>
#include <vector>

#include "ir/graph.h"

namespace cairn {

enum class Interpolation : uint8_t { kNearest, kLinear, kCubic };
enum class CoordinateMode : uint8_t {
  kHalfPixel,
  kHalfPixelSymmetric,
  kPytorchHalfPixel,
  kAlignCorners,
  kAsymmetric,
  kTfCropAndResize,
  kTfHalfPixelForNn
};
enum class NearestMode : uint8_t { kRoundPreferFloor, kRoundPreferCeil, kFloor, kCeil };
enum class AspectPolicy : uint8_t { kStretch, kNotLarger, kNotSmaller };

/// The attributes of Resize.
struct ResizeMode {
  Interpolation interpolation = Interpolation::kNearest;
  CoordinateMode coordinates = CoordinateMode::kHalfPixel;
  NearestMode nearest = NearestMode::kRoundPreferFloor;
  AspectPolicy policy = AspectPolicy::kStretch;
  bool antialias = false, exclude_outside = false;
  double cubic_a = -0.75, extrapolation = 0;
};
Result<ResizeMode> ReadResizeMode(const Node& node);

/// One axis: `out` elements made of `in`, with `scale` = out / in as the model states it. `begin`
/// and `end` are the region of interest, as fractions of the axis.
struct ResizeAxis {
  int64_t in = 0, out = 0;
  double scale = 1, begin = 0, end = 1;
  /// True when the axis passes through unchanged.
  bool IsIdentity() const { return in == out && scale == 1 && begin == 0 && end == 1; }
};

/// Input positions and weights of one output element; positions are inside the input.
struct Resample {
  std::vector<int64_t> positions;
  std::vector<double> weights;
  bool extrapolated = false;  ///< The region of interest leads out of the input here.
};
/// For every output element of the axis; kNearest gives one position of weight 1.
std::vector<Resample> ResampleAxis(const ResizeMode& mode, const ResizeAxis& axis);

}  // namespace cairn
