// SPDX-License-Identifier: Apache-2.0
// Vector loops over single rows of an attention block.
#pragma once

#include <cstdint>

#include "kernels/isa.h"

namespace cairn::kernels {

/// Running softmax of one query over the key blocks seen so far.
struct RunningSoftmax {
  float most;  ///< Greatest score.
  float sum;   ///< Sum of e^(score - most).
};

struct AttentionRowFns {
  /// Turns scores[0..keys) into e^(scale * score + mask - most) with the new running maximum,
  /// zeroes scores[keys..padded), updates `state` and returns the factor by which what has been
  /// accumulated before must be multiplied. `mask` may be null.
  float (*softmax)(float* scores, int64_t keys, int64_t padded, float scale, const float* mask,
                   RunningSoftmax& state);
  /// row[i] *= factor.
  void (*rescale)(float* row, int64_t count, float factor);
  /// dst[i] = row[i] * factor.
  void (*store)(const float* row, int64_t count, float factor, float* dst);
  /// scores[j] = q . k[j] for `keys` rows k_stride apart.
  void (*scores)(const float* q, const float* k, int64_t k_stride, int64_t keys, int64_t dim,
                 float* scores);
  /// acc[i] += sum over j of weights[j] * v[j][i].
  void (*add_values)(const float* weights, const float* v, int64_t v_stride, int64_t keys,
                     int64_t dim, float* acc);
};
AttentionRowFns GetAttentionRows(Isa isa);

}  // namespace cairn::kernels
