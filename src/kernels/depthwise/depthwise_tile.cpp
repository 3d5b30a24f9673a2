// SPDX-License-Identifier: Apache-2.0
// Depthwise register tiles.
#include "kernels/depthwise/depthwise_tile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/depthwise/depthwise_tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <utility>

#include "kernels/dispatch.h"
#include "kernels/matmul/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {

/// sum[r][x] += weight * line[r][offset + x * step] for the rows that have a line and the columns
/// in range. A multiply-add takes its operand from memory: one load each, no register for the
/// source.
template <int kRows, int kColumns, class D, class V>
HWY_INLINE void AddTap(D d, const float* const (&line)[kRows], int64_t offset, int64_t step,
                       ColumnRange range, V weight, V (&sum)[kRows][kColumns]) {
  const bool whole = range.begin == 0 && range.end == kColumns;
  CAIRN_UNROLL
  for (int r = 0; r < kRows; ++r) {
    if (line[r] == nullptr) continue;
    if (whole) {
      CAIRN_UNROLL
      for (int x = 0; x < kColumns; ++x) {
        sum[r][x] = hn::MulAdd(hn::LoadU(d, line[r] + (offset + x * step)), weight, sum[r][x]);
      }
    } else {
      CAIRN_UNROLL
      for (int x = 0; x < kColumns; ++x) {
        if (x < range.begin || x >= range.end) continue;
        sum[r][x] = hn::MulAdd(hn::LoadU(d, line[r] + (offset + x * step)), weight, sum[r][x]);
      }
    }
  }
}

template <int kRows, int kColumns, class D, class V>
HWY_INLINE void StoreSums(D d, const DepthwiseTileArgs& args, float* dst,
                          V (&sum)[kRows][kColumns]) {
  ApplyActivation(d, *args.epilogue, [&](auto activate) HWY_ATTR {
    ForEachVector<kRows, kColumns>([&](int r, int x) HWY_ATTR { sum[r][x] = activate(sum[r][x]); });
  });
  const int64_t lanes = hn::Lanes(d);
  if (args.tail_lanes < lanes) {
    const auto valid = hn::FirstN(d, args.tail_lanes);
    ForEachVector<kRows, kColumns>(
        [&](int r, int x) HWY_ATTR { sum[r][x] = hn::IfThenElseZero(valid, sum[r][x]); });
  }
  ForEachVector<kRows, kColumns>([&](int r, int x) HWY_ATTR {
    hn::StoreU(sum[r][x], d, dst + r * args.dst_line_stride + x * lanes);
  });
}

/// The initial sums of the tile `offset` floats after the first one.
template <int kRows, int kColumns, class D, class V>
HWY_INLINE void InitSums(D d, const DepthwiseTileArgs& args, int64_t offset, V bias,
                         V (&sum)[kRows][kColumns]) {
  ForEachVector<kRows, kColumns>([&](int r, int x) HWY_ATTR { sum[r][x] = bias; });
  if (args.init == nullptr) return;
  ForEachVector<kRows, kColumns>([&](int r, int x) HWY_ATTR {
    const float* from = args.init + offset + r * args.dst_line_stride + x * hn::Lanes(d);
    sum[r][x] = hn::Add(sum[r][x], hn::LoadU(d, from));
  });
}

template <class D>
HWY_INLINE hn::Vec<D> LoadBias(D d, const DepthwiseTileArgs& args) {
  return args.bias == nullptr ? hn::Zero(d) : hn::LoadU(d, args.bias);
}

template <int kRows, int kColumns>
void GeneralTile(const DepthwiseTileArgs& args) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = hn::Lanes(d);
  const auto bias = LoadBias(d, args);
  for (int64_t row = 0; row < args.rows; row += kRows) {
    hn::Vec<decltype(d)> sum[kRows][kColumns];
    const int64_t dst_offset = row * args.dst_line_stride;
    InitSums(d, args, dst_offset, bias, sum);
    const float* weights = args.weights;
    for (int64_t l = 0; l < args.kernel_lines; ++l) {
      const float* line[kRows];
      CAIRN_UNROLL
      for (int r = 0; r < kRows; ++r) {
        const int64_t at = args.lines[(row + r) * args.kernel_lines + l];
        line[r] = at < 0 ? nullptr : args.src + at;
      }
      int64_t offset = args.first_column * lanes;
      for (int64_t k = 0; k < args.kernel_width; ++k) {
        AddTap(d, line, offset, args.pixel_columns * lanes, args.columns[k], hn::LoadU(d, weights),
               sum);
        weights += lanes;
        offset += args.tap_columns * lanes;
      }
    }
    StoreSums(d, args, args.dst + dst_offset, sum);
  }
}

/// Keeps g++ from repeating a load as memory operand of each multiply-add that uses it.
template <class V>
HWY_INLINE V KeepInRegister(V v) {
#if HWY_ARCH_X86 && HWY_COMPILER_GCC
  asm("" : "+v"(v.raw));
#endif
  return v;
}

/// Adds kernel columns 0, ..., kWidth - 1 of one kernel line: each source column in [first, last)
/// is loaded once and multiplied for every output column that it reaches; the others count as
/// zeros.
template <int kWidth, int kStride, bool kWhole, int kColumns, class D, class V>
HWY_INLINE void AddLine(D d, const float* line, int64_t offset, const float* weights, int64_t first,
                        int64_t last, V (&sum)[1][kColumns]) {
  constexpr int kSource = (kColumns - 1) * kStride + kWidth;
  const float* whole_line = kWhole ? line + offset : nullptr;
  V w[kWidth];
  CAIRN_UNROLL
  for (int t = 0; t < kWidth; ++t) w[t] = hn::LoadU(d, weights + t * hn::Lanes(d));
#pragma GCC unroll 32
  for (int c = 0; c < kSource; ++c) {
    if (!kWhole && (c < first || c >= last)) continue;
    const int64_t step = c * static_cast<int64_t>(hn::Lanes(d));
    const V v = KeepInRegister(hn::LoadU(d, kWhole ? whole_line + step : line + (offset + step)));
    CAIRN_UNROLL
    for (int t = 0; t < kWidth; ++t) {
      if (c < t || (c - t) % kStride != 0 || (c - t) / kStride >= kColumns) continue;
      const int x = (c - t) / kStride;
      sum[0][x] = hn::MulAdd(v, w[t], sum[0][x]);
    }
  }
}

template <int kWidth, int kStride, int kColumns>
void RowTile(const DepthwiseTileArgs& args) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = hn::Lanes(d);
  constexpr int kSource = (kColumns - 1) * kStride + kWidth;
  const int64_t first = -args.first_column, last = args.source_width - args.first_column;
  const bool whole = first <= 0 && last >= kSource;
  const int64_t offset = args.first_column * lanes;
  const auto bias = LoadBias(d, args);
  const int64_t* lines = args.lines;
  for (int64_t row = 0; row < args.rows; ++row, lines += args.kernel_lines) {
    hn::Vec<decltype(d)> sum[1][kColumns];
    InitSums(d, args, row * args.dst_line_stride, bias, sum);
    const float* weights = args.weights;
    for (int64_t l = 0; l < args.kernel_lines; ++l, weights += kWidth * lanes) {
      if (lines[l] < 0) continue;
      const float* line = args.src + lines[l];
      if (whole) {
        AddLine<kWidth, kStride, true>(d, line, offset, weights, first, last, sum);
      } else {
        AddLine<kWidth, kStride, false>(d, line, offset, weights, first, last, sum);
      }
    }
    StoreSums(d, args, args.dst + row * args.dst_line_stride, sum);
  }
}

template <int kRows, int... kColumn>
constexpr void FillGeneral(DepthwiseTable& table, std::integer_sequence<int, kColumn...>) {
  ((table.general[kRows][kColumn + 1] = GeneralTile<kRows, kColumn + 1>), ...);
}

template <int kStride, int... kColumn>
constexpr void FillRows(DepthwiseTable& table, std::integer_sequence<int, kColumn...>) {
  ((table.row3[kStride][kColumn + 1] = RowTile<3, kStride, kColumn + 1>), ...);
  ((table.row5[kStride][kColumn + 1] = RowTile<5, kStride, kColumn + 1>), ...);
}

constexpr DepthwiseTable MakeTable() {
  DepthwiseTable table = {};
  FillGeneral<1>(table, std::make_integer_sequence<int, kGeneralColumns>());
  FillGeneral<2>(table, std::make_integer_sequence<int, kGeneralColumns>());
  FillRows<1>(table, std::make_integer_sequence<int, kRowColumns>());
  FillRows<2>(table, std::make_integer_sequence<int, kRowColumns>());
  return table;
}

}  // namespace

extern constexpr DepthwiseTable kDepthwiseTable = MakeTable();

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {

const DepthwiseTable* GetDepthwiseTable(Isa isa) { CAIRN_SELECT(isa, kDepthwiseTable) }

}  // namespace cairn::kernels
#endif
