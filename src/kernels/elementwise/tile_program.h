// SPDX-License-Identifier: Apache-2.0
// Runs a whole element-wise program over one tile; shared by the engine and the epilogue.
#pragma once

#include "kernels/elementwise/tile_ops.h"

namespace cairn::kernels {

/// Floats of one tile at most: a handful of tiles fits into the first-level cache.
inline constexpr ptrdiff_t kTileFloats = 1024;
inline constexpr ptrdiff_t kMaxLanes = 16;

/// Scratch of one thread: a tile for each temporary and each operand that is converted or expanded.
struct TileScratch {
  alignas(64) float temps[kEltMaxTemps][kTileFloats];
  alignas(64) float inputs[kEltMaxInputs][kTileFloats];
  alignas(64) float constants[kEltMaxConstants][kMaxLanes];
};

/// Where an output's vectors go.
struct TileSink {
  float* data;
  ptrdiff_t row_step;
};

/// A program prepared for one instruction set: resolve once, run on many tiles.
struct TileProgram {
  const EltProgram* program;
  ptrdiff_t lanes;
  TileOpFn ops[kEltMaxInstructions];
  TileOpFn copy;
};
TileProgram PrepareTileProgram(Isa isa, const EltProgram& program);

/// Fills scratch.constants.
void FillConstants(const EltProgram& program, TileScratch& scratch);

/// Computes `rows` x `vectors` vectors (at most kTileFloats floats). `inputs[i]` is where input i
/// comes from, `sinks[i]` where output i goes; temporaries live in `scratch`.
void RunTileProgram(const TileProgram& prepared, TileScratch& scratch, const TileSource* inputs,
                    const TileSink* sinks, ptrdiff_t rows, ptrdiff_t vectors);

}  // namespace cairn::kernels
