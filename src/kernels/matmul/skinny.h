// SPDX-License-Identifier: Apache-2.0
// Products with one to three rows: several partial sums per column hide the latency of the
// additions.
#pragma once

#include "kernels/matmul/tile.h"

namespace cairn::kernels {

inline constexpr int kMaxSkinnyRows = 3;

/// fn[v][r]: r rows of v vectors, as TileFn for one tap and one block; term k goes to partial sum
/// k modulo ceil(8 / (r * v)).
struct SkinnyTable {
  TileFn fn[kMaxTileVectors + 1][kMaxSkinnyRows + 1];
};

/// Null when this build has no kernels for `isa`.
const SkinnyTable* GetSkinnyTable(Isa isa);

}  // namespace cairn::kernels
