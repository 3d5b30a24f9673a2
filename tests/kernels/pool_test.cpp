// SPDX-License-Identifier: Apache-2.0
// Pooling in both layouts against the definition: odd windows, dilation, padding, ceil mode, NaN.
#include "kernels/pool/pool.h"

#include "kernel_testing.h"

namespace cairn::kernels {
namespace {

double Naive(const PoolParams& p, const std::vector<float>& src, int64_t plane,
             const std::array<int64_t, 3>& o) {
  double sum = 0, most = -std::numeric_limits<double>::infinity();
  int64_t count = 0;
  std::array<int64_t, 3> k;
  for (k[0] = 0; k[0] < p.kernel[0]; ++k[0]) {
    for (k[1] = 0; k[1] < p.kernel[1]; ++k[1]) {
      for (k[2] = 0; k[2] < p.kernel[2]; ++k[2]) {
        int64_t offset = plane;
        bool inside = true, padded = true;
        for (int i = 0; i < 3; ++i) {
          const int64_t at = o[i] * p.stride[i] - p.pad_begin[i] + k[i] * p.dilation[i];
          inside = inside && at >= 0 && at < p.in[i];
          padded = padded && at < p.in[i] + p.pad_end[i];
          offset = offset * p.in[i] + at;
        }
        count += p.count_include_pad ? padded : inside;
        if (!inside) continue;
        sum += src[offset];
        if (src[offset] > most || std::isnan(src[offset])) most = src[offset];
        if (std::isnan(most)) break;
      }
    }
  }
  if (p.kind == PoolKind::kMax) return most;
  return sum / static_cast<double>(std::max<int64_t>(count, 1));
}

TEST(Pool, MatchesTheDefinitionInBothLayouts) {
  std::mt19937 random(2);
  const auto pick = [&](int low, int high) {
    return low + static_cast<int>(random() % (high - low + 1));
  };
  for (Isa isa : AvailableIsas()) {
    const int64_t c0 = VectorFloats(isa);
    for (int trial = 0; trial < 300; ++trial) {
      PoolParams p{};
      p.isa = isa;
      p.kind = trial % 2 ? PoolKind::kMax : PoolKind::kAverage;
      p.count_include_pad = trial % 4 < 2;
      p.batch = pick(1, 2);
      p.channels = pick(1, static_cast<int>(2 * c0 + 1));
      const bool flat = trial % 3 != 0;
      for (int i = 0; i < 3; ++i) {
        const bool unused = i == 0 && flat;
        p.in[i] = unused ? 1 : pick(1, 12);
        p.kernel[i] = unused ? 1 : pick(1, 4);
        p.stride[i] = unused ? 1 : pick(1, 3);
        p.dilation[i] = unused ? 1 : pick(1, 2);
        p.pad_begin[i] = unused ? 0 : pick(0, 2);
        p.pad_end[i] = unused ? 0 : pick(0, 2);
        const int64_t reach = (p.kernel[i] - 1) * p.dilation[i] + 1;
        const int64_t room = p.in[i] + p.pad_begin[i] + p.pad_end[i] - reach;
        const bool ceil_mode = trial % 5 == 0;
        p.out[i] = room < 0 ? 1 : (room + (ceil_mode ? p.stride[i] - 1 : 0)) / p.stride[i] + 1;
      }
      const int64_t pixels = p.in[0] * p.in[1] * p.in[2], out = p.out[0] * p.out[1] * p.out[2];
      const int64_t blocks = (p.channels + c0 - 1) / c0;
      std::vector<float> plain(p.batch * p.channels * pixels);
      Buffer blocked(p.batch * blocks * c0 * pixels), plain_src(plain.size());
      std::uniform_real_distribution<float> uniform(-1, 1);
      for (int64_t i = 0; i < static_cast<int64_t>(plain.size()); ++i) {
        float x = uniform(random);
        if (trial % 7 == 0 && random() % 20 == 0) x = std::numeric_limits<float>::quiet_NaN();
        if (trial % 7 == 1 && random() % 5 == 0) {
          x = std::copysign(std::numeric_limits<float>::infinity(), x);
        }
        if (p.kind == PoolKind::kAverage && !std::isfinite(x)) x = 0;
        plain[i] = plain_src[i] = x;
        const int64_t n = i / pixels / p.channels, c = i / pixels % p.channels;
        blocked[((n * blocks + c / c0) * pixels + i % pixels) * c0 + c % c0] = x;
      }
      for (bool use_blocks : {false, true}) {
        p.blocked = use_blocks;
        const int64_t width = use_blocks ? blocks * c0 : p.channels;
        Buffer first(p.batch * width * out);
        for (int parts : {1, 2, 3}) {
          Buffer dst(first.size(), 5.0f);
          const float* src = use_blocks ? blocked.data() : plain_src.data();
          RunParts(PoolPhases(p), parts, [&](int phase, Part part) {
            RunPool(p, {src, dst.data()}, phase, part);
          });
          dst.CheckGuards();
          if (parts == 1) std::copy_n(dst.data(), dst.size(), first.data());
          ASSERT_TRUE(SameBits(first, dst));
        }
        for (int64_t i = 0; i < p.batch * p.channels * out; ++i) {
          const int64_t n = i / out / p.channels, c = i / out % p.channels;
          const double exact =
              Naive(p, plain, n * p.channels + c,
                    {i % out / (p.out[1] * p.out[2]), i / p.out[2] % p.out[1], i % p.out[2]});
          const float found =
              use_blocks ? first[((n * blocks + c / c0) * out + i % out) * c0 + c % c0] : first[i];
          if (std::isnan(exact)) {
            ASSERT_TRUE(std::isnan(found));
          } else if (std::isinf(exact)) {
            ASSERT_EQ(found, exact);
          } else {
            ASSERT_NEAR(found, exact, 1e-6) << "trial " << trial;
          }
        }
        for (int64_t i = 0; use_blocks && i < first.size(); ++i) {
          const int64_t channel = i / c0 / out % blocks * c0 + i % c0;
          ASSERT_TRUE(channel < p.channels || first[i] == 0.0f);
        }
      }
    }
  }
}

}  // namespace
}  // namespace cairn::kernels
