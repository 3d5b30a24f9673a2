// SPDX-License-Identifier: Apache-2.0
// The general convolution against its definition in double precision.
#include "kernels/conv_testing.h"

namespace cairn::kernels {
namespace {

constexpr ConvFamily kFamily = {ConvPackedFloats, PackConv, ConvWorkspaceBytes, ConvPhases,
                                RunConv};

class Conv : public ConvTest {};

TEST_P(Conv, RandomBlocked) {
  for (int i = 0; i < 60; ++i) {
    ConvParams p = RandomParams(2, 15);
    p.in_channels = Pick(1, 40);
    p.out_channels = Pick(1, 70);
    CheckConv(kFamily, p, RandomOptions(p), random_);
  }
}

TEST_P(Conv, RandomRanks) {
  for (int i = 0; i < 30; ++i) {
    ConvParams p = RandomParams(i % 2 == 0 ? 1 : 3, i % 2 == 0 ? 40 : 7);
    p.in_channels = Pick(1, 20);
    p.out_channels = Pick(1, 40);
    p.plain_src = Pick(0, 1) == 1;
    CheckConv(kFamily, p, RandomOptions(p), random_);
  }
}

TEST_P(Conv, RandomPlainSource) {
  for (int i = 0; i < 40; ++i) {
    ConvParams p = RandomParams(2, 40);
    p.in_channels = Pick(1, 5);
    p.out_channels = Pick(1, 40);
    p.plain_src = true;
    CheckConv(kFamily, p, RandomOptions(p), random_);
  }
}

TEST_P(Conv, RandomGroups) {
  for (int i = 0; i < 40; ++i) {
    ConvParams p = RandomParams(2, 12);
    p.group = Pick(2, 6);
    p.in_channels = p.group * Pick(1, 9);
    p.out_channels = p.group * Pick(1, 9);
    p.plain_src = Pick(0, 2) == 0;
    CheckConv(kFamily, p, RandomOptions(p), random_);
  }
}

TEST_P(Conv, GroupsThatShareChannelBlocks) {
  for (int i = 0; i < 30; ++i) {
    ConvParams p = RandomParams(2, 12);
    const int64_t out = int64_t{1} << Pick(0, 3), in = int64_t{1} << Pick(0, 3);
    p.group = Pick(2, 13);
    p.in_channels = p.group * std::min(in, out);
    p.out_channels = p.group * out;
    CheckConv(kFamily, p, RandomOptions(p), random_);
  }
}

TEST_P(Conv, GroupsOfWholeBlocks) {
  const int64_t c0 = VectorFloats(GetParam());
  for (int i = 0; i < 10; ++i) {
    ConvParams p = RandomParams(2, 12);
    p.group = Pick(2, 3);
    p.in_channels = p.group * c0 * Pick(1, 2);
    p.out_channels = p.group * c0 * Pick(1, 3);
    CheckConv(kFamily, p, RandomOptions(p), random_);
  }
}

TEST_P(Conv, DeepSumsInSeveralPieces) {
  ConvParams p{.isa = GetParam(), .in_channels = 300, .out_channels = 36, .in = {1, 6, 5}};
  p.kernel = {1, 3, 3};
  p.pad_begin = {0, 1, 1};
  SetOutSize(p, {0, 1, 1});
  CheckConv(kFamily, p, {.bias = true, .residual = true, .residual_in_place = true}, random_);
  p.in_channels = 700;
  CheckConv(kFamily, p, {}, random_);
}

TEST_P(Conv, PointwiseOnManyPixelsAndOnOne) {
  for (int64_t size : {1, 2, 40}) {
    for (int64_t batch : {1, 2, 5}) {
      ConvParams p{.isa = GetParam(), .batch = batch, .in_channels = 37, .out_channels = 51};
      p.in = p.out = {1, size, size};
      CheckConv(kFamily, p, {.bias = true, .residual = true}, random_);
    }
  }
}

TEST_P(Conv, LargeKernelsStayWithinTheirWorkspace) {
  ConvParams p{.isa = GetParam(), .in_channels = 3, .out_channels = 9, .in = {1, 40, 300}};
  p.kernel = {1, 11, 11};
  p.stride = {1, 4, 4};
  SetOutSize(p, {0, 0, 0});
  for (bool plain : {false, true}) {
    p.plain_src = plain;
    CheckConv(kFamily, p, {}, random_);
  }
}

TEST_P(Conv, InfinityReachesOnlyItsWindow) {
  for (int64_t group : {1, 3}) {
    ConvParams p{.isa = GetParam(), .in_channels = 3, .out_channels = 6, .group = group};
    p.in = p.out = {1, 5, 6};
    p.kernel = {1, 3, 3};
    p.pad_begin = {0, 1, 1};
    CheckInfinity(kFamily, p);
  }
}

TEST_P(Conv, HookSeesEachElementOnce) {
  for (int64_t group : {1, 5, 10}) {
    for (bool plain : {false, true}) {
      ConvParams p{
          .isa = GetParam(), .batch = 2, .in_channels = 20, .out_channels = group == 10 ? 20 : 45};
      p.group = group;
      p.plain_src = plain;
      p.in = p.out = {1, 9, 7};
      CheckHook(kFamily, p);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, Conv, ::testing::ValuesIn(AvailableIsas()), IsaTestName);

}  // namespace
}  // namespace cairn::kernels
