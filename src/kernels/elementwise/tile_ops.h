// SPDX-License-Identifier: Apache-2.0
// One operation of the element-wise engine over one tile; the interface between driver and vector
// code.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/element_type.h"
#include "kernels/elementwise/program.h"
#include "kernels/isa.h"

namespace cairn::kernels {

/// A tile as rows of whole vectors. Steps are in floats; 0 repeats the same vector.
struct TileSource {
  const float* data;
  ptrdiff_t row_step;
  ptrdiff_t vector_step;
};

struct EltTileArgs {
  float* dst;  ///< Vectors of one row are consecutive.
  ptrdiff_t dst_row_step;
  TileSource src[3];
  ptrdiff_t rows, vectors;
};

using TileOpFn = void (*)(const EltTileArgs& args);

/// The operation for `isa`; nullptr when this build has none.
TileOpFn GetTileOp(Isa isa, EltOp op);

/// Converts `count` consecutive elements. The pairs f32 <-> {f32, f16, bf16, bool, i8, u8, i32,
/// i64} exist. To integers: truncation, out-of-range values saturate, NaN becomes 0; to bool: not
/// 0.
struct TileConversions {
  void (*load)(ElementType type, const void* src, float* dst, ptrdiff_t count);
  void (*store)(ElementType type, const float* src, void* dst, ptrdiff_t count);
};
TileConversions GetTileConversions(Isa isa);
bool IsTileType(ElementType type);

/// Parts of GetTileOp, by family: tables indexed by operation, nullptr where another family has it.
struct TileOpTable {
  TileOpFn ops[static_cast<int>(EltOp::kCount)];
};
const TileOpTable* GetArithmeticTileOps(Isa isa);
const TileOpTable* GetLogicTileOps(Isa isa);
const TileOpTable* GetActivationTileOps(Isa isa);
const TileOpTable* GetExponentialTileOps(Isa isa);
const TileOpTable* GetDoubleTileOps(Isa isa);

}  // namespace cairn::kernels
