// SPDX-License-Identifier: Apache-2.0
// Errors of the transcendental functions in units in the last place
// against long double, and their special values.
#include <algorithm>
#include <cmath>

#include "kernel_testing.h"
#include "kernels/elementwise/tile_ops.h"

namespace cairn::kernels {
namespace {

using Exact = long double (*)(long double);
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> Apply(Isa isa, EltOp op, const std::vector<float>& x,
                         const std::vector<float>& y = {}) {
  const ptrdiff_t lanes = VectorFloats(isa);
  const ptrdiff_t padded = (static_cast<ptrdiff_t>(x.size()) + lanes - 1) / lanes * lanes;
  std::vector<float> a(x), b(y), dst(padded);
  a.resize(padded);
  b.resize(padded);
  const TileSource first{a.data(), 0, lanes}, second{b.data(), 0, lanes};
  GetTileOp(isa, op)({dst.data(), 0, {first, second, second}, 1, padded / lanes});
  dst.resize(x.size());
  return dst;
}

double UlpError(float found, long double exact) {
  if (std::isnan(exact)) return std::isnan(found) ? 0 : 1e9;
  const auto rounded = static_cast<float>(exact);
  if (std::isinf(rounded) || std::isinf(found)) return rounded == found ? 0 : 1e9;
  const int exponent = std::max(std::ilogb(exact == 0 ? 1e-38L : std::abs(exact)), -126);
  return static_cast<double>(std::abs(found - exact) / std::ldexp(1.0L, exponent - 23));
}

// Values of all magnitudes in [low, high], dense near 0 and evenly spread.
std::vector<float> Samples(float low, float high) {
  std::vector<float> x;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(low, high), exponent(-30.0f, 0.0f);
  for (int i = 0; i < 60000; ++i) {
    x.push_back(uniform(random));
    x.push_back(x.back() * std::exp2(exponent(random)));
  }
  return x;
}

struct Case {
  EltOp op;
  const char* name;
  Exact exact;
  float low, high;
  double ulp;
};

const Case kCases[] = {
    {EltOp::kExp, "exp", [](long double x) { return std::exp(x); }, -87, 88.7f, 1.1},
    {EltOp::kExpm1, "expm1", [](long double x) { return std::expm1(x); }, -30, 88.7f, 1.6},
    {EltOp::kLog, "log", [](long double x) { return std::log(x); }, 1e-30f, 10, 1.1},
    {EltOp::kLog, "log large", [](long double x) { return std::log(x); }, 1, 1e38f, 1.1},
    {EltOp::kSin, "sin", [](long double x) { return std::sin(x); }, -30, 30, 1.5},
    {EltOp::kSin, "sin large", [](long double x) { return std::sin(x); }, -1e9f, 1e9f, 1.5},
    {EltOp::kCos, "cos", [](long double x) { return std::cos(x); }, -30, 30, 1.5},
    {EltOp::kCos, "cos large", [](long double x) { return std::cos(x); }, -1e6f, 1e6f, 1.5},
    {EltOp::kTanh, "tanh", [](long double x) { return std::tanh(x); }, -12, 12, 2.6},
    {EltOp::kErf, "erf", [](long double x) { return std::erf(x); }, -5, 5, 1.8},
    {EltOp::kRsqrt, "rsqrt", [](long double x) { return 1 / std::sqrt(x); }, 1e-20f, 1e5f, 1.5},
    {EltOp::kSigmoid, "sigmoid", [](long double x) { return 1 / (1 + std::exp(-x)); }, -86, 40,
     2.6},
    {EltOp::kSilu, "silu", [](long double x) { return x / (1 + std::exp(-x)); }, -80, 40, 3.1},
    {EltOp::kSoftplus, "softplus", [](long double x) { return std::log1p(std::exp(x)); }, -80, 80,
     2.4},
    {EltOp::kMish, "mish", [](long double x) { return x * std::tanh(std::log1p(std::exp(x))); },
     -80, 80, 4},
    {EltOp::kGelu, "gelu", [](long double x) { return x / 2 * std::erfc(-x / std::sqrt(2.0L)); },
     -0.5f, 20, 4},
};

TEST(VectorMath, StaysWithinTheDocumentedUlps) {
  for (Isa isa : AvailableIsas()) {
    for (const Case& c : kCases) {
      const std::vector<float> x = Samples(c.low, c.high);
      const std::vector<float> y = Apply(isa, c.op, x);
      double worst = 0;
      float at = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        const double error = UlpError(y[i], c.exact(x[i]));
        if (error > worst) worst = error, at = x[i];
      }
      EXPECT_LE(worst, c.ulp) << c.name << " at " << at << " on " << IsaName(isa);
      RecordProperty(std::string(c.name) + IsaName(isa), std::to_string(worst));
    }
  }
}

TEST(VectorMath, GeluTailsStayWithinTheDocumentedAbsoluteError) {
  for (Isa isa : AvailableIsas()) {
    const std::vector<float> x = Samples(-40, 10);
    const std::vector<float> erf_form = Apply(isa, EltOp::kGelu, x);
    const std::vector<float> tanh_form = Apply(isa, EltOp::kGeluTanh, x);
    for (size_t i = 0; i < x.size(); ++i) {
      const long double v = x[i], u = std::sqrt(2 / std::acos(-1.0L)) * (v + 0.044715L * v * v * v);
      ASSERT_NEAR(erf_form[i], static_cast<double>(v / 2 * std::erfc(-v / std::sqrt(2.0L))),
                  2e-7 * std::abs(x[i]));
      ASSERT_NEAR(tanh_form[i], static_cast<double>(v / 2 * (1 + std::tanh(u))),
                  3e-7 * std::abs(x[i]));
    }
  }
}

TEST(VectorMath, PowIsWithinOneUlp) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> base(-20, 20), power(-12, 12);
  std::vector<float> x, y;
  for (int i = 0; i < 40000; ++i) {
    x.push_back(i % 2 ? base(random) : std::abs(base(random)) * std::exp2(power(random)));
    y.push_back(i % 2 ? std::round(power(random)) : power(random));
  }
  for (float special : {0.0f, -0.0f, 1.0f, -1.0f, kInf, -kInf, kNan, 2.5f, -2.5f}) {
    for (float exponent : {0.0f, 1.0f, -1.0f, 2.0f, 3.0f, -3.0f, 0.5f, kInf, -kInf, kNan}) {
      x.push_back(special);
      y.push_back(exponent);
    }
  }
  for (Isa isa : AvailableIsas()) {
    const std::vector<float> z = Apply(isa, EltOp::kPow, x, y);
    for (size_t i = 0; i < x.size(); ++i) {
      const long double exact = std::pow(static_cast<long double>(x[i]), y[i]);
      ASSERT_LE(UlpError(z[i], exact), 1.0) << x[i] << " ^ " << y[i] << " = " << z[i];
    }
  }
}

TEST(VectorMath, SpecialValues) {
  struct Special {
    EltOp op;
    float x, y;
  };
  const Special specials[] = {
      {EltOp::kExp, -kInf, 0},     {EltOp::kExp, kInf, kInf},      {EltOp::kExp, 200, kInf},
      {EltOp::kExp, -200, 0},      {EltOp::kExpm1, -kInf, -1},     {EltOp::kExpm1, kInf, kInf},
      {EltOp::kLog, 0, -kInf},     {EltOp::kLog, -1, kNan},        {EltOp::kLog, kInf, kInf},
      {EltOp::kLog, 1, 0},         {EltOp::kTanh, kInf, 1},        {EltOp::kTanh, -kInf, -1},
      {EltOp::kErf, kInf, 1},      {EltOp::kErf, -kInf, -1},       {EltOp::kSigmoid, kInf, 1},
      {EltOp::kSigmoid, -kInf, 0}, {EltOp::kSoftplus, kInf, kInf}, {EltOp::kSoftplus, -kInf, 0},
      {EltOp::kGelu, kInf, kInf},  {EltOp::kGelu, -1e30f, 0},      {EltOp::kGelu, -15, 0},
      {EltOp::kSin, kInf, kNan},   {EltOp::kCos, -kInf, kNan},     {EltOp::kMish, kInf, kInf},
      {EltOp::kRelu, -kInf, 0},    {EltOp::kRelu, kInf, kInf},     {EltOp::kRsqrt, 0, kInf},
      {EltOp::kSqrt, -1, kNan},    {EltOp::kRound, 2.5f, 2},       {EltOp::kRound, -1.5f, -2},
      {EltOp::kSign, -kInf, -1},   {EltOp::kSign, 0, 0},           {EltOp::kRound, 1e10f, 1e10f},
  };
  for (Isa isa : AvailableIsas()) {
    for (const Special& s : specials) {
      const float found = Apply(isa, s.op, {s.x})[0];
      if (std::isnan(s.y)) {
        EXPECT_TRUE(std::isnan(found)) << int(s.op) << " of " << s.x << " is " << found;
      } else if (s.op == EltOp::kGelu && s.y == 0) {
        EXPECT_LE(std::abs(found), 1e-20f) << s.x;
      } else {
        EXPECT_EQ(found, s.y) << int(s.op) << " of " << s.x;
      }
    }
    // NaN in, NaN out; but a threshold lets only larger numbers pass.
    EXPECT_EQ(Apply(isa, EltOp::kThresholdedRelu, {kNan}, {0.5f})[0], 0);
    for (int i = 0; i < static_cast<int>(EltOp::kEqual); ++i) {
      const auto op = static_cast<EltOp>(i);
      if (op == EltOp::kThresholdedRelu) continue;
      EXPECT_TRUE(std::isnan(Apply(isa, op, {kNan}, {0.5f})[0])) << i;
    }
    for (EltOp op : {EltOp::kMin, EltOp::kMax, EltOp::kAdd, EltOp::kMul}) {
      EXPECT_TRUE(std::isnan(Apply(isa, op, {1}, {kNan})[0]));
    }
  }
}

}  // namespace
}  // namespace cairn::kernels
