// SPDX-License-Identifier: Apache-2.0
// Sizes of an attention: batch, heads, sequences, head sizes, over symbolic or concrete dims.
#pragma once

#include <vector>

#include "ops/op_def.h"

namespace cairn {

/// Operands of Attention.
enum AttentionInput : size_t { kQuery, kKey, kValue, kMask, kPastKey, kPastValue, kValidLength };

/// T: Dim or int64_t.
template <class T>
struct AttentionSizes {
  bool flat = false;  ///< Operands are [batch, sequence, heads * size] instead of rank 4.
  T batch{}, query_heads{}, key_heads{};
  T query_length{}, new_length{}, past_length{}, total_length{};
  T head_size{}, value_size{};  ///< Per head of query and key, of value.
};

Result<AttentionSizes<Dim>> ResolveAttention(const Node& node, const Dims& query, const Dims& key,
                                             const Dims& value, const Dims* past_key);
Result<AttentionSizes<int64_t>> ResolveAttention(const Node& node, const Shape& query,
                                                 const Shape& key, const Shape& value,
                                                 const Shape* past_key);

}  // namespace cairn
