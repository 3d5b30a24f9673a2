// SPDX-License-Identifier: Apache-2.0
// Softmax and the normalisations against double precision, for every partition.
#include "kernel_testing.h"
#include "kernels/norm/norm.h"
#include "kernels/softmax/softmax.h"

namespace cairn::kernels {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Softmax, MatchesTheDefinitionOnAnyAxis) {
  std::mt19937 random(1);
  for (Isa isa : AvailableIsas()) {
    for (int64_t axis : {1, 2, 7, 64, 129, 1000}) {
      for (int64_t inner : {1, 3, 16, 70}) {
        for (bool log : {false, true}) {
          const SoftmaxParams p{isa, log, 3, axis, inner};
          Buffer src(3 * axis * inner);
          src.FillRandom(random);
          for (int64_t i = 0; i < src.size(); ++i) src[i] *= 20;
          Buffer first(src.size());
          for (int parts : {1, 2, 3}) {
            Buffer dst(src.size());
            std::copy_n(src.data(), src.size(), dst.data());
            const float* from = parts == 2 ? dst.data() : src.data();  // In place too.
            RunParts(SoftmaxPhases(p), parts, [&](int phase, Part part) {
              RunSoftmax(p, {from, dst.data()}, phase, part);
            });
            dst.CheckGuards();
            if (parts == 1) std::copy_n(dst.data(), dst.size(), first.data());
            ASSERT_TRUE(SameBits(first, dst));
          }
          for (int64_t o = 0; o < 3; ++o) {
            for (int64_t i = 0; i < inner; ++i) {
              const auto at = [&](int64_t a) { return (o * axis + a) * inner + i; };
              double most = -1e30, sum = 0;
              for (int64_t a = 0; a < axis; ++a) most = std::max(most, double{src[at(a)]});
              for (int64_t a = 0; a < axis; ++a) sum += std::exp(src[at(a)] - most);
              for (int64_t a = 0; a < axis; ++a) {
                const double shifted = src[at(a)] - most;
                const double exact = log ? shifted - std::log(sum) : std::exp(shifted) / sum;
                ASSERT_NEAR(first[at(a)], exact,
                            2e-6 * (log ? 1.0 : exact) * (1 - shifted) + 1e-37);
              }
            }
          }
        }
      }
    }
  }
}

TEST(Softmax, SpecialValuesSpreadOverTheirAxisOnly) {
  for (Isa isa : AvailableIsas()) {
    for (int64_t inner : {1, 2}) {
      for (float special : {kInf, std::numeric_limits<float>::quiet_NaN()}) {
        Buffer src(2 * 5 * inner, 1.0f), dst(src.size());
        src[2 * inner] = special;
        src[3 * inner] = -kInf;
        RunSoftmax({isa, false, 2, 5, inner}, {src.data(), dst.data()}, 0, {0, 1});
        for (int64_t i = 0; i < dst.size(); ++i) {
          if (i < 5 * inner && i % inner == 0) {
            ASSERT_TRUE(std::isnan(dst[i]) || i == 3 * inner) << i;
          } else {
            ASSERT_NEAR(dst[i], 0.2f, 1e-6);
          }
        }
      }
      Buffer src(4 * inner, -kInf), dst(src.size());
      for (int64_t i = 0; i < inner; ++i) src[i] = 3;
      RunSoftmax({isa, false, 1, 4, inner}, {src.data(), dst.data()}, 0, {0, 1});
      for (int64_t i = 0; i < dst.size(); ++i) ASSERT_EQ(dst[i], i < inner ? 1.0f : 0.0f);
    }
  }
}

struct NormCase {
  NormKind kind;
  int64_t rows, size, spans, period;
  bool residual;
};

TEST(Norm, MatchesTheDefinition) {
  std::mt19937 random(2);
  const NormCase cases[] = {{NormKind::kMeanVariance, 7, 768, 0, 1, false},
                            {NormKind::kMeanVariance, 5, 13, 0, 1, true},
                            {NormKind::kMeanVariance, 3, 1, 0, 1, false},
                            {NormKind::kRms, 6, 100, 0, 1, true},
                            {NormKind::kRms, 2, 5000, 0, 1, false},
                            {NormKind::kMeanVariance, 6, 49, 1, 3, false},
                            {NormKind::kMeanVariance, 4, 3 * 25, 3, 2, false},
                            {NormKind::kMeanVariance, 2, 20000, 1, 2, false}};
  for (Isa isa : AvailableIsas()) {
    for (const NormCase& c : cases) {
      for (bool affine : {true, false}) {
        const NormParams p{isa, c.kind, c.rows, c.size, c.spans, c.period, 1e-5f};
        Buffer src(c.rows * c.size), residual(src.size());
        src.FillRandom(random);
        residual.FillRandom(random);
        for (int64_t i = 0; i < src.size(); ++i) src[i] += 3;
        const int64_t values = c.spans == 0 ? c.size : c.spans * c.period;
        Buffer scale(values), bias(values), first(src.size());
        scale.FillRandom(random);
        bias.FillRandom(random);
        Buffer sum(src.size()), mean(c.rows), inv_std(c.rows);
        for (int parts : {1, 2, 3}) {
          Buffer dst(src.size());
          RunParts(NormPhases(p), parts, [&](int phase, Part part) {
            RunNorm(p,
                    {src.data(), c.residual ? residual.data() : nullptr,
                     affine ? scale.data() : nullptr, affine ? bias.data() : nullptr, dst.data(),
                     sum.data(), mean.data(), inv_std.data()},
                    phase, part);
          });
          dst.CheckGuards();
          if (parts == 1) std::copy_n(dst.data(), dst.size(), first.data());
          ASSERT_TRUE(SameBits(first, dst));
        }
        for (int64_t r = 0; r < c.rows; ++r) {
          const auto x = [&](int64_t j) {
            const float s = src[r * c.size + j];
            return c.residual ? s + residual[r * c.size + j] : s;
          };
          double center = 0, squares = 0;
          for (int64_t j = 0; j < c.size && c.kind != NormKind::kRms; ++j)
            center += x(j) / double(c.size);
          for (int64_t j = 0; j < c.size; ++j) squares += (x(j) - center) * (x(j) - center);
          const double factor = 1 / std::sqrt(squares / double(c.size) + 1e-5);
          ASSERT_NEAR(inv_std[r], factor, 1e-5 * factor);
          ASSERT_NEAR(mean[r], center, 1e-6 * std::abs(center));
          for (int64_t j = 0; j < c.size; ++j) {
            const int64_t k = c.spans == 0 ? j : r % c.period * c.spans + j / (c.size / c.spans);
            const double exact =
                (x(j) - center) * factor * (affine ? scale[k] : 1) + (affine ? bias[k] : 0);
            ASSERT_NEAR(first[r * c.size + j], exact, 1e-5 * (1 + std::abs(exact)));
          }
        }
      }
    }
  }
}

TEST(Lrn, MatchesTheDefinition) {
  std::mt19937 random(3);
  for (Isa isa : AvailableIsas()) {
    for (int64_t size : {1, 2, 3, 5}) {
      const LrnParams p{isa, 2, 7, 300, size, 0.3f, 0.75f, 1.5f};
      Buffer src(2 * 7 * 300), first(src.size());
      src.FillRandom(random);
      for (int parts : {1, 2, 3}) {
        Buffer dst(src.size());
        RunParts(LrnPhases(p), parts, [&](int phase, Part part) {
          RunLrn(p, {src.data(), dst.data()}, phase, part);
        });
        dst.CheckGuards();
        if (parts == 1) std::copy_n(dst.data(), dst.size(), first.data());
        ASSERT_TRUE(SameBits(first, dst));
      }
      for (int64_t i = 0; i < src.size(); ++i) {
        const int64_t channel = i / 300 % 7;
        double squares = 0;
        for (int64_t k = std::max<int64_t>(0, channel - (size - 1) / 2);
             k <= std::min<int64_t>(6, channel + size / 2); ++k) {
          squares += double{src[i + (k - channel) * 300]} * src[i + (k - channel) * 300];
        }
        const double exact = src[i] / std::pow(1.5 + 0.3f / double(size) * squares, 0.75);
        ASSERT_NEAR(first[i], exact, 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace cairn::kernels
