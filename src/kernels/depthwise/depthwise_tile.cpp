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
HWY_INLINE void StoreSums(D d, const DepthwiseTileArgs& args, V (&sum)[kRows][kColumns]) {
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
    hn::StoreU(sum[r][x], d, args.dst + r * args.dst_line_stride + x * lanes);
  });
}

template <int kStride, int kRows, int kColumns>
void Tile(const DepthwiseTileArgs& args) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = hn::Lanes(d);
  const int64_t step = kStride > 0 ? kStride * lanes : args.pixel_step;
  hn::Vec<decltype(d)> sum[kRows][kColumns];
  const auto bias = args.bias == nullptr ? hn::Zero(d) : hn::LoadU(d, args.bias);
  ForEachVector<kRows, kColumns>([&](int r, int x) HWY_ATTR { sum[r][x] = bias; });
  if (args.init != nullptr) {
    ForEachVector<kRows, kColumns>([&](int r, int x) HWY_ATTR {
      const auto init = hn::LoadU(d, args.init + r * args.dst_line_stride + x * lanes);
      sum[r][x] = hn::Add(sum[r][x], init);
    });
  }
  const float* weights = args.weights;
  for (int64_t l = 0; l < args.kernel_lines; ++l) {
    const float* line[kRows];
    CAIRN_UNROLL
    for (int r = 0; r < kRows; ++r) line[r] = args.lines[l * kDepthwiseRows + r];
    int64_t offset = args.column_offset;
    for (int64_t k = 0; k < args.kernel_width; ++k) {
      AddTap(d, line, offset, step, args.columns[k], hn::LoadU(d, weights), sum);
      weights += lanes;
      offset += args.tap_step;
    }
  }
  StoreSums(d, args, sum);
}

template <int kStride, int kRows, int... kColumn>
constexpr void FillColumns(DepthwiseTable& table, std::integer_sequence<int, kColumn...>) {
  ((table.tile[kStride][kRows][kColumn + 1] = Tile<kStride, kRows, kColumn + 1>), ...);
}

constexpr DepthwiseTable MakeTable() {
  DepthwiseTable table = {};
  constexpr std::make_integer_sequence<int, kDepthwiseColumns> columns;
  FillColumns<0, 1>(table, columns);
  FillColumns<0, 2>(table, columns);
  FillColumns<1, 1>(table, columns);
  FillColumns<1, 2>(table, columns);
  FillColumns<2, 1>(table, columns);
  FillColumns<2, 2>(table, columns);
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
