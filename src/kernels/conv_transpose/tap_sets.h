// SPDX-License-Identifier: Apache-2.0
// The taps of a transposed convolution by the remainder of the output position.
#pragma once

#include <array>

#include "kernels/conv/conv.h"

namespace cairn::kernels {

/// One axis. The taps of remainder r are those k with (k * dilation) mod stride == r, ascending.
struct AxisTaps {
  int64_t kernel, stride, dilation;

  int64_t remainder(int64_t k) const { return k * dilation % stride; }
  int64_t count(int64_t r) const {
    int64_t count = 0;
    for (int64_t k = 0; k < kernel; ++k) count += remainder(k) == r ? 1 : 0;
    return count;
  }
  /// Taps of all remainders below r.
  int64_t before(int64_t r) const {
    int64_t count = 0;
    for (int64_t k = 0; k < kernel; ++k) count += remainder(k) < r ? 1 : 0;
    return count;
  }
};

/// The taps of every remainder (rd, rh, rw), sets ordered lexicographically.
struct TapSets {
  explicit TapSets(const ConvParams& p) {
    for (int i = 0; i < 3; ++i) axes[i] = {p.kernel[i], p.stride[i], p.dilation[i]};
  }
  int64_t count(const Spatial& r) const {
    return axes[0].count(r[0]) * axes[1].count(r[1]) * axes[2].count(r[2]);
  }
  /// Taps of all sets before that of `r`.
  int64_t before(const Spatial& r) const {
    const int64_t lines =
        axes[0].count(r[0]) * axes[1].before(r[1]) + axes[0].before(r[0]) * axes[1].kernel;
    return lines * axes[2].kernel +
           axes[0].count(r[0]) * axes[1].count(r[1]) * axes[2].before(r[2]);
  }
  /// Calls visit(k) for each tap of the set of `r`, in order.
  template <class Visit>
  void ForEach(const Spatial& r, Visit visit) const {
    for (int64_t d = 0; d < axes[0].kernel; ++d) {
      if (axes[0].remainder(d) != r[0]) continue;
      for (int64_t h = 0; h < axes[1].kernel; ++h) {
        if (axes[1].remainder(h) != r[1]) continue;
        for (int64_t w = 0; w < axes[2].kernel; ++w) {
          if (axes[2].remainder(w) == r[2]) visit(Spatial{d, h, w});
        }
      }
    }
  }

  std::array<AxisTaps, 3> axes;
};

}  // namespace cairn::kernels
