// SPDX-License-Identifier: Apache-2.0
// The register tile shared by matrix products and convolutions: rows x channel vectors of sums.
#pragma once

#include <cstdint>

#include "kernels/epilogue.h"
#include "kernels/isa.h"

namespace cairn::kernels {

/// Where the values multiplied for one row of a tile lie for one tap: consecutive floats at
/// data + b * step for block b = 0, 1, ... A row of padding points to zeros with step 0.
struct RowRef {
  const float* data;
  int64_t step;
};

/// dst(r, v) = finish(init(r, v) + sum over taps t, blocks b, terms i of row(t, r)[b][i] *
/// weights(v)), summed in exactly that order, one fused multiply-add per term.
struct TileArgs {
  const RowRef* rows;  ///< Row r of tap t is rows[t * tap_stride + r].
  int64_t tap_stride;
  int64_t taps;
  int64_t first_block;  ///< Blocks before this one are skipped.
  int64_t blocks;
  int64_t length;         ///< Terms of a block,
  int64_t missing = 0;    ///< but for so many that the last one lacks.
  const float* weights;   ///< [taps][blocks][length][vectors * c0], without the skipped blocks.
  int64_t weight_stride;  ///< Floats from one term to the next; vectors * c0 when packed.
  float* dst;
  int64_t dst_row_stride;
  int64_t dst_vector_stride;
  const float* next_weights = nullptr;  ///< Read soon: asked for meanwhile,
  int64_t next_lines = 0;               ///< so many cache lines every kTermsPerRequest terms.
  int64_t prefetch = 0;            ///< When not 0: floats from a row to one that will be read soon.
  const int32_t* lanes = nullptr;  ///< For the tiles of conv/group_tile.h only.
  const float* init;               ///< Strides of dst, may be dst; null means zeros.
  const float* bias;               ///< vectors * c0 values; or null.
  const Epilogue* epilogue;
  bool finish;         ///< Add the bias and apply the activation.
  bool zero_tail;      ///< Lanes of the last vector beyond tail_lanes: written as 0, or left alone.
  int32_t tail_lanes;  ///< Valid lanes of the last vector, 1..c0.
};

inline constexpr int64_t kTermsPerRequest = 16;
inline constexpr int64_t kLineFloats = 16;  ///< Of a cache line.

using TileFn = void (*)(const TileArgs& args);

inline constexpr int kMaxTileRows = 14;
inline constexpr int kMaxTileVectors = 3;

/// The tiles of one instruction set: tile[v][r] computes r rows of v vectors,
/// 1 <= r <= max_rows[v].
struct TileTable {
  int max_rows[kMaxTileVectors + 1];
  TileFn tile[kMaxTileVectors + 1][kMaxTileRows + 1];
};

/// Null when this build has no kernels for `isa`.
const TileTable* GetTileTable(Isa isa);

}  // namespace cairn::kernels
