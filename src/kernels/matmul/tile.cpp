// SPDX-License-Identifier: Apache-2.0
// Register tiles for every row and vector count of each instruction set.
#include "kernels/matmul/tile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matmul/tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <utility>

#include "kernels/dispatch.h"
#include "kernels/matmul/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {

// Sums and operands must fit the register file: rows * vectors + vectors + 1 <= registers.
#if HWY_TARGET == HWY_AVX2
constexpr int kMaxRows[] = {0, 10, 6, 4};
#else
constexpr int kMaxRows[] = {0, 12, 14, 8};
#endif

/// sum[r][v] += row(r) * weights(v) over all terms of the tile.
template <int kRows, int kVectors, class D, class V>
HWY_INLINE void SumTile(D d, const TileArgs& args, V (&sum)[kRows][kVectors]) {
  const float* HWY_RESTRICT weights = args.weights;
  const float* next = args.next_weights;
  const int64_t weight_stride = args.weight_stride;
  const int64_t length = args.length;
  for (int64_t tap = 0; tap < args.taps; ++tap) {
    const RowRef* rows = args.rows + tap * args.tap_stride;
    const float* data[kRows];
    CAIRN_UNROLL
    for (int r = 0; r < kRows; ++r) data[r] = rows[r].data + args.first_block * rows[r].step;
    for (int64_t block = 0; block < args.blocks; ++block) {
      if (args.prefetch != 0) {
        // Between the sums: a burst of requests would be dropped.
        CAIRN_UNROLL
        for (int r = 0; r < kRows; ++r) __builtin_prefetch(data[r] + args.prefetch);
      }
      const int64_t terms = block + 1 < args.blocks ? length : length - args.missing;
      for (int64_t k = 0; k < terms;) {
        const int64_t end = std::min(k + kTermsPerRequest, terms);
        for (int64_t i = 0; i < args.next_lines; ++i, next += kLineFloats) {
          __builtin_prefetch(next, 0, 2);
        }
        for (; k < end; ++k) {
          V w[kVectors];
          CAIRN_UNROLL
          for (int v = 0; v < kVectors; ++v) w[v] = hn::LoadU(d, weights + v * hn::Lanes(d));
          weights += weight_stride;
          CAIRN_UNROLL
          for (int r = 0; r < kRows; ++r) {
            const V x = hn::Set(d, data[r][k]);
            CAIRN_UNROLL
            for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(x, w[v], sum[r][v]);
          }
        }
      }
      CAIRN_UNROLL
      for (int r = 0; r < kRows; ++r) data[r] += rows[r].step;
    }
  }
}

template <int kRows, int kVectors>
void Tile(const TileArgs& args) {
  const hn::ScalableTag<float> d;
  hn::Vec<decltype(d)> sum[kRows][kVectors];
  InitTile(d, args, sum);
  SumTile(d, args, sum);
  if (args.finish) FinishTile(d, args, sum);
  StoreTile(d, args, sum);
}

template <int kVectors, int... kRow>
constexpr void FillRows(TileTable& table, std::integer_sequence<int, kRow...>) {
  table.max_rows[kVectors] = sizeof...(kRow);
  ((table.tile[kVectors][kRow + 1] = Tile<kRow + 1, kVectors>), ...);
}

constexpr TileTable MakeTable() {
  TileTable table = {};
  FillRows<1>(table, std::make_integer_sequence<int, kMaxRows[1]>());
  FillRows<2>(table, std::make_integer_sequence<int, kMaxRows[2]>());
  FillRows<3>(table, std::make_integer_sequence<int, kMaxRows[3]>());
  return table;
}

}  // namespace

extern constexpr TileTable kTileTable = MakeTable();

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {

const TileTable* GetTileTable(Isa isa) { CAIRN_SELECT(isa, kTileTable) }

}  // namespace cairn::kernels
#endif
