// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution against its definition in double precision.
#include "kernels/depthwise/depthwise.h"

#include "kernels/conv_testing.h"

namespace cairn::kernels {
namespace {

constexpr ConvFamily kFamily = {DepthwisePackedFloats, PackDepthwise, DepthwiseWorkspaceBytes,
                                DepthwisePhases, RunDepthwise};

class Depthwise : public ConvTest {
 protected:
  ConvParams RandomDepthwise(int rank, int64_t most_size) {
    ConvParams p = RandomParams(rank, most_size);
    p.group = p.in_channels = p.out_channels = Pick(1, 40);
    return p;
  }
};

TEST_P(Depthwise, Random) {
  for (int i = 0; i < 80; ++i) {
    ConvParams p = RandomDepthwise(2, 25);
    ASSERT_TRUE(DepthwiseSupports(p));
    CheckConv(kFamily, p, RandomOptions(p), random_);
  }
}

TEST_P(Depthwise, RandomRanks) {
  for (int i = 0; i < 30; ++i) {
    ConvParams p = RandomDepthwise(i % 2 == 0 ? 1 : 3, i % 2 == 0 ? 40 : 7);
    CheckConv(kFamily, p, RandomOptions(p), random_);
  }
}

TEST_P(Depthwise, InfinityReachesOnlyItsWindow) {
  ConvParams p{.isa = GetParam(), .in_channels = 9, .out_channels = 9, .group = 9};
  p.in = p.out = {1, 5, 6};
  p.kernel = {1, 3, 3};
  p.pad_begin = {0, 1, 1};
  CheckInfinity(kFamily, p);
}

TEST_P(Depthwise, HookSeesEachElementOnce) {
  ConvParams p{.isa = GetParam(), .batch = 2, .in_channels = 45, .out_channels = 45, .group = 45};
  p.in = p.out = {1, 9, 7};
  CheckHook(kFamily, p);
}

TEST_P(Depthwise, RefusesOtherConvolutions) {
  EXPECT_FALSE(DepthwiseSupports({.in_channels = 4, .out_channels = 8, .group = 4}));
  EXPECT_FALSE(DepthwiseSupports({.in_channels = 4, .out_channels = 4, .group = 2}));
}

INSTANTIATE_TEST_SUITE_P(Isa, Depthwise, ::testing::ValuesIn(AvailableIsas()), IsaTestName);

}  // namespace
}  // namespace cairn::kernels
