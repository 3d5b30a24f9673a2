// SPDX-License-Identifier: Apache-2.0
// Register tiles for groups narrower than a channel block: every lane sums over the lanes of its
// own group.
#pragma once

#include "kernels/matmul/tile.h"

namespace cairn::kernels {

/// Tiles of one vector. Each tap has one block of `length` terms; term j of result lane l is lane
/// TileArgs::lanes[j * c0 + l] of the source block that the row refers to, times weights[j * c0 +
/// l]. Null when this build has no kernels for `isa`.
const TileTable* GetGroupTiles(Isa isa);

}  // namespace cairn::kernels
