// SPDX-License-Identifier: Apache-2.0
// Scaled dot-product attention in f32 without the matrix of all scores in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/isa.h"
#include "kernels/part.h"

namespace cairn::kernels {

/// Distances in elements from one batch, head and row (token) to the next; the elements of a row
/// are consecutive. Heads that lie side by side in a row need no transposition: head = head_dim.
struct AttentionStrides {
  int64_t batch, head, row;
};

enum class AttentionMask : uint8_t {
  kNone = 0,
  kAdditive = 1,  ///< f32, added to the scaled scores.
  kBoolean = 2,   ///< One byte: 0 excludes the key.
};

/// out[b, h, i] = sum over j of softmax_j(scale * q[b, h, i] . k[b, g, j] + mask[b, h, i, j]) *
/// v[b, g, j], with g = h / (heads / kv_heads). When causal, key j takes part for query i only if
/// j <= i + causal_offset. A query without any key gives NaN.
struct AttentionParams {
  Isa isa;
  int64_t batch, heads, kv_heads;  ///< heads is a multiple of kv_heads.
  int64_t q_len, kv_len;
  int64_t head_dim, value_dim;
  AttentionStrides q, k, v, out;
  float scale;
  AttentionMask mask;
  int64_t mask_batch, mask_head, mask_query, mask_key;  ///< Strides of the mask; 0 broadcasts.
  bool causal;
  int64_t causal_offset;
};

struct AttentionBuffers {
  const float* q;
  const float* k;
  const float* v;
  const void* mask;  ///< Not used for AttentionMask::kNone.
  float* out;        ///< Overlaps nothing.
  void* workspace;   ///< 64-byte aligned.
};

size_t AttentionWorkspaceBytes(const AttentionParams& params, int num_parts);
inline int AttentionPhases(const AttentionParams&) { return 1; }
/// Shared by (batch, head, block of queries). Keys are taken in blocks of fixed size with a running
/// maximum and sum, so the order of operations depends on the shape only.
void RunAttention(const AttentionParams& params, const AttentionBuffers& buffers, int phase,
                  Part part);

}  // namespace cairn::kernels
