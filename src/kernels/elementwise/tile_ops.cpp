// SPDX-License-Identifier: Apache-2.0
// Finds an operation in the tables of the families.
#include "kernels/elementwise/tile_ops.h"

namespace cairn::kernels {

namespace {

TileOpTable MergeTables(Isa isa) {
  TileOpTable merged{};
  for (const auto get : {GetArithmeticTileOps, GetLogicTileOps, GetActivationTileOps,
                         GetExponentialTileOps, GetDoubleTileOps}) {
    const TileOpTable* table = get(isa);
    for (int i = 0; table != nullptr && i < static_cast<int>(EltOp::kCount); ++i) {
      if (table->ops[i] != nullptr) merged.ops[i] = table->ops[i];
    }
  }
  return merged;
}

}  // namespace

TileOpFn GetTileOp(Isa isa, EltOp op) {
  static const TileOpTable tables[] = {MergeTables(Isa::kAvx2), MergeTables(Isa::kAvx3),
                                       MergeTables(Isa::kNeon)};
  return tables[static_cast<int>(isa)].ops[static_cast<int>(op)];
}

bool IsTileType(ElementType type) {
  switch (type) {
    case ElementType::kF32:
    case ElementType::kF16:
    case ElementType::kBf16:
    case ElementType::kBool:
    case ElementType::kI8:
    case ElementType::kU8:
    case ElementType::kI32:
    case ElementType::kI64:
      return true;
    default:
      return false;
  }
}

}  // namespace cairn::kernels
