// SPDX-License-Identifier: Apache-2.0
// The general convolution against its definition in double precision.
#include "kernels/conv_testing.h"

namespace cairn::kernels {
namespace {

constexpr ConvFamily kFamily = {ConvPackedFloats, PackConv, ConvWorkspaceBytes, ConvPhases,
                                RunConv};

class Conv : public ::testing::TestWithParam<Isa> {
 protected:
  std::mt19937 random_{11};
  int64_t Pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random_);
  }

  /// Random kernel, stride, dilation and padding in the last `rank` axes.
  ConvParams RandomParams(int rank, int64_t most_size) {
    for (;;) {
      ConvParams p{.isa = GetParam(), .batch = Pick(1, 2)};
      Spatial pad_end = {0, 0, 0};
      for (int i = 3 - rank; i < 3; ++i) {
        p.in[i] = Pick(1, most_size);
        p.kernel[i] = Pick(1, 5);
        p.stride[i] = Pick(1, 3);
        p.dilation[i] = Pick(0, 3) == 0 ? 2 : 1;
        p.pad_begin[i] = Pick(0, 3);
        pad_end[i] = Pick(0, 3);
      }
      SetOutSize(p, pad_end);
      if (p.out[0] > 0 && p.out[1] > 0 && p.out[2] > 0) return p;
    }
  }
  ConvOptions RandomOptions(ConvParams& p) {
    if (Pick(0, 2) == 0) {
      p.epilogue = {.activation = Activation::kClip, .clip_low = 0.5f, .clip_high = 3.0f};
    } else if (Pick(0, 3) == 0) {
      p.epilogue = {.activation = Activation::kHardSwish};
    }
    const bool residual = Pick(0, 1) == 1;
    return {.bias = Pick(0, 1) == 1,
            .residual = residual,
            .residual_in_place = residual && Pick(0, 1) == 1};
  }
};

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
    ConvOperands x(p);
    x.FillRandom(p, random_);
    for (int64_t i = 0; i < x.weights.size(); ++i) x.weights[i] = 0.25f;
    x.src[1 * 30 + 2 * 6 + 3] = std::numeric_limits<float>::infinity();
    const std::vector<float> y = FromBlocked(p, *RunFamily(kFamily, p, x, {}, 1));
    for (int64_t o = 0; o < 6; ++o) {
      for (int64_t h = 0; h < 5; ++h) {
        for (int64_t w = 0; w < 6; ++w) {
          const bool near = std::abs(h - 2) <= 1 && std::abs(w - 3) <= 1;
          const bool reached = near && (group == 1 || o / 2 == 1);
          EXPECT_EQ(std::isinf(y[(o * 5 + h) * 6 + w]), reached);
          EXPECT_FALSE(std::isnan(y[(o * 5 + h) * 6 + w]));
        }
      }
    }
  }
}

struct HookLog {
  const ConvParams* params;
  std::vector<int> visits;
};

void CountVisits(const void* context, const TileRegion& region) {
  HookLog& log = *static_cast<HookLog*>(const_cast<void*>(context));
  for (int64_t r = 0; r < region.rows; ++r) {
    for (int64_t c = 0; c < region.cols; ++c) {
      ++log.visits[(region.row0 + r) * log.params->out_channels + region.col0 + c];
      region.data[r * region.row_stride + c] = region.row0 + r + 1000.0f * (region.col0 + c);
    }
  }
}

TEST_P(Conv, HookSeesEachElementOnce) {
  for (int64_t group : {1, 5}) {
    for (bool plain : {false, true}) {
      ConvParams p{.isa = GetParam(), .batch = 2, .in_channels = 20, .out_channels = 45};
      p.group = group;
      p.plain_src = plain;
      p.in = p.out = {1, 9, 7};
      HookLog log{&p, std::vector<int>(p.batch * 63 * p.out_channels)};
      p.epilogue.hook = {CountVisits, &log};
      ConvOperands x(p);
      const std::vector<float> y = FromBlocked(p, *RunFamily(kFamily, p, x, {}, 3));
      for (int visits : log.visits) ASSERT_EQ(visits, 1);
      for (int64_t n = 0; n < 2; ++n)
        for (int64_t o = 0; o < p.out_channels; ++o)
          for (int64_t i = 0; i < 63; ++i)
            ASSERT_EQ(y[(n * p.out_channels + o) * 63 + i], n * 63 + i + 1000.0f * o);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, Conv, ::testing::ValuesIn(AvailableIsas()), IsaTestName);

}  // namespace
}  // namespace cairn::kernels
