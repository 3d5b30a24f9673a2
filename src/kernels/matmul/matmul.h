// SPDX-License-Identifier: Apache-2.0
// Batched f32 matrix product with the second operand packed in advance or at run time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/epilogue.h"
#include "kernels/isa.h"
#include "kernels/part.h"

namespace cairn::kernels {

inline constexpr int kMatmulBatchDims = 3;

/// Element (i, j) of matrix (x, y, z) is at x * batch[0] + y * batch[1] + z * batch[2] + i * row +
/// j * column. A batch stride of 0 repeats a matrix.
struct MatrixStrides {
  std::array<int64_t, kMatmulBatchDims> batch = {0, 0, 0};
  int64_t row = 0;
  int64_t column = 1;
};

/// c[m, n] = finish(sum over k of a[m, k] * b[k, n]) for each of batch[0] * batch[1] * batch[2]
/// matrices.
struct MatmulParams {
  Isa isa = Isa::kAvx2;
  std::array<int64_t, kMatmulBatchDims> batch = {1, 1, 1};
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  MatrixStrides a;
  /// When positive, a.column is 1 within blocks of so many columns (the last one may lack some),
  /// and the blocks are a_block_step floats apart: the transpose of an image in channel blocks.
  int64_t a_block = 0;
  int64_t a_block_step = 0;
  MatrixStrides
      b;  ///< When b_packed: batch strides in floats of the packed buffer, the others unused.
  MatrixStrides c;  ///< Also those of the residual; c.column must be 1.
  bool b_packed = true;
  Epilogue epilogue;
};

/// `bias` has one value per column, padded with zeros to a multiple of VectorFloats(isa).
/// `c` overlaps nothing but `residual`, which may be the same array.
struct MatmulBuffers {
  const float* a = nullptr;
  const float* b = nullptr;
  const float* bias = nullptr;
  const float* residual = nullptr;
  float* c = nullptr;
  void* workspace = nullptr;
};

/// Floats of one packed k x n matrix.
int64_t MatmulPackedFloats(Isa isa, int64_t k, int64_t n);
/// Packs the matrix with element (i, j) at b[i * row_stride + j * column_stride]; any host packs
/// for any isa.
void PackMatmul(Isa isa, int64_t k, int64_t n, const float* b, int64_t row_stride,
                int64_t column_stride, float* packed);

/// Bytes that the buffers' 64-byte aligned workspace must have for `num_parts` shares.
size_t MatmulWorkspaceBytes(const MatmulParams& params, int num_parts);
int MatmulPhases(const MatmulParams& params);
/// Computes one share of one phase. All shares of a phase must end before the next begins.
void RunMatmul(const MatmulParams& params, const MatmulBuffers& buffers, int phase, Part part);

/// Rough cycles of one core for the whole product: multiply-adds at the rate of full tiles,
/// lengthened by unused tile lanes, plus the memory traffic of operands that do not stay in the
/// second-level cache.
double EstimateMatmulCycles(const MatmulParams& params);

}  // namespace cairn::kernels
