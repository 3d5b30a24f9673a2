// SPDX-License-Identifier: Apache-2.0
// Tiles that permute the lanes of a source block to the groups of the result lanes.
#include "kernels/conv/group_tile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/group_tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <utility>

#include "kernels/dispatch.h"
#include "kernels/matmul/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {

constexpr int kGroupRows = 10;

template <int kRows>
void GroupTile(const TileArgs& args) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = hn::Lanes(d);
  hn::Vec<decltype(d)> sum[kRows][1];
  InitTile(d, args, sum);
  const float* weights = args.weights;
  for (int64_t tap = 0; tap < args.taps; ++tap) {
    const float* data[kRows];
    CAIRN_UNROLL
    for (int r = 0; r < kRows; ++r) data[r] = args.rows[tap * args.tap_stride + r].data;
    for (int64_t j = 0; j < args.length; ++j, weights += lanes) {
      const auto indices = hn::SetTableIndices(d, args.lanes + j * lanes);
      const auto w = hn::LoadU(d, weights);
      CAIRN_UNROLL
      for (int r = 0; r < kRows; ++r) {
        const auto x = hn::TableLookupLanes(hn::LoadU(d, data[r]), indices);
        sum[r][0] = hn::MulAdd(x, w, sum[r][0]);
      }
    }
  }
  if (args.finish) FinishTile(d, args, sum);
  StoreTile(d, args, sum);
}

template <int... kRow>
constexpr TileTable MakeTable(std::integer_sequence<int, kRow...>) {
  TileTable table = {};
  table.max_rows[1] = kGroupRows;
  ((table.tile[1][kRow + 1] = GroupTile<kRow + 1>), ...);
  return table;
}

}  // namespace

extern constexpr TileTable kGroupTiles = MakeTable(std::make_integer_sequence<int, kGroupRows>());

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {

const TileTable* GetGroupTiles(Isa isa) { CAIRN_SELECT(isa, kGroupTiles) }

}  // namespace cairn::kernels
#endif
