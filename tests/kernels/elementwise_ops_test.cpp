// SPDX-License-Identifier: Apache-2.0
// Each operation of the element-wise engine against its definition.
#include "base/half.h"
#include "kernel_testing.h"
#include "kernels/elementwise/tile_ops.h"
#include "threads/denormals.h"

namespace cairn::kernels {
namespace {

using Exact = double (*)(double a, double b, double c);
struct Definition {
  EltOp op;
  Exact exact;
};

const Definition kDefinitions[] = {
    {EltOp::kCopy, [](double a, double, double) { return a; }},
    {EltOp::kAdd, [](double a, double b, double) { return a + b; }},
    {EltOp::kSub, [](double a, double b, double) { return a - b; }},
    {EltOp::kMul, [](double a, double b, double) { return a * b; }},
    {EltOp::kDiv, [](double a, double b, double) { return a / b; }},
    {EltOp::kMin, [](double a, double b, double) { return std::min(a, b); }},
    {EltOp::kMax, [](double a, double b, double) { return std::max(a, b); }},
    {EltOp::kMulAdd, [](double a, double b, double c) { return a * b + c; }},
    {EltOp::kNeg, [](double a, double, double) { return -a; }},
    {EltOp::kAbs, [](double a, double, double) { return std::abs(a); }},
    {EltOp::kSign, [](double a, double, double) { return double((a > 0) - (a < 0)); }},
    {EltOp::kReciprocal, [](double a, double, double) { return 1 / a; }},
    {EltOp::kSquare, [](double a, double, double) { return a * a; }},
    {EltOp::kCube, [](double a, double, double) { return a * a * a; }},
    {EltOp::kFloor, [](double a, double, double) { return std::floor(a); }},
    {EltOp::kCeil, [](double a, double, double) { return std::ceil(a); }},
    {EltOp::kRound, [](double a, double, double) { return std::nearbyint(a); }},
    {EltOp::kRoundF16,
     [](double a, double, double) { return double{F16ToF32(F32ToF16(static_cast<float>(a)))}; }},
    {EltOp::kRoundBf16,
     [](double a, double, double) { return double{Bf16ToF32(F32ToBf16(static_cast<float>(a)))}; }},
    {EltOp::kTrunc, [](double a, double, double) { return std::trunc(a); }},
    {EltOp::kRelu, [](double a, double, double) { return std::max(a, 0.0); }},
    {EltOp::kSoftsign, [](double a, double, double) { return a / (1 + std::abs(a)); }},
    {EltOp::kHardSwish,
     [](double a, double, double) { return a * std::min(std::max(a / 6 + 0.5, 0.0), 1.0); }},
    {EltOp::kLeakyRelu, [](double a, double b, double) { return a < 0 ? a * b : a; }},
    {EltOp::kClip, [](double a, double b, double c) { return std::min(std::max(a, b), c); }},
    {EltOp::kHardSigmoid,
     [](double a, double b, double c) { return std::min(std::max(a * b + c, 0.0), 1.0); }},
    {EltOp::kElu, [](double a, double b, double) { return a < 0 ? b * std::expm1(a) : a; }},
    {EltOp::kSelu,
     [](double a, double b, double c) { return c * (a < 0 ? b * std::expm1(a) : a); }},
    {EltOp::kCelu, [](double a, double b, double) { return a < 0 ? b * std::expm1(a / b) : a; }},
    {EltOp::kThresholdedRelu, [](double a, double b, double) { return a > b ? a : 0; }},
    {EltOp::kEqual, [](double a, double b, double) { return double(a == b); }},
    {EltOp::kNotEqual, [](double a, double b, double) { return double(a != b); }},
    {EltOp::kLess, [](double a, double b, double) { return double(a < b); }},
    {EltOp::kLessEqual, [](double a, double b, double) { return double(a <= b); }},
    {EltOp::kGreater, [](double a, double b, double) { return double(a > b); }},
    {EltOp::kGreaterEqual, [](double a, double b, double) { return double(a >= b); }},
    {EltOp::kNot, [](double a, double, double) { return double(a == 0); }},
    {EltOp::kAnd, [](double a, double b, double) { return double(a != 0 && b != 0); }},
    {EltOp::kOr, [](double a, double b, double) { return double(a != 0 || b != 0); }},
    {EltOp::kXor, [](double a, double b, double) { return double((a != 0) != (b != 0)); }},
    {EltOp::kIsNan, [](double a, double, double) { return double(std::isnan(a)); }},
    {EltOp::kIsInf, [](double a, double, double) { return double(std::isinf(a)); }},
    {EltOp::kWhere, [](double a, double b, double c) { return a != 0 ? b : c; }},
};

// Steps as in broadcast operands: a walks, b repeats per row, c is one vector.
TEST(ElementwiseOps, FollowTheirDefinitions) {
  std::mt19937 random(7);
  for (Isa isa : AvailableIsas()) {
    const ptrdiff_t lanes = VectorFloats(isa), rows = 5, vectors = 3;
    Buffer a(rows * vectors * lanes), b(rows * lanes), c(lanes), dst(a.size());
    a.FillRandom(random);
    for (int64_t i = 0; i < a.size(); ++i) a[i] *= 8;
    for (int64_t i = 0; i < 6; ++i) a[i * 5 + 1] = i / 2.0f - 1;
    b.FillRandom(random);
    c.FillRandom(random);
    for (int64_t i = 0; i < b.size(); ++i) b[i] = std::abs(i % 3 ? b[i] : a[i]);
    b[1] = 0.5f;
    for (const Definition& definition : kDefinitions) {
      GetTileOp(isa, definition.op)(
          {dst.data(),
           vectors * lanes,
           {{a.data(), vectors * lanes, lanes}, {b.data(), lanes, 0}, {c.data(), 0, 0}},
           rows,
           vectors});
      for (int64_t i = 0; i < dst.size(); ++i) {
        const double exact =
            definition.exact(a[i], b[i / (vectors * lanes) * lanes + i % lanes], c[i % lanes]);
        if (dst[i] == exact) continue;  // Also infinities.
        // The comparison of a and b is exact; everything else rounds at most twice.
        ASSERT_NEAR(dst[i], exact, 4e-7 * std::max(1.0, std::abs(exact)))
            << "operation " << int(definition.op) << " at " << i << " of " << a[i];
      }
      dst.CheckGuards();
    }
  }
}

// Workers flush denormals; comparisons and truth values are exact all the same.
TEST(ElementwiseOps, ComparisonsAreExact) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  constexpr float kTiny = std::numeric_limits<float>::denorm_min();
  const std::vector<float> values = {0,     -0.0f, kTiny, -kTiny, 2 * kTiny, 1,
                                     -1.5f, 3e38f, kInf,  -kInf,  kNan,      -kNan};
  std::mt19937 random(3);
  for (Isa isa : AvailableIsas()) {
    const ptrdiff_t lanes = VectorFloats(isa);
    Buffer a(lanes), b(lanes), c(lanes), dst(lanes);
    c.FillRandom(random);
    for (const Definition& definition : kDefinitions) {
      if (definition.op < EltOp::kEqual || definition.op > EltOp::kWhere) continue;
      for (size_t pair = 0; pair < values.size() * values.size(); ++pair) {
        for (int64_t i = 0; i < lanes; ++i) a[i] = values[pair / values.size()];
        for (int64_t i = 0; i < lanes; ++i) b[i] = values[pair % values.size()];
        {
          const threads::ScopedFlushDenormals flush;
          GetTileOp(isa, definition.op)({dst.data(),
                                         lanes,
                                         {{a.data(), lanes, lanes},
                                          {b.data(), lanes, lanes},
                                          {c.data(), lanes, lanes}},
                                         1,
                                         1});
        }
        const double exact = definition.exact(a[0], b[0], c[0]);
        EXPECT_TRUE(dst[0] == exact || (std::isnan(exact) && std::isnan(dst[0])))
            << "operation " << int(definition.op) << " of " << a[0] << " and " << b[0];
      }
    }
  }
}

TEST(ElementwiseOps, EveryOperationExists) {
  for (Isa isa : AvailableIsas()) {
    for (int i = 0; i < static_cast<int>(EltOp::kCount); ++i) {
      EXPECT_NE(GetTileOp(isa, static_cast<EltOp>(i)), nullptr) << i;
    }
  }
}

}  // namespace
}  // namespace cairn::kernels
