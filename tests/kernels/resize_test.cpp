// SPDX-License-Identifier: Apache-2.0
// Resize against the formulas of the standard, evaluated without tables, one output at a time.
#include "kernels/resize/resize.h"

#include "kernel_testing.h"

namespace cairn::kernels {
namespace {

double Position(const ResizeAxisSpec& s, int64_t i) {
  const double in = double(s.in), out = double(s.out), x = double(i);
  switch (s.coordinates) {
    case ResizeCoordinates::kHalfPixel:
      return (x + 0.5) / s.scale - 0.5;
    case ResizeCoordinates::kHalfPixelSymmetric:
      return in / 2 * (1 - out / (s.scale * in)) + (x + 0.5) / s.scale - 0.5;
    case ResizeCoordinates::kPytorchHalfPixel:
      return s.out > 1 ? (x + 0.5) / s.scale - 0.5 : 0;
    case ResizeCoordinates::kAlignCorners:
      return s.out == 1 ? 0 : x * (in - 1) / (out - 1);
    case ResizeCoordinates::kAsymmetric:
      return x / s.scale;
    case ResizeCoordinates::kTfHalfPixelForNn:
      return (x + 0.5) / s.scale;
    case ResizeCoordinates::kTfCropAndResize:
      return s.out > 1
                 ? s.roi_start * (in - 1) + x * (s.roi_end - s.roi_start) * (in - 1) / (out - 1)
                 : 0.5 * (s.roi_start + s.roi_end) * (in - 1);
  }
  return 0;
}

double Cubic(double t, double a) {
  t = std::abs(t);
  if (t <= 1) return (a + 2) * t * t * t - (a + 3) * t * t + 1;
  if (t < 2) return a * t * t * t - 5 * a * t * t + 8 * a * t - 4 * a;
  return 0;
}

// Interpolates the line value(0..in-1) at output i; NaN where it is to be extrapolated.
template <class Value>
double Interpolate(const ResizeAxisSpec& s, int64_t i, const Value& value) {
  const double x = Position(s, i);
  const auto clamped = [&](int64_t j) { return value(std::clamp<int64_t>(j, 0, s.in - 1)); };
  if (s.coordinates == ResizeCoordinates::kTfCropAndResize && (x < 0 || x > double(s.in - 1))) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (s.mode == ResizeMode::kNearest) {
    const double below = std::floor(x), half = x - below;
    switch (s.nearest) {
      case ResizeNearest::kFloor:
        return clamped(int64_t(below));
      case ResizeNearest::kCeil:
        return clamped(int64_t(std::ceil(x)));
      case ResizeNearest::kRoundPreferFloor:
        return clamped(int64_t(below) + (half > 0.5));
      case ResizeNearest::kRoundPreferCeil:
        return clamped(int64_t(below) + (half >= 0.5));
    }
  }
  const double stretch = s.antialias ? std::min(1.0, s.scale) : 1;
  const double reach = (s.mode == ResizeMode::kCubic ? 2 : 1) / stretch;
  double sum = 0, total = 0;
  for (int64_t j = int64_t(std::floor(x - reach)) - 1; j <= int64_t(x + reach) + 1; ++j) {
    const double t = (double(j) - x) * stretch;
    double w = s.mode == ResizeMode::kCubic ? Cubic(t, s.cubic_coefficient)
                                            : std::max(0.0, 1 - std::abs(t));
    if (s.exclude_outside && (j < 0 || j >= s.in)) w = 0;
    sum += w * clamped(j);
    total += w;
  }
  return s.exclude_outside || stretch < 1 ? sum / total : sum;
}

TEST(Resize, MatchesTheFormulas) {
  std::mt19937 random(8);
  const auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  for (Isa isa : AvailableIsas()) {
    for (int trial = 0; trial < 120; ++trial) {
      ResizeParams p{};
      p.isa = isa;
      p.outer = pick(1, 3);
      p.inner = std::array<int64_t, 4>{1, 1, VectorFloats(isa), 3}[trial % 4];
      p.element_bytes = 4;
      p.extrapolation = 0.625f;
      const auto mode = static_cast<ResizeMode>(trial % 3);
      p.nearest = mode == ResizeMode::kNearest;
      const auto coordinates = static_cast<ResizeCoordinates>(pick(0, 6));
      std::array<ResizeAxisSpec, 3> specs;
      for (int a = 0; a < 3; ++a) {
        ResizeAxisSpec& s = specs[a];
        s = {pick(1, 9),
             pick(1, 19),
             0,
             mode,
             coordinates,
             static_cast<ResizeNearest>(pick(0, 3)),
             -0.75,
             trial % 5 == 0,
             trial % 7 == 0 && !p.nearest,
             0,
             1};
        if (a == 0 && trial % 2) s.in = s.out = 1;
        if (a == 2 && trial % 6 == 1) s.out = 40;
        s.scale = double(s.out) / double(s.in);
        if (trial % 11 == 3 && s.out > 2) s.scale += 0.3 / double(s.in);
        if (coordinates == ResizeCoordinates::kTfCropAndResize) s.roi_start = 0.1, s.roi_end = 1.2;
        p.axes[a] = MakeResizeAxis(s);
      }
      const auto &x = specs[0], &y = specs[1], &z = specs[2];
      Buffer src(p.outer * x.in * y.in * z.in * p.inner);
      src.FillRandom(random);
      const int64_t size = p.outer * x.out * y.out * z.out * p.inner;
      Buffer first(size);
      for (int parts : {1, 2, 3}) {
        Buffer dst(size), workspace(static_cast<int64_t>(ResizeWorkspaceBytes(p, parts) / 4));
        RunParts(ResizePhases(p), parts, [&](int phase, Part part) {
          RunResize(p, {src.data(), dst.data(), workspace.data()}, phase, part);
        });
        dst.CheckGuards();
        workspace.CheckGuards();
        if (parts == 1) std::copy_n(dst.data(), size, first.data());
        ASSERT_TRUE(SameBits(first, dst));
      }
      for (int64_t i = 0; i < size; ++i) {
        const int64_t c = i % p.inner, iz = i / p.inner % z.out, iy = i / p.inner / z.out % y.out;
        const int64_t ix = i / p.inner / z.out / y.out % x.out;
        const int64_t o = i / p.inner / z.out / y.out / x.out;
        const double exact = Interpolate(x, ix, [&](int64_t jx) {
          return Interpolate(y, iy, [&](int64_t jy) {
            return Interpolate(z, iz, [&](int64_t jz) {
              return double{src[(((o * x.in + jx) * y.in + jy) * z.in + jz) * p.inner + c]};
            });
          });
        });
        ASSERT_NEAR(first[i], std::isnan(exact) ? 0.625 : exact, 2e-6) << "trial " << trial;
      }
    }
  }
}

TEST(Resize, NearestMovesElementsOfAnySize) {
  for (int bytes : {1, 2, 8}) {
    ResizeParams p{};
    p.isa = AvailableIsas().front();
    p.nearest = true;
    p.element_bytes = bytes;
    p.outer = 2;
    p.inner = 1;
    for (int a = 0; a < 3; ++a) {
      const int64_t in = a == 0 ? 1 : 3;
      p.axes[a] =
          MakeResizeAxis({in, 2 * in, 2.0, ResizeMode::kNearest, ResizeCoordinates::kAsymmetric,
                          ResizeNearest::kFloor, 0, false, false, 0, 1});
    }
    std::vector<uint8_t> src(18 * bytes), dst(2 * 2 * 36 * bytes);
    for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<uint8_t>(i + 1);
    for (int i = 0; i < 2; ++i) RunResize(p, {src.data(), dst.data(), nullptr}, 0, {i, 2});
    for (int64_t i = 0; i < 144; ++i) {
      const int64_t from = (i / 72 * 3 + i / 6 % 6 / 2) * 3 + i % 6 / 2;
      ASSERT_TRUE(std::equal(&src[from * bytes], &src[from * bytes] + bytes, &dst[i * bytes]));
    }
  }
}

}  // namespace
}  // namespace cairn::kernels
