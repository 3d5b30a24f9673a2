// SPDX-License-Identifier: Apache-2.0
// Layer, RMS, instance and group normalisation of plain tensors, and local response normalisation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/isa.h"
#include "kernels/part.h"

namespace cairn::kernels {

enum class NormKind : uint8_t {
  kMeanVariance = 0,  ///< y = (x - mean) / sqrt(variance + epsilon) * scale + bias
  kRms = 1,           ///< y = x / sqrt(mean(x^2) + epsilon) * scale + bias
};

/// Each of `rows` contiguous rows of `size` elements is normalised by itself. Which scale and bias
/// element j of row r takes:
///   spans == 0: the j-th (LayerNorm, RMSNorm over the last axes);
///   else the row consists of `spans` equal pieces with one value each, the
///   ((r % row_period) * spans + j / (size / spans))-th:
///   InstanceNorm: rows = N * C, spans = 1, row_period = C;
///   GroupNorm: rows = N * G, spans = C / G, row_period = G.
struct NormParams {
  Isa isa;
  NormKind kind;
  int64_t rows, size, spans, row_period;
  float epsilon;
};

/// Null pointers: no residual, scale 1, bias 0, result not wanted.
struct NormBuffers {
  const float* src;
  const float* residual;  ///< Added to src first; same shape.
  const float* scale;
  const float* bias;
  float* dst;      ///< May be src or residual.
  float* sum;      ///< src + residual; needed when there is a residual, may be src or residual.
  float* mean;     ///< One value a row (kMeanVariance only).
  float* inv_std;  ///< One value a row: 1 / sqrt(... + epsilon).
};

inline size_t NormWorkspaceBytes(const NormParams&, int /*num_parts*/) { return 0; }
inline int NormPhases(const NormParams&) { return 1; }
/// Two passes for mean and variance: no cancellation. Shared by rows.
void RunNorm(const NormParams& params, const NormBuffers& buffers, int phase, Part part);

/// y = x / (bias + alpha / size * sum of x^2 over `size` neighbouring channels)^beta on
/// [batch, channels, pixels]; the window of channel c is [c - (size - 1) / 2, c + size / 2].
struct LrnParams {
  Isa isa;
  int64_t batch, channels, pixels, size;
  float alpha, beta, bias;
};

struct LrnBuffers {
  const float* src;
  float* dst;  ///< Overlaps nothing.
};

inline size_t LrnWorkspaceBytes(const LrnParams&, int /*num_parts*/) { return 0; }
inline int LrnPhases(const LrnParams&) { return 1; }
void RunLrn(const LrnParams& params, const LrnBuffers& buffers, int phase, Part part);

}  // namespace cairn::kernels
