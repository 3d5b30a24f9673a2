// SPDX-License-Identifier: Apache-2.0
// Winograd convolution against the definition in double precision.
#include "kernels/winograd/winograd.h"

#include "kernels/conv_testing.h"

namespace cairn::kernels {
namespace {

template <int kTile>
constexpr ConvFamily kFamily = {
    [](const ConvParams& p) {
      return WinogradPackedFloats({p, kTile});
    },
    [](const ConvParams& p, const float* w, float* packed) {
      PackWinograd({p, kTile}, w, packed);
    },
    [](const ConvParams& p, int parts) {
      return WinogradWorkspaceBytes({p, kTile}, parts);
    },
    [](const ConvParams& p) {
      return WinogradPhases({p, kTile});
    },
    [](const ConvParams& p, const ConvBuffers& b, int phase, Part part) {
      RunWinograd({p, kTile}, b, phase, part);
    }};

class Winograd : public ConvTest {
 protected:
  ConvParams RandomWinograd(int64_t most_size) {
    for (;;) {
      ConvParams p{.isa = GetParam(), .batch = Pick(1, 3)};
      p.in = {1, Pick(1, most_size), Pick(1, most_size)};
      p.kernel = {1, 3, 3};
      p.pad_begin = {0, Pick(0, 2), Pick(0, 2)};
      SetOutSize(p, {0, Pick(0, 2), Pick(0, 2)});
      if (p.out[1] > 0 && p.out[2] > 0) return p;
    }
  }
};

TEST_P(Winograd, Random) {
  for (int i = 0; i < 40; ++i) {
    ConvParams p = RandomWinograd(17);
    p.in_channels = Pick(1, 40);
    p.out_channels = Pick(1, 70);
    ASSERT_TRUE(WinogradSupports(p));
    const ConvOptions options = RandomOptions(p);
    CheckConv(kFamily<2>, p, options, random_);
    CheckConv(kFamily<4>, p, options, random_);
  }
}

TEST_P(Winograd, ManyTilesInGroups) {
  for (int64_t size : {37, 64}) {
    ConvParams p{.isa = GetParam(), .in_channels = 19, .out_channels = 35};
    p.in = p.out = {1, size, size - 5};
    p.kernel = {1, 3, 3};
    p.pad_begin = {0, 1, 1};
    CheckConv(kFamily<2>, p, {.bias = true, .residual = true}, random_);
    CheckConv(kFamily<4>, p, {.bias = true, .residual = true, .residual_in_place = true}, random_);
  }
}

TEST_P(Winograd, DeepSumsKeepTheErrorBound) {
  ConvParams p{.isa = GetParam(), .in_channels = 520, .out_channels = 40, .in = {1, 9, 9}};
  p.out = p.in;
  p.kernel = {1, 3, 3};
  p.pad_begin = {0, 1, 1};
  CheckConv(kFamily<2>, p, {}, random_);
  CheckConv(kFamily<4>, p, {}, random_);
}

TEST_P(Winograd, UnusedLanesAreZeroForInfiniteInput) {
  ConvParams p{.isa = GetParam(), .in_channels = 3, .out_channels = 5};
  p.in = p.out = {1, 5, 6};
  p.kernel = {1, 3, 3};
  p.pad_begin = {0, 1, 1};
  ConvOperands x(p);
  x.FillRandom(p, random_);
  x.src[3] = std::numeric_limits<float>::infinity();
  FromBlocked(p, *RunFamily(kFamily<2>, p, x, {}, 1));
  FromBlocked(p, *RunFamily(kFamily<4>, p, x, {}, 1));
}

TEST_P(Winograd, HookSeesEachElementOnce) {
  for (int64_t size : {9, 41}) {
    ConvParams p{.isa = GetParam(), .batch = 2, .in_channels = 20, .out_channels = 45};
    p.in = p.out = {1, size, size + 1};
    p.kernel = {1, 3, 3};
    p.pad_begin = {0, 1, 1};
    CheckHook(kFamily<2>, p);
    CheckHook(kFamily<4>, p);
  }
}

TEST_P(Winograd, RefusesOtherConvolutions) {
  ConvParams p{.in_channels = 8, .out_channels = 8, .in = {1, 9, 9}, .out = {1, 9, 9}};
  p.kernel = {1, 3, 3};
  EXPECT_TRUE(WinogradSupports(p));
  for (auto change :
       {+[](ConvParams& q) { q.stride[1] = 2; }, +[](ConvParams& q) { q.group = 2; },
        +[](ConvParams& q) { q.dilation[2] = 2; }, +[](ConvParams& q) { q.kernel[1] = 1; },
        +[](ConvParams& q) { q.plain_src = true; }, +[](ConvParams& q) { q.in[0] = 2; }}) {
    ConvParams q = p;
    change(q);
    EXPECT_FALSE(WinogradSupports(q));
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, Winograd, ::testing::ValuesIn(AvailableIsas()), IsaTestName);

}  // namespace
}  // namespace cairn::kernels
