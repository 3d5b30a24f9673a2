// SPDX-License-Identifier: Apache-2.0
// Resampling along one axis: which input elements an output element is made of.
#include "ops/nn/resize_axis.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cairn {
namespace {

template <class Enum>
struct Choice {
  const char* name;
  Enum value;
};

template <class Enum, size_t N>
Status Choose(const Node& node, const char* attribute, const Choice<Enum> (&choices)[N],
              Enum& result) {
  const std::string text = node.GetString(attribute, choices[0].name);
  const auto* it = std::find_if(std::begin(choices), std::end(choices),
                                [&](const auto& choice) { return text == choice.name; });
  if (it == std::end(choices)) {
    std::vector<std::string> names;
    for (const auto& choice : choices) names.emplace_back(choice.name);
    return Status(Code::kInvalidModel, StrCat("'", attribute, "' is '", text, "', expected one of ",
                                              StrJoin(names, ", ")));
  }
  result = it->value;
  return OkStatus();
}

/// Place of output element `x` in the input. Aligned corners take the length of the resized axis
/// before it is rounded to an integer, as the operator's published cases do.
double SourceOf(CoordinateMode mode, const ResizeAxis& axis, int64_t x) {
  const double in = static_cast<double>(axis.in), position = static_cast<double>(x);
  const double resized = axis.scale * in;
  switch (mode) {
    case CoordinateMode::kAlignCorners:
      return resized == 1 ? 0 : position * (in - 1) / (resized - 1);
    case CoordinateMode::kAsymmetric:
      return position / axis.scale;
    case CoordinateMode::kTfCropAndResize: {
      const double extent = (axis.end - axis.begin) * (in - 1);
      const auto last = static_cast<double>(axis.out - 1);
      return axis.begin * (in - 1) + (axis.out > 1 ? position * extent / last : extent / 2);
    }
    case CoordinateMode::kPytorchHalfPixel:
      return axis.out > 1 ? (position + 0.5) / axis.scale - 0.5 : 0;
    case CoordinateMode::kHalfPixelSymmetric:
      return in / 2 * (1 - static_cast<double>(axis.out) / resized) +
             (position + 0.5) / axis.scale - 0.5;
    case CoordinateMode::kTfHalfPixelForNn:
      return (position + 0.5) / axis.scale;
    case CoordinateMode::kHalfPixel:
      break;
  }
  return (position + 0.5) / axis.scale - 0.5;
}

int64_t Nearest(NearestMode mode, double source) {
  const double below = std::floor(source);
  const double rest = source - below;
  bool up = false;
  switch (mode) {
    case NearestMode::kRoundPreferFloor:
      up = rest > 0.5;
      break;
    case NearestMode::kRoundPreferCeil:
      up = rest >= 0.5;
      break;
    case NearestMode::kFloor:
      break;
    case NearestMode::kCeil:
      up = rest > 0;
      break;
  }
  return static_cast<int64_t>(below) + (up ? 1 : 0);
}

/// Keys' cubic convolution kernel.
double CubicKernel(double distance, double a) {
  const double x = std::fabs(distance);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

double LinearKernel(double distance) { return std::max(0.0, 1 - std::fabs(distance)); }

Resample Interpolate(const ResizeMode& mode, const ResizeAxis& axis, double source) {
  // A source on an element counts as its right end: ratio in (0, 1].
  double below = std::floor(source);
  if (below == source) below -= 1;
  const double ratio = source - below;
  // The kernel is stretched when an antialiased axis shrinks.
  const double stretch = mode.antialias ? std::min(axis.scale, 1.0) : 1.0;
  const double support = mode.interpolation == Interpolation::kCubic ? 2 : 1;
  const auto first = static_cast<int64_t>(std::floor(-support / stretch)) + 1;
  Resample result;
  double sum = 0;
  for (int64_t k = first; k < 2 - first; ++k) {
    const double distance = (static_cast<double>(k) - ratio) * stretch;
    double weight = mode.interpolation == Interpolation::kCubic
                        ? CubicKernel(distance, mode.cubic_a)
                        : LinearKernel(distance);
    const int64_t position = static_cast<int64_t>(below) + k;
    if (mode.exclude_outside && (position < 0 || position >= axis.in)) weight = 0;
    result.positions.push_back(std::clamp<int64_t>(position, 0, axis.in - 1));
    result.weights.push_back(weight);
    sum += weight;
  }
  if (mode.antialias || mode.exclude_outside) {
    for (double& weight : result.weights) weight /= sum;
  }
  return result;
}

}  // namespace

Result<ResizeMode> ReadResizeMode(const Node& node) {
  static constexpr Choice<Interpolation> kInterpolations[] = {{"nearest", Interpolation::kNearest},
                                                              {"linear", Interpolation::kLinear},
                                                              {"cubic", Interpolation::kCubic}};
  static constexpr Choice<CoordinateMode> kCoordinates[] = {
      {"half_pixel", CoordinateMode::kHalfPixel},
      {"half_pixel_symmetric", CoordinateMode::kHalfPixelSymmetric},
      {"pytorch_half_pixel", CoordinateMode::kPytorchHalfPixel},
      {"align_corners", CoordinateMode::kAlignCorners},
      {"asymmetric", CoordinateMode::kAsymmetric},
      {"tf_crop_and_resize", CoordinateMode::kTfCropAndResize},
      {"tf_half_pixel_for_nn", CoordinateMode::kTfHalfPixelForNn}};
  static constexpr Choice<NearestMode> kNearest[] = {
      {"round_prefer_floor", NearestMode::kRoundPreferFloor},
      {"round_prefer_ceil", NearestMode::kRoundPreferCeil},
      {"floor", NearestMode::kFloor},
      {"ceil", NearestMode::kCeil}};
  static constexpr Choice<AspectPolicy> kPolicies[] = {{"stretch", AspectPolicy::kStretch},
                                                       {"not_larger", AspectPolicy::kNotLarger},
                                                       {"not_smaller", AspectPolicy::kNotSmaller}};
  ResizeMode mode;
  RETURN_IF_ERROR(Choose(node, "mode", kInterpolations, mode.interpolation));
  RETURN_IF_ERROR(Choose(node, "coordinate_transformation_mode", kCoordinates, mode.coordinates));
  RETURN_IF_ERROR(Choose(node, "nearest_mode", kNearest, mode.nearest));
  RETURN_IF_ERROR(Choose(node, "keep_aspect_ratio_policy", kPolicies, mode.policy));
  mode.antialias = node.GetInt("antialias", 0) != 0;
  mode.exclude_outside = node.GetInt("exclude_outside", 0) != 0;
  mode.cubic_a = node.GetFloat("cubic_coeff_a", -0.75f);
  mode.extrapolation = node.GetFloat("extrapolation_value", 0);
  if (mode.antialias && mode.interpolation == Interpolation::kNearest) {
    return Status(Code::kInvalidModel,
                  "'antialias' is 1 in mode nearest, expected linear or cubic");
  }
  return mode;
}

std::vector<Resample> ResampleAxis(const ResizeMode& mode, const ResizeAxis& axis) {
  std::vector<Resample> result;
  result.reserve(static_cast<size_t>(axis.out));
  for (int64_t x = 0; x < axis.out; ++x) {
    const double source = SourceOf(mode.coordinates, axis, x);
    if (mode.coordinates == CoordinateMode::kTfCropAndResize &&
        (source < 0 || source > static_cast<double>(axis.in - 1))) {
      result.push_back({{0}, {0.0}, true});
    } else if (mode.interpolation == Interpolation::kNearest) {
      const int64_t position = Nearest(mode.nearest, source);
      result.push_back({{std::clamp<int64_t>(position, 0, axis.in - 1)}, {1.0}, false});
    } else {
      result.push_back(Interpolate(mode, axis, source));
    }
  }
  return result;
}

}  // namespace cairn
