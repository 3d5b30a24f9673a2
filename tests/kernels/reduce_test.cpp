// SPDX-License-Identifier: Apache-2.0
// Reductions over any axes against double precision, and positions of extremes.
#include "kernels/reduce/reduce.h"

#include "kernel_testing.h"

namespace cairn::kernels {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

struct Shape {
  std::vector<int64_t> dims;
  std::vector<int> reduced;
};

double Naive(ReduceKind kind, const std::vector<double>& terms) {
  double sum = 0, abs = 0, squares = 0, product = 1, most = -kInf, least = kInf, exps = 0;
  for (double x : terms) {
    sum += x;
    abs += std::abs(x);
    squares += x * x;
    product *= x;
    exps += std::exp(x);
    if (x > most || std::isnan(x)) most = x;
    if (x < least || std::isnan(x)) least = x;
    if (std::isnan(x)) return kNan;
  }
  switch (kind) {
    case ReduceKind::kSum:
      return sum;
    case ReduceKind::kMean:
      return sum / static_cast<double>(terms.size());
    case ReduceKind::kMax:
      return most;
    case ReduceKind::kMin:
      return least;
    case ReduceKind::kProd:
      return product;
    case ReduceKind::kL1:
      return abs;
    case ReduceKind::kL2:
      return std::sqrt(squares);
    case ReduceKind::kSumSquare:
      return squares;
    case ReduceKind::kLogSum:
      return std::log(sum);
    case ReduceKind::kLogSumExp:
      return std::log(exps);
  }
  return 0;
}

TEST(Reduce, MatchesTheDefinitionOnAnyAxes) {
  const Shape shapes[] = {{{}, {}},
                          {{7}, {1}},
                          {{5000}, {1}},
                          {{0}, {1}},
                          {{3, 0}, {0, 1}},
                          {{6, 9}, {0, 1}},
                          {{6, 9}, {1, 0}},
                          {{3, 49, 8}, {0, 1, 0}},
                          {{2, 600, 37}, {0, 1, 0}},
                          {{2, 5, 300}, {0, 1, 0}},
                          {{4, 3, 5, 7}, {1, 0, 1, 0}},
                          {{4, 3, 5, 7}, {0, 1, 0, 1}},
                          {{4, 1, 5, 7}, {0, 1, 1, 1}},
                          {{2, 3, 4, 5, 3}, {1, 0, 0, 1, 0}},
                          {{2, 3, 4}, {0, 0, 0}}};
  std::mt19937 random(4);
  for (Isa isa : AvailableIsas()) {
    for (const Shape& shape : shapes) {
      for (int k = 0; k <= static_cast<int>(ReduceKind::kLogSumExp); ++k) {
        ReduceParams p{
            isa, static_cast<ReduceKind>(k), static_cast<int>(shape.dims.size()), {}, {}};
        int64_t size = 1, outputs = 1;
        for (int i = 0; i < p.rank; ++i) {
          p.dims[i] = shape.dims[i];
          p.reduced[i] = shape.reduced[i] != 0;
          size *= p.dims[i];
          if (!p.reduced[i]) outputs *= p.dims[i];
        }
        Buffer src(size), first(outputs);
        src.FillRandom(random);
        const bool nan = (p.kind == ReduceKind::kMax || p.kind == ReduceKind::kMin) && size > 9;
        if (nan) src[size / 2] = kNan;
        if (p.kind == ReduceKind::kLogSum || p.kind == ReduceKind::kProd) {
          for (int64_t i = 0; i < size; ++i) src[i] = 1 + src[i] * 0.001f;
        }
        std::vector<std::vector<double>> terms(outputs);
        for (int64_t i = 0; i < size; ++i) {
          int64_t rest = i, at = 0, scale = 1;
          for (int d = p.rank - 1; d >= 0; --d) {
            if (!p.reduced[d]) at += rest % p.dims[d] * scale, scale *= p.dims[d];
            rest /= p.dims[d];
          }
          terms[at].push_back(src[i]);
        }
        for (int parts : {1, 2, 3}) {
          Buffer dst(outputs);
          RunParts(ReducePhases(p), parts, [&](int phase, Part part) {
            RunReduce(p, {src.data(), dst.data()}, phase, part);
          });
          dst.CheckGuards();
          if (parts == 1) std::copy_n(dst.data(), outputs, first.data());
          ASSERT_TRUE(SameBits(first, dst));
        }
        for (int64_t i = 0; i < outputs; ++i) {
          const double exact = Naive(p.kind, terms[i]);
          if (std::isnan(exact) || std::isinf(exact)) {
            ASSERT_TRUE(std::isnan(exact) ? std::isnan(first[i]) : first[i] == exact);
            continue;
          }
          // Relative to what a sum of magnitudes would be.
          const double scale = std::max(1.0, std::sqrt(static_cast<double>(terms[i].size())));
          ASSERT_NEAR(first[i], exact, 5e-7 * (std::abs(exact) + scale)) << "kind " << k;
        }
      }
    }
  }
}

TEST(Reduce, LogSumExpOfInfinities) {
  for (Isa isa : AvailableIsas()) {
    const ReduceParams p{isa, ReduceKind::kLogSumExp, 2, {2, 3}, {false, true}};
    const float src[] = {-kInf, -kInf, -kInf, 1, kInf, 2};
    float dst[2];
    RunReduce(p, {src, dst}, 0, {0, 1});
    EXPECT_EQ(dst[0], -kInf);
    EXPECT_EQ(dst[1], kInf);
  }
}

TEST(ArgExtreme, FindsFirstOrLast) {
  const float src[] = {1, 5, 5, -2, 3, 3, -2, kNan, 4, kNan, 0, 0};
  int64_t dst[3];
  const auto run = [&](bool greatest, bool last, int64_t outer, int64_t axis, int64_t inner) {
    for (int i = 0; i < 2; ++i) {
      RunArgExtreme({greatest, last, outer, axis, inner}, {src, dst}, 0, {i, 2});
    }
    return std::vector<int64_t>(dst, dst + outer * inner);
  };
  EXPECT_EQ(run(true, false, 3, 4, 1), (std::vector<int64_t>{1, 3, 1}));
  EXPECT_EQ(run(true, true, 3, 4, 1), (std::vector<int64_t>{2, 3, 1}));
  EXPECT_EQ(run(false, false, 1, 2, 3), (std::vector<int64_t>{1, 1, 1}));
  EXPECT_EQ(run(false, true, 2, 2, 1), (std::vector<int64_t>{0, 1}));
}

}  // namespace
}  // namespace cairn::kernels
