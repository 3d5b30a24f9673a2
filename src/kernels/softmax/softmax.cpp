// SPDX-License-Identifier: Apache-2.0
// Softmax of rows (axis last) and of column tiles (any other axis).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax/softmax.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include "kernels/dispatch.h"
#include "kernels/elementwise/vector_math-inl.h"
#include "kernels/reduce/row_loops-inl.h"
#include "kernels/softmax/softmax.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using rows::D;
using rows::V;

void SoftmaxRow(const float* src, float* dst, int64_t count) {
  const D d;
  const V most = hn::Set(d, rows::MaxIgnoringNan(src, count));
  rows::ForEachVector(count, [&](auto load, auto store) HWY_ATTR {
    store(math::ExpOfNonPositive(d, hn::Sub(load(src), most)), dst);
  });
  const double sum = rows::MappedSum(dst, count, [](V x) HWY_ATTR { return x; });
  const V factor = hn::Set(d, static_cast<float>(1 / sum));
  rows::ForEachVector(
      count, [&](auto load, auto store) HWY_ATTR { store(hn::Mul(load(dst), factor), dst); });
}

void LogSoftmaxRow(const float* src, float* dst, int64_t count) {
  const D d;
  const V most = hn::Set(d, rows::MaxIgnoringNan(src, count));
  const double sum = rows::MappedSum(
      src, count, [&](V x) HWY_ATTR { return math::ExpOfNonPositive(d, hn::Sub(x, most)); });
  const V log_sum = hn::Set(d, static_cast<float>(std::log(sum)));
  rows::ForEachVector(count, [&](auto load, auto store) HWY_ATTR {
    store(hn::Sub(hn::Sub(load(src), most), log_sum), dst);
  });
}

// Columns handled together when the axis is not the last.
constexpr int64_t kColumns = 64;

// `count` <= kColumns neighbouring columns of an [axis, inner] matrix.
void SoftmaxColumns(const SoftmaxParams& p, const float* src, float* dst, int64_t count) {
  const D d;
  alignas(64) float most[kColumns], sum[kColumns];
  std::fill_n(most, kColumns, -std::numeric_limits<float>::infinity());
  std::fill_n(sum, kColumns, 0.0f);
  for (int64_t a = 0; a < p.axis; ++a) {
    const float* row = src + a * p.inner;
    rows::ForEachVector(count, [&](auto load, auto store)
                                   HWY_ATTR { store(hn::Max(load(row), load(most)), most); });
  }
  for (int64_t a = 0; a < p.axis; ++a) {
    const float* row = src + a * p.inner;
    float* out = dst + a * p.inner;
    rows::ForEachVector(count, [&](auto load, auto store) HWY_ATTR {
      const V shifted = hn::Sub(load(row), load(most));
      const V e = math::ExpOfNonPositive(d, shifted);
      store(hn::Add(load(sum), e), sum);
      store(p.log ? shifted : e, out);
    });
  }
  for (int64_t i = 0; i < count; ++i) sum[i] = p.log ? std::log(sum[i]) : 1 / sum[i];
  for (int64_t a = 0; a < p.axis; ++a) {
    float* out = dst + a * p.inner;
    rows::ForEachVector(count, [&](auto load, auto store) HWY_ATTR {
      const V x = load(out), s = load(sum);
      store(p.log ? hn::Sub(x, s) : hn::Mul(x, s), out);
    });
  }
}

}  // namespace

void Softmax(const SoftmaxParams& p, const SoftmaxBuffers& buffers, Part part) {
  if (p.axis == 0 || p.inner == 0) return;
  if (p.inner == 1) {
    const auto run = p.log ? LogSoftmaxRow : SoftmaxRow;
    const Range range = PartRange(p.outer, 1, part);
    for (int64_t i = range.begin; i < range.end; ++i) {
      run(buffers.src + i * p.axis, buffers.dst + i * p.axis, p.axis);
    }
    return;
  }
  const int64_t tiles = (p.inner + kColumns - 1) / kColumns;
  const Range range = PartRange(p.outer * tiles, 1, part);
  for (int64_t i = range.begin; i < range.end; ++i) {
    const int64_t column = i % tiles * kColumns;
    const int64_t offset = i / tiles * p.axis * p.inner + column;
    SoftmaxColumns(p, buffers.src + offset, buffers.dst + offset,
                   std::min(kColumns, p.inner - column));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {
namespace {
using SoftmaxFn = void (*)(const SoftmaxParams&, const SoftmaxBuffers&, Part);
SoftmaxFn Select(Isa isa) { CAIRN_SELECT(isa, Softmax) }
}  // namespace
void RunSoftmax(const SoftmaxParams& params, const SoftmaxBuffers& buffers, int /*phase*/,
                Part part) {
  Select(params.isa)(params, buffers, part);
}
}  // namespace cairn::kernels
#endif
