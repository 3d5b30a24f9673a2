// SPDX-License-Identifier: Apache-2.0
// Resampling of up to three axes by nearest, linear or cubic interpolation, through tables per
// axis.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/isa.h"
#include "kernels/part.h"

namespace cairn::kernels {

enum class ResizeMode : uint8_t { kNearest = 0, kLinear = 1, kCubic = 2 };

/// Where output index i lies in the input; names and formulas of the ONNX operator Resize.
enum class ResizeCoordinates : uint8_t {
  kHalfPixel = 0,
  kHalfPixelSymmetric = 1,
  kPytorchHalfPixel = 2,
  kAlignCorners = 3,
  kAsymmetric = 4,
  kTfHalfPixelForNn = 5,
  kTfCropAndResize = 6,
};

enum class ResizeNearest : uint8_t {
  kRoundPreferFloor = 0,
  kRoundPreferCeil = 1,
  kFloor = 2,
  kCeil = 3,
};

struct ResizeAxisSpec {
  int64_t in, out;
  double scale;  ///< As given, or out / in.
  ResizeMode mode;
  ResizeCoordinates coordinates;
  ResizeNearest nearest;      ///< kNearest only.
  double cubic_coefficient;   ///< kCubic only; usually -0.75.
  bool exclude_outside;       ///< Taps outside the input get weight 0, the others are rescaled.
  bool antialias;             ///< Widens the filter when scale < 1; not for kNearest.
  double roi_start, roi_end;  ///< kTfCropAndResize only.
};

/// out[i] = sum over k of weight[k * out + i] * in[index[k * out + i]]; index[i] = -1 when i takes
/// the extrapolation value.
struct ResizeAxis {
  int64_t in = 1, out = 1;
  int32_t taps = 1;
  std::vector<int32_t> index;
  std::vector<float> weight;
};

/// Computed in double. `in` and `out` are positive (or out is 0) and below 2^31.
ResizeAxis MakeResizeAxis(const ResizeAxisSpec& spec);

/// The tensor is [outer, axes[0], axes[1], axes[2], inner]: inner = 1 for channels first, C for
/// channels last, C0 for blocked images (which must not use kTfCropAndResize: it would fill unused
/// lanes). Axes that are not resized may be part of outer or inner.
struct ResizeParams {
  Isa isa;
  bool nearest;           ///< All axes have one tap of weight 1: bits are copied.
  int32_t element_bytes;  ///< 1, 2, 4 or 8 when nearest; 4 (f32) otherwise.
  int64_t outer, inner;
  std::array<ResizeAxis, 3> axes;
  float extrapolation;  ///< f32 only.
};

struct ResizeBuffers {
  const void* src;
  void* dst;        ///< Overlaps nothing.
  void* workspace;  ///< 64-byte aligned.
};

size_t ResizeWorkspaceBytes(const ResizeParams& params, int num_parts);
inline int ResizePhases(const ResizeParams&) { return 1; }
/// Shared by output rows. A row is interpolated first across axes 0 and 1, then along axis 2.
void RunResize(const ResizeParams& params, const ResizeBuffers& buffers, int phase, Part part);

}  // namespace cairn::kernels
