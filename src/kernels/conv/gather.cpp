// SPDX-License-Identifier: Apache-2.0
// Interleaves the rows of channel planes.
#include "kernels/conv/gather.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/gather.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void Interleave(const float* planes, int64_t plane_stride, int64_t channels, int64_t width,
                float* line) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = hn::Lanes(d);
  if (channels == 1) {
    std::copy_n(planes, width, line);
    return;
  }
  int64_t x = 0;
  if (channels == 3) {
    const float* p1 = planes + plane_stride;
    const float* p2 = p1 + plane_stride;
    for (; x + lanes <= width; x += lanes) {
      hn::StoreInterleaved3(hn::LoadU(d, planes + x), hn::LoadU(d, p1 + x), hn::LoadU(d, p2 + x), d,
                            line + 3 * x);
    }
  } else if (channels == 4) {
    const float* p1 = planes + plane_stride;
    const float* p2 = p1 + plane_stride;
    const float* p3 = p2 + plane_stride;
    for (; x + lanes <= width; x += lanes) {
      hn::StoreInterleaved4(hn::LoadU(d, planes + x), hn::LoadU(d, p1 + x), hn::LoadU(d, p2 + x),
                            hn::LoadU(d, p3 + x), d, line + 4 * x);
    }
  }
  for (; x < width; ++x) {
    for (int64_t c = 0; c < channels; ++c) line[x * channels + c] = planes[c * plane_stride + x];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {

InterleaveFn GetInterleave(Isa isa) { CAIRN_SELECT(isa, Interleave) }

}  // namespace cairn::kernels
#endif
