// SPDX-License-Identifier: Apache-2.0
// Transposed convolution against its definition in double precision.
#include "kernels/conv_transpose/conv_transpose.h"

#include "kernels/conv_testing.h"

namespace cairn::kernels {
namespace {

constexpr ConvFamily kFamily = {ConvTransposePackedFloats, PackConvTranspose,
                                ConvTransposeWorkspaceBytes, ConvTransposePhases, RunConvTranspose};

/// out = (in - 1) * stride - pads + dilation * (kernel - 1) + 1 + output_padding.
void SetTransposedSize(ConvParams& p, const Spatial& pad_end, const Spatial& output_padding) {
  for (int i = 0; i < 3; ++i) {
    p.out[i] = (p.in[i] - 1) * p.stride[i] - p.pad_begin[i] - pad_end[i] +
               p.dilation[i] * (p.kernel[i] - 1) + 1 + output_padding[i];
  }
}

/// Scatters every source element: the definition of ConvTranspose, the other way round than the
/// kernel.
std::vector<double> Reference(const ConvParams& p, const ConvOperands& x,
                              const ConvOptions& options) {
  const int64_t group_in = p.in_channels / p.group, group_out = p.out_channels / p.group;
  const int64_t pixels = VolumeOf(p.out), taps = VolumeOf(p.kernel);
  std::vector<double> sum(p.batch * p.out_channels * pixels);
  const auto coordinates = [](int64_t index, const Spatial& size) {
    return Spatial{index / (size[1] * size[2]), index / size[2] % size[1], index % size[2]};
  };
  for (int64_t n = 0; n < p.batch; ++n)
    for (int64_t c = 0; c < p.in_channels; ++c)
      for (int64_t i = 0; i < VolumeOf(p.in); ++i)
        for (int64_t o = 0; o < group_out; ++o)
          for (int64_t k = 0; k < taps; ++k) {
            const Spatial at = coordinates(i, p.in), tap = coordinates(k, p.kernel);
            int64_t pixel = 0;
            bool inside = true;
            for (int a = 0; a < 3; ++a) {
              const int64_t y = at[a] * p.stride[a] - p.pad_begin[a] + tap[a] * p.dilation[a];
              inside = inside && y >= 0 && y < p.out[a];
              pixel = pixel * p.out[a] + y;
            }
            if (!inside) continue;
            const int64_t channel = c / group_in * group_out + o;
            sum[(n * p.out_channels + channel) * pixels + pixel] +=
                double{x.src[(n * p.in_channels + c) * VolumeOf(p.in) + i]} *
                x.weights[(c * group_out + o) * taps + k];
          }
  for (size_t i = 0; i < sum.size(); ++i) {
    if (options.bias) sum[i] += x.bias[i / pixels % p.out_channels];
    if (options.residual) sum[i] += x.residual[i];
    sum[i] = Activate(p.epilogue, sum[i]);
  }
  return sum;
}

class ConvTranspose : public ConvTest {
 protected:
  ConvParams RandomTransposed(int rank, int64_t most_size) {
    for (;;) {
      ConvParams p{.isa = GetParam(), .batch = Pick(1, 2)};
      Spatial pad_end = {0, 0, 0}, output_padding = {0, 0, 0};
      for (int i = 3 - rank; i < 3; ++i) {
        p.in[i] = Pick(1, most_size);
        p.kernel[i] = Pick(1, 5);
        p.stride[i] = Pick(1, 4);
        p.dilation[i] = Pick(0, 2) == 0 ? Pick(2, 3) : 1;
        p.pad_begin[i] = Pick(0, 3);
        pad_end[i] = Pick(0, 3);
        output_padding[i] = Pick(0, p.stride[i] - 1);
      }
      SetTransposedSize(p, pad_end, output_padding);
      if (p.out[0] > 0 && p.out[1] > 0 && p.out[2] > 0) return p;
    }
  }
  void Check(const ConvParams& p, const ConvOptions& options) {
    SCOPED_TRACE(DescribeConv(p));
    ConvOperands operands(p);
    operands.FillRandom(p, random_);
    const auto one = RunFamily(kFamily, p, operands, options, 1);
    ExpectClose(Reference(p, operands, options), FromBlocked(p, *one));
    for (int count : {2, 3}) {
      EXPECT_TRUE(SameBits(*one, *RunFamily(kFamily, p, operands, options, count)))
          << "result depends on the number of shares: " << count;
    }
  }
};

TEST_P(ConvTranspose, Random) {
  for (int i = 0; i < 60; ++i) {
    ConvParams p = RandomTransposed(2, 9);
    p.in_channels = Pick(1, 40);
    p.out_channels = Pick(1, 60);
    Check(p, RandomOptions(p));
  }
}

TEST_P(ConvTranspose, RandomRanks) {
  for (int i = 0; i < 20; ++i) {
    ConvParams p = RandomTransposed(i % 2 == 0 ? 1 : 3, i % 2 == 0 ? 20 : 4);
    p.in_channels = Pick(1, 20);
    p.out_channels = Pick(1, 20);
    Check(p, RandomOptions(p));
  }
}

TEST_P(ConvTranspose, RandomGroups) {
  const int64_t c0 = VectorFloats(GetParam());
  for (int i = 0; i < 30; ++i) {
    ConvParams p = RandomTransposed(2, 7);
    p.group = Pick(2, 5);
    const bool whole = i % 4 == 0;
    p.in_channels = p.group * (whole ? c0 : Pick(1, i % 3 == 0 ? 40 : 9));
    p.out_channels = p.group * (whole ? c0 * Pick(1, 2) : Pick(1, 9));
    Check(p, RandomOptions(p));
  }
}

TEST_P(ConvTranspose, DoublesTheSize) {
  ConvParams p{.isa = GetParam(), .in_channels = 24, .out_channels = 24, .in = {1, 20, 23}};
  p.kernel = {1, 2, 2};
  p.stride = {1, 2, 2};
  SetTransposedSize(p, {0, 0, 0}, {0, 0, 0});
  Check(p, {.bias = true});
}

TEST_P(ConvTranspose, HookSeesEachElementOnce) {
  for (int64_t group : {1, 5}) {
    ConvParams p{.isa = GetParam(), .batch = 2, .in_channels = 20, .out_channels = 45};
    p.group = group;
    p.in = {1, 5, 8};
    p.kernel = {1, 3, 3};
    p.stride = {1, 2, 2};
    SetTransposedSize(p, {0, 0, 0}, {0, 0, 0});
    CheckHook(kFamily, p);
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, ConvTranspose, ::testing::ValuesIn(AvailableIsas()), IsaTestName);

}  // namespace
}  // namespace cairn::kernels
