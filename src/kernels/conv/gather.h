// SPDX-License-Identifier: Apache-2.0
// Copies channels of a row of pixels into a line in which the channels of a pixel are adjacent.
#pragma once

#include <cstdint>

#include "kernels/isa.h"

namespace cairn::kernels {

/// line[x * channels + c] = planes[c * plane_stride + x] for x < width, c < channels.
using InterleaveFn = void (*)(const float* planes, int64_t plane_stride, int64_t channels,
                              int64_t width, float* line);

/// Null when this build has no kernels for `isa`.
InterleaveFn GetInterleave(Isa isa);

}  // namespace cairn::kernels
