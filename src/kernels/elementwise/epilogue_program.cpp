// SPDX-License-Identifier: Apache-2.0
// Runs an element-wise program in place on freshly written rows of a result.
#include "kernels/elementwise/epilogue_program.h"

#include <algorithm>
#include <cstring>

namespace cairn::kernels {
namespace {

// A piece of a region with at most kTileFloats floats: whole vectors, or less than one per row.
struct Piece {
  int64_t row0, col0, rows, cols;  // Relative to the region.
};

TileSource PieceSource(const EpilogueProgram& context, const TileRegion& region, const Piece& piece,
                       int index, float* scratch) {
  const EpilogueOperand& operand = context.operands[index];
  const int64_t lanes = context.tile.lanes;
  const int64_t padded = (piece.cols + lanes - 1) / lanes * lanes;
  const int64_t column = region.col0 + piece.col0;
  const float* src = nullptr;
  int64_t stride = 0;
  switch (operand.kind) {
    case EpilogueOperandKind::kScalar:
      std::fill_n(scratch, lanes, operand.data[0]);
      return {scratch, 0, 0};
    case EpilogueOperandKind::kPerRow:
      for (int64_t r = 0; r < piece.rows; ++r) {
        std::fill_n(scratch + r * lanes, lanes, operand.data[region.row0 + piece.row0 + r]);
      }
      return {scratch, lanes, 0};
    case EpilogueOperandKind::kPerColumn:
      src = operand.data + column;
      break;
    case EpilogueOperandKind::kResult:
    case EpilogueOperandKind::kTensor: {
      const float* result = region.data + piece.row0 * region.row_stride + piece.col0;
      const bool self = operand.kind == EpilogueOperandKind::kResult;
      src = self ? result : operand.data + (result - context.result);
      stride = region.row_stride;
      break;
    }
  }
  if (piece.cols == padded) return {src, stride, lanes};
  const int64_t rows = stride == 0 ? 1 : piece.rows;
  for (int64_t r = 0; r < rows; ++r) {
    float* row = scratch + r * padded;
    std::copy_n(src + r * stride, piece.cols, row);
    std::fill(row + piece.cols, row + padded, 0.0f);
  }
  return {scratch, stride == 0 ? 0 : padded, lanes};
}

void ApplyToPiece(const EpilogueProgram& context, const TileRegion& region, const Piece& piece,
                  TileScratch& scratch) {
  const int64_t lanes = context.tile.lanes;
  const int64_t padded = (piece.cols + lanes - 1) / lanes * lanes;
  TileSource sources[kEltMaxInputs];
  for (int i = 0; i < context.tile.program->num_inputs; ++i) {
    sources[i] = PieceSource(context, region, piece, i, scratch.inputs[i]);
  }
  float* dst = region.data + piece.row0 * region.row_stride + piece.col0;
  alignas(64) float tile[kTileFloats];
  const bool whole = piece.cols == padded;
  const TileSink sink = whole ? TileSink{dst, region.row_stride} : TileSink{tile, padded};
  RunTileProgram(context.tile, scratch, sources, &sink, piece.rows, padded / lanes);
  if (whole) return;
  for (int64_t r = 0; r < piece.rows; ++r) {
    std::copy_n(tile + r * padded, piece.cols, dst + r * region.row_stride);
  }
}

}  // namespace

EpilogueProgram MakeEpilogueProgram(Isa isa, const EltProgram& program,
                                    const EpilogueOperand* operands, const float* result) {
  EpilogueProgram context{PrepareTileProgram(isa, program), result, {}};
  std::copy_n(operands, program.num_inputs, context.operands);
  return context;
}

void ApplyEpilogueProgram(const void* context, const TileRegion& region) {
  const auto& c = *static_cast<const EpilogueProgram*>(context);
  TileScratch scratch;
  FillConstants(*c.tile.program, scratch);
  const int64_t lanes = c.tile.lanes, whole = region.cols / lanes * lanes;
  for (int64_t col = 0; col < region.cols;) {
    const int64_t cols =
        col < whole ? std::min<int64_t>(whole - col, kTileFloats) : region.cols - col;
    const int64_t padded = (cols + lanes - 1) / lanes * lanes;
    const int64_t step = std::max<int64_t>(1, kTileFloats / padded);
    for (int64_t row = 0; row < region.rows; row += step) {
      ApplyToPiece(c, region, {row, col, std::min(step, region.rows - row), cols}, scratch);
    }
    col += cols;
  }
}

}  // namespace cairn::kernels
