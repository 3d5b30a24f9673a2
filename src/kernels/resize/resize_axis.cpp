// SPDX-License-Identifier: Apache-2.0
// Coordinates, taps and weights of one resized axis.
#include <algorithm>
#include <cmath>

#include "kernels/resize/resize.h"

namespace cairn::kernels {
namespace {

double Coordinate(const ResizeAxisSpec& s, int64_t i) {
  const auto in = static_cast<double>(s.in), out = static_cast<double>(s.out);
  const auto x = static_cast<double>(i);
  switch (s.coordinates) {
    case ResizeCoordinates::kHalfPixel:
      return (x + 0.5) / s.scale - 0.5;
    case ResizeCoordinates::kHalfPixelSymmetric: {
      const double adjustment = out / (s.scale * in);
      return in / 2 * (1 - adjustment) + (x + 0.5) / s.scale - 0.5;
    }
    case ResizeCoordinates::kPytorchHalfPixel:
      return s.out > 1 ? (x + 0.5) / s.scale - 0.5 : 0;
    case ResizeCoordinates::kAlignCorners:
      return s.out > 1 ? x * (in - 1) / (out - 1) : 0;
    case ResizeCoordinates::kAsymmetric:
      return x / s.scale;
    case ResizeCoordinates::kTfHalfPixelForNn:
      return (x + 0.5) / s.scale;
    case ResizeCoordinates::kTfCropAndResize:
      if (s.out == 1) return 0.5 * (s.roi_start + s.roi_end) * (in - 1);
      return s.roi_start * (in - 1) + x * (s.roi_end - s.roi_start) * (in - 1) / (out - 1);
  }
  return 0;
}

int64_t NearestIndex(ResizeNearest nearest, double x) {
  switch (nearest) {
    case ResizeNearest::kRoundPreferFloor:
      return static_cast<int64_t>(std::ceil(x - 0.5));
    case ResizeNearest::kRoundPreferCeil:
      return static_cast<int64_t>(std::floor(x + 0.5));
    case ResizeNearest::kFloor:
      return static_cast<int64_t>(std::floor(x));
    case ResizeNearest::kCeil:
      return static_cast<int64_t>(std::ceil(x));
  }
  return 0;
}

// The interpolation kernel at distance t: hat, or Keys' cubic with coefficient a.
double Kernel(const ResizeAxisSpec& s, double t) {
  t = std::abs(t);
  if (s.mode == ResizeMode::kLinear) return std::max(0.0, 1 - t);
  const double a = s.cubic_coefficient;
  if (t <= 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
  return t < 2 ? ((a * t - 5 * a) * t + 8 * a) * t - 4 * a : 0;
}

}  // namespace

ResizeAxis MakeResizeAxis(const ResizeAxisSpec& given) {
  ResizeAxisSpec s = given;
  const bool shifts = s.coordinates == ResizeCoordinates::kTfHalfPixelForNn ||
                      s.coordinates == ResizeCoordinates::kTfCropAndResize;
  // Every output lies on its input: one tap.
  if (s.in == s.out && s.scale == 1 && !shifts) s.mode = ResizeMode::kNearest;
  ResizeAxis axis;
  axis.in = s.in;
  axis.out = s.out;
  const double stretch = s.antialias ? std::min(s.scale, 1.0) : 1.0;
  const int64_t support = s.mode == ResizeMode::kCubic ? 2 : 1;
  // The first tap relative to floor(x); the last is its mirror image.
  const auto first = static_cast<int64_t>(std::floor(-static_cast<double>(support) / stretch)) + 1;
  axis.taps = s.mode == ResizeMode::kNearest ? 1 : static_cast<int32_t>(2 - 2 * first);
  axis.index.resize(axis.taps * s.out);
  axis.weight.resize(axis.taps * s.out);
  std::vector<double> weights(axis.taps);
  for (int64_t i = 0; i < s.out; ++i) {
    const double x = Coordinate(s, i);
    const bool outside = x < 0 || x > static_cast<double>(s.in - 1);
    if (s.coordinates == ResizeCoordinates::kTfCropAndResize && outside) {
      for (int k = 0; k < axis.taps; ++k) axis.index[k * s.out + i] = -1;
      continue;
    }
    if (s.mode == ResizeMode::kNearest) {
      const int64_t at = std::clamp<int64_t>(NearestIndex(s.nearest, x), 0, s.in - 1);
      axis.index[i] = static_cast<int32_t>(at);
      axis.weight[i] = 1;
      continue;
    }
    const double base = std::floor(x);
    double sum = 0;
    for (int k = 0; k < axis.taps; ++k) {
      const int64_t at = static_cast<int64_t>(base) + first + k;
      weights[k] = Kernel(s, (static_cast<double>(first + k) - (x - base)) * stretch);
      if (s.exclude_outside && (at < 0 || at >= s.in)) weights[k] = 0;
      sum += weights[k];
      axis.index[k * s.out + i] = static_cast<int32_t>(std::clamp<int64_t>(at, 0, s.in - 1));
    }
    const bool rescale = s.exclude_outside || stretch < 1;
    for (int k = 0; k < axis.taps; ++k) {
      axis.weight[k * s.out + i] = static_cast<float>(rescale ? weights[k] / sum : weights[k]);
    }
  }
  return axis;
}

}  // namespace cairn::kernels
