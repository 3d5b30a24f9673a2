// SPDX-License-Identifier: Apache-2.0
// Layout conversions move every element to its place and zero the unused lanes.
#include "kernels/layout/layout.h"

#include "kernel_testing.h"

namespace cairn::kernels {
namespace {

int64_t Place(ImageLayout layout, const LayoutParams& p, int64_t n, int64_t c, int64_t i) {
  switch (layout) {
    case ImageLayout::kChannelsFirst:
      return (n * p.channels + c) * p.pixels + i;
    case ImageLayout::kChannelsLast:
      return (n * p.pixels + i) * p.channels + c;
    case ImageLayout::kBlocked:
      break;
  }
  const int64_t blocks = (p.channels + p.c0 - 1) / p.c0;
  return ((n * blocks + c / p.c0) * p.pixels + i) * p.c0 + c % p.c0;
}

int64_t Size(ImageLayout layout, const LayoutParams& p) {
  const int64_t channels =
      layout == ImageLayout::kBlocked ? (p.channels + p.c0 - 1) / p.c0 * p.c0 : p.channels;
  return p.batch * channels * p.pixels;
}

TEST(Layout, MovesEveryElementForAnyPartition) {
  constexpr ImageLayout kLayouts[] = {ImageLayout::kChannelsFirst, ImageLayout::kChannelsLast,
                                      ImageLayout::kBlocked};
  std::mt19937 random(3);
  for (Isa isa : AvailableIsas()) {
    for (int64_t c0 : {int64_t{VectorFloats(isa)}, int64_t{16}, int64_t{4}}) {
      for (int64_t channels : {0, 1, 3, 8, 16, 19, 64, 70}) {
        for (int64_t pixels : {1, 2, 7, 49, 300}) {
          for (ImageLayout from : kLayouts) {
            for (ImageLayout to : kLayouts) {
              if (from == to) continue;
              const LayoutParams p{isa, from, to, 2, channels, pixels, c0};
              Buffer src(Size(from, p));
              src.FillRandom(random);
              for (int parts : {1, 2, 3}) {
                Buffer dst(Size(to, p), 77.0f);
                RunParts(LayoutPhases(p), parts, [&](int phase, Part part) {
                  RunLayout(p, {src.data(), dst.data()}, phase, part);
                });
                dst.CheckGuards();
                std::vector<bool> used(dst.size(), false);
                for (int64_t n = 0; n < p.batch; ++n) {
                  for (int64_t c = 0; c < channels; ++c) {
                    for (int64_t i = 0; i < pixels; ++i) {
                      const int64_t at = Place(to, p, n, c, i);
                      used[at] = true;
                      ASSERT_EQ(dst[at], src[Place(from, p, n, c, i)])
                          << channels << "x" << pixels << " c0 " << c0;
                    }
                  }
                }
                for (int64_t i = 0; i < dst.size(); ++i) {
                  ASSERT_TRUE(used[i] || dst[i] == 0.0f);
                }
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace cairn::kernels
