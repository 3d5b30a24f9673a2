// SPDX-License-Identifier: Apache-2.0
// Row normalisation and local response normalisation.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/norm/norm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include "kernels/dispatch.h"
#include "kernels/elementwise/vector_math-inl.h"
#include "kernels/norm/norm.h"
#include "kernels/reduce/row_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using rows::D;
using rows::V;

struct Moments {
  float mean, inv_std;
};

Moments RowMoments(const NormParams& p, const float* row) {
  const D d;
  const auto size = static_cast<double>(p.size);
  float mean = 0;
  if (p.kind == NormKind::kMeanVariance) {
    mean = static_cast<float>(rows::MappedSum(row, p.size, [](V x) HWY_ATTR { return x; }) / size);
  }
  const V center = hn::Set(d, mean);
  const double squares = rows::MappedSum(row, p.size, [&](V x) HWY_ATTR {
    const V difference = hn::Sub(x, center);
    return hn::Mul(difference, difference);
  });
  return {mean, static_cast<float>(1 / std::sqrt(squares / size + p.epsilon))};
}

void ScaleByElement(const Moments& m, const float* row, const float* scale, const float* bias,
                    float* dst, int64_t count) {
  const D d;
  const V center = hn::Set(d, m.mean), factor = hn::Set(d, m.inv_std), one = hn::Set(d, 1.0f);
  rows::ForEachVector(count, [&](auto load, auto store) HWY_ATTR {
    const V normal = hn::Mul(hn::Sub(load(row), center), factor);
    const V shift = bias ? load(bias) : hn::Zero(d);
    store(hn::MulAdd(normal, scale ? load(scale) : one, shift), dst);
  });
}

void ScaleBySpan(const Moments& m, const float* row, float scale, float bias, float* dst,
                 int64_t count) {
  const D d;
  const V center = hn::Set(d, m.mean), factor = hn::Set(d, m.inv_std);
  const V gain = hn::Set(d, scale), shift = hn::Set(d, bias);
  rows::ForEachVector(count, [&](auto load, auto store) HWY_ATTR {
    const V normal = hn::Mul(hn::Sub(load(row), center), factor);
    store(hn::MulAdd(normal, gain, shift), dst);
  });
}

// Columns handled together by the local response normalisation.
constexpr int64_t kColumns = 256;

void LrnColumns(const LrnParams& p, const float* src, float* dst, int64_t count) {
  const D d;
  const V alpha = hn::Set(d, p.alpha / static_cast<float>(p.size));
  const V bias = hn::Set(d, p.bias), minus_beta = hn::Set(d, -p.beta);
  for (int64_t c = 0; c < p.channels; ++c) {
    const int64_t first = std::max<int64_t>(0, c - (p.size - 1) / 2);
    const int64_t last = std::min(p.channels, c + p.size / 2 + 1);
    const float* row = src + c * p.pixels;
    rows::ForEachVector(count, [&](auto load, auto store) HWY_ATTR {
      V squares = hn::Zero(d);
      for (int64_t k = first; k < last; ++k) {
        const V x = load(src + k * p.pixels);
        squares = hn::MulAdd(x, x, squares);
      }
      const V log = math::Log(d, hn::MulAdd(alpha, squares, bias));
      store(hn::Mul(load(row), math::Exp(d, hn::Mul(minus_beta, log))), dst + c * p.pixels);
    });
  }
}

}  // namespace

void Norm(const NormParams& p, const NormBuffers& b, Part part) {
  if (p.size == 0) return;
  const Range range = PartRange(p.rows, 1, part);
  for (int64_t r = range.begin; r < range.end; ++r) {
    const float* row = b.src + r * p.size;
    if (b.residual != nullptr) {
      const float* residual = b.residual + r * p.size;
      float* sum = b.sum + r * p.size;
      rows::ForEachVector(p.size, [&](auto load, auto store)
                                      HWY_ATTR { store(hn::Add(load(row), load(residual)), sum); });
      row = sum;
    }
    const Moments m = RowMoments(p, row);
    if (b.mean != nullptr) b.mean[r] = m.mean;
    if (b.inv_std != nullptr) b.inv_std[r] = m.inv_std;
    float* dst = b.dst + r * p.size;
    if (p.spans == 0) {
      ScaleByElement(m, row, b.scale, b.bias, dst, p.size);
      continue;
    }
    const int64_t span = p.size / p.spans, first = r % p.row_period * p.spans;
    for (int64_t s = 0; s < p.spans; ++s) {
      ScaleBySpan(m, row + s * span, b.scale ? b.scale[first + s] : 1.0f,
                  b.bias ? b.bias[first + s] : 0.0f, dst + s * span, span);
    }
  }
}

void Lrn(const LrnParams& p, const LrnBuffers& b, Part part) {
  const int64_t tiles = (p.pixels + kColumns - 1) / kColumns;
  const Range range = PartRange(p.batch * tiles, 1, part);
  for (int64_t i = range.begin; i < range.end; ++i) {
    const int64_t column = i % tiles * kColumns;
    const int64_t offset = i / tiles * p.channels * p.pixels + column;
    LrnColumns(p, b.src + offset, b.dst + offset, std::min(kColumns, p.pixels - column));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {
namespace {
using NormFn = void (*)(const NormParams&, const NormBuffers&, Part);
using LrnFn = void (*)(const LrnParams&, const LrnBuffers&, Part);
NormFn SelectNorm(Isa isa){CAIRN_SELECT(isa, Norm)} LrnFn SelectLrn(Isa isa) {
  CAIRN_SELECT(isa, Lrn)
}
}  // namespace
void RunNorm(const NormParams& params, const NormBuffers& buffers, int /*phase*/, Part part) {
  SelectNorm(params.isa)(params, buffers, part);
}
void RunLrn(const LrnParams& params, const LrnBuffers& buffers, int /*phase*/, Part part) {
  SelectLrn(params.isa)(params, buffers, part);
}
}  // namespace cairn::kernels
#endif
