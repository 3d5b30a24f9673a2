// SPDX-License-Identifier: Apache-2.0
// Convolution in double precision over plain arrays, and the layouts of the convolution kernels.
#pragma once

#include "kernels/conv/conv.h"
#include "kernels/kernel_testing.h"

namespace cairn::kernels {

inline int64_t RoundUp(int64_t a, int64_t b) { return (a + b - 1) / b * b; }
inline int64_t VolumeOf(const Spatial& s) { return s[0] * s[1] * s[2]; }

inline int64_t BlockedSize(Isa isa, int64_t batch, int64_t channels, int64_t pixels) {
  return batch * RoundUp(channels, VectorFloats(isa)) * pixels;
}
inline int64_t BlockedIndex(Isa isa, int64_t n, int64_t c, int64_t pixel, int64_t channels,
                            int64_t pixels) {
  const int64_t c0 = VectorFloats(isa), blocks = RoundUp(channels, c0) / c0;
  return ((n * blocks + c / c0) * pixels + pixel) * c0 + c % c0;
}

/// Plain [batch, channels, pixels] to blocked, lanes beyond the last channel zero.
inline void ToBlocked(Isa isa, const Buffer& plain, int64_t batch, int64_t channels, int64_t pixels,
                      Buffer& blocked) {
  std::fill_n(blocked.data(), blocked.size(), 0.0f);
  for (int64_t n = 0; n < batch; ++n)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t p = 0; p < pixels; ++p)
        blocked[BlockedIndex(isa, n, c, p, channels, pixels)] =
            plain[(n * channels + c) * pixels + p];
}

inline double Activate(const Epilogue& epilogue, double x) {
  if (epilogue.activation == Activation::kClip) {
    return std::fmin(std::fmax(x, epilogue.clip_low), epilogue.clip_high);
  }
  if (epilogue.activation == Activation::kHardSwish) {
    return x * std::fmin(std::fmax(x + 3, 0.0), 6.0) / 6;
  }
  return x;
}

inline void SetOutSize(ConvParams& p, const Spatial& pad_end) {
  for (int i = 0; i < 3; ++i) {
    p.out[i] = (p.in[i] + p.pad_begin[i] + pad_end[i] - p.dilation[i] * (p.kernel[i] - 1) - 1) /
                   p.stride[i] +
               1;
  }
}

/// Plain operands of one case; `expected` is plain, before the activation.
struct ConvOperands {
  explicit ConvOperands(const ConvParams& p)
      : src(p.batch * p.in_channels * VolumeOf(p.in)),
        weights(p.out_channels * p.in_channels / p.group * VolumeOf(p.kernel)),
        bias(RoundUp(p.out_channels, VectorFloats(p.isa))),
        residual(p.batch * p.out_channels * VolumeOf(p.out)) {}
  void FillRandom(const ConvParams& p, std::mt19937& random) {
    src.FillRandom(random);
    weights.FillRandom(random);
    bias.FillRandom(random);
    residual.FillRandom(random);
    for (int64_t i = p.out_channels; i < bias.size(); ++i) bias[i] = 0;
  }
  Buffer src, weights, bias, residual;
};

/// One output element: the definition of Conv, written out.
inline double ConvElement(const ConvParams& p, const ConvOperands& x, int64_t n, int64_t o,
                          const Spatial& at) {
  const int64_t group_in = p.in_channels / p.group, group = o / (p.out_channels / p.group);
  double sum = 0;
  for (int64_t c = 0; c < group_in; ++c)
    for (int64_t kd = 0; kd < p.kernel[0]; ++kd)
      for (int64_t kh = 0; kh < p.kernel[1]; ++kh)
        for (int64_t kw = 0; kw < p.kernel[2]; ++kw) {
          const Spatial k = {kd, kh, kw};
          int64_t pixel = 0;
          bool inside = true;
          for (int i = 0; i < 3; ++i) {
            const int64_t s = at[i] * p.stride[i] - p.pad_begin[i] + k[i] * p.dilation[i];
            inside = inside && s >= 0 && s < p.in[i];
            pixel = pixel * p.in[i] + s;
          }
          if (!inside) continue;
          const int64_t tap = (kd * p.kernel[1] + kh) * p.kernel[2] + kw;
          sum +=
              double{x.src[(n * p.in_channels + group * group_in + c) * VolumeOf(p.in) + pixel]} *
              x.weights[(o * group_in + c) * VolumeOf(p.kernel) + tap];
        }
  return sum;
}

struct ConvOptions {
  bool bias = false;
  bool residual = false;
  bool residual_in_place = false;
};

inline std::vector<double> ConvReference(const ConvParams& p, const ConvOperands& x,
                                         const ConvOptions& options) {
  std::vector<double> expected;
  for (int64_t n = 0; n < p.batch; ++n)
    for (int64_t o = 0; o < p.out_channels; ++o)
      for (int64_t d = 0; d < p.out[0]; ++d)
        for (int64_t h = 0; h < p.out[1]; ++h)
          for (int64_t w = 0; w < p.out[2]; ++w) {
            double y = ConvElement(p, x, n, o, {d, h, w});
            if (options.bias) y += x.bias[o];
            if (options.residual) y += x.residual[expected.size()];
            expected.push_back(Activate(p.epilogue, y));
          }
  return expected;
}

/// The functions of one kernel family that takes ConvParams.
struct ConvFamily {
  int64_t (*packed_floats)(const ConvParams&);
  void (*pack)(const ConvParams&, const float*, float*);
  size_t (*workspace_bytes)(const ConvParams&, int);
  int (*phases)(const ConvParams&);
  void (*run)(const ConvParams&, const ConvBuffers&, int, Part);
};

/// Runs a family on the operands and returns the blocked result.
inline std::unique_ptr<Buffer> RunFamily(const ConvFamily& family, const ConvParams& p,
                                         const ConvOperands& x, const ConvOptions& options,
                                         int count) {
  const int64_t pixels = VolumeOf(p.out);
  Buffer src(p.plain_src ? x.src.size()
                         : BlockedSize(p.isa, p.batch, p.in_channels, VolumeOf(p.in)));
  if (p.plain_src) {
    std::copy_n(x.src.data(), x.src.size(), src.data());
  } else {
    ToBlocked(p.isa, x.src, p.batch, p.in_channels, VolumeOf(p.in), src);
  }
  Buffer packed(family.packed_floats(p), std::numeric_limits<float>::quiet_NaN());
  family.pack(p, x.weights.data(), packed.data());
  Buffer residual(BlockedSize(p.isa, p.batch, p.out_channels, pixels));
  ToBlocked(p.isa, x.residual, p.batch, p.out_channels, pixels, residual);
  auto dst = std::make_unique<Buffer>(residual.size(), std::numeric_limits<float>::quiet_NaN());
  if (options.residual_in_place) std::copy_n(residual.data(), residual.size(), dst->data());
  Buffer workspace(family.workspace_bytes(p, count) / sizeof(float) + 1,
                   std::numeric_limits<float>::quiet_NaN());
  const float* added = options.residual_in_place ? dst->data() : residual.data();
  const ConvBuffers buffers{.src = src.data(),
                            .weights = packed.data(),
                            .bias = options.bias ? x.bias.data() : nullptr,
                            .residual = options.residual ? added : nullptr,
                            .dst = dst->data(),
                            .workspace = workspace.data()};
  RunParts(family.phases(p), count,
           [&](int phase, Part part) { family.run(p, buffers, phase, part); });
  dst->CheckGuards();
  workspace.CheckGuards();
  packed.CheckGuards();
  return dst;
}

/// The valid lanes as a plain array; expects zeros in the others.
inline std::vector<float> FromBlocked(const ConvParams& p, const Buffer& blocked) {
  const int64_t pixels = VolumeOf(p.out), c0 = VectorFloats(p.isa);
  std::vector<float> plain;
  for (int64_t n = 0; n < p.batch; ++n)
    for (int64_t o = 0; o < RoundUp(p.out_channels, c0); ++o)
      for (int64_t i = 0; i < pixels; ++i) {
        const float x = blocked[BlockedIndex(p.isa, n, o, i, p.out_channels, pixels)];
        if (o < p.out_channels) {
          plain.push_back(x);
        } else {
          EXPECT_EQ(x, 0.0f) << "in an unused lane";
        }
      }
  return plain;
}

inline std::string DescribeConv(const ConvParams& p) {
  std::string text = "batch " + std::to_string(p.batch) + " channels " +
                     std::to_string(p.in_channels) + "->" + std::to_string(p.out_channels) +
                     " group " + std::to_string(p.group);
  const auto add = [&](const char* name, const Spatial& s) {
    text += std::string(" ") + name;
    for (int64_t x : s) text += " " + std::to_string(x);
  };
  add("in", p.in);
  add("out", p.out);
  add("kernel", p.kernel);
  add("stride", p.stride);
  add("dilation", p.dilation);
  add("pad", p.pad_begin);
  return text + (p.plain_src ? " plain" : "");
}

/// Compares a family with the reference, and with itself for other numbers of shares.
inline void CheckConv(const ConvFamily& family, const ConvParams& p, const ConvOptions& options,
                      std::mt19937& random) {
  SCOPED_TRACE(DescribeConv(p));
  ConvOperands operands(p);
  operands.FillRandom(p, random);
  const auto one = RunFamily(family, p, operands, options, 1);
  ExpectClose(ConvReference(p, operands, options), FromBlocked(p, *one));
  for (int count : {2, 3}) {
    EXPECT_TRUE(SameBits(*one, *RunFamily(family, p, operands, options, count)))
        << "result depends on the number of shares: " << count;
  }
}

/// One infinite source element turns exactly its window, in its group, infinite; p has stride 1.
inline void CheckInfinity(const ConvFamily& family, const ConvParams& p) {
  SCOPED_TRACE(DescribeConv(p));
  ConvOperands x(p);
  std::fill_n(x.weights.data(), x.weights.size(), 0.25f);
  const int64_t channel = 1, at_h = 2, at_w = 3;
  x.src[(channel * p.in[1] + at_h) * p.in[2] + at_w] = std::numeric_limits<float>::infinity();
  const std::vector<float> y = FromBlocked(p, *RunFamily(family, p, x, {}, 1));
  const int64_t group_in = p.in_channels / p.group, group_out = p.out_channels / p.group;
  for (int64_t o = 0; o < p.out_channels; ++o) {
    for (int64_t h = 0; h < p.out[1]; ++h) {
      for (int64_t w = 0; w < p.out[2]; ++w) {
        const bool near = std::abs(h - at_h) <= 1 && std::abs(w - at_w) <= 1;
        const bool reached = near && o / group_out == channel / group_in;
        const float found = y[(o * p.out[1] + h) * p.out[2] + w];
        EXPECT_EQ(std::isinf(found), reached) << o << " " << h << " " << w;
        EXPECT_FALSE(std::isnan(found)) << o << " " << h << " " << w;
      }
    }
  }
}

struct HookLog {
  int64_t channels;
  std::vector<int> visits;
};

/// Counts visits and replaces each element by a number made of its coordinates.
inline void NumberElements(const void* context, const TileRegion& region) {
  HookLog& log = *static_cast<HookLog*>(const_cast<void*>(context));
  for (int64_t r = 0; r < region.rows; ++r) {
    for (int64_t c = 0; c < region.cols; ++c) {
      ++log.visits[(region.row0 + r) * log.channels + region.col0 + c];
      region.data[r * region.row_stride + c] = region.row0 + r + 1000.0f * (region.col0 + c);
    }
  }
}

/// The hook sees each valid element once, with its coordinates, after which nothing changes it.
inline void CheckHook(const ConvFamily& family, ConvParams p) {
  SCOPED_TRACE(DescribeConv(p));
  const int64_t pixels = VolumeOf(p.out);
  HookLog log{p.out_channels, std::vector<int>(p.batch * pixels * p.out_channels)};
  p.epilogue.hook = {NumberElements, &log};
  const ConvOperands x(p);
  const std::vector<float> y = FromBlocked(p, *RunFamily(family, p, x, {}, 3));
  for (int visits : log.visits) ASSERT_EQ(visits, 1);
  for (int64_t n = 0; n < p.batch; ++n)
    for (int64_t o = 0; o < p.out_channels; ++o)
      for (int64_t i = 0; i < pixels; ++i)
        ASSERT_EQ(y[(n * p.out_channels + o) * pixels + i], n * pixels + i + 1000.0f * o);
}

/// Random convolutions for one instruction set.
class ConvTest : public ::testing::TestWithParam<Isa> {
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

inline std::string IsaTestName(const ::testing::TestParamInfo<Isa>& info) {
  return info.param == Isa::kAvx2 ? "avx2" : info.param == Isa::kAvx3 ? "avx3" : "neon";
}

}  // namespace cairn::kernels
