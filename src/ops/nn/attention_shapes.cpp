// SPDX-License-Identifier: Apache-2.0
// Sizes of an attention: batch, heads, sequences, head sizes, over symbolic or concrete dims.
#include "ops/nn/attention_shapes.h"

namespace cairn {
namespace {

/// Heads of one operand and what belongs to each.
struct Heads {
  Dim count, length, size;
};

Result<Heads> SplitHeads(const Dims& dims, int64_t heads, const char* name) {
  if (dims.size() == 4) return Heads{dims[1], dims[2], dims[3]};
  if (heads < 1) {
    return Status(Code::kInvalidModel,
                  "operands of rank 3 need 'q_num_heads' and 'kv_num_heads' of at least 1");
  }
  if (dims[2].is_const() && dims[2].value() % heads != 0) {
    return Status(Code::kInvalidModel,
                  StrCat("'", name, "' has ", dims[2], " elements for ", heads, " heads"));
  }
  return Heads{Dim(heads), dims[1], Dim::FloorDiv(dims[2], Dim(heads))};
}

Status CheckEqual(const char* what, const Dim& a, const Dim& b) {
  if (!a.is_const() || !b.is_const() || a == b) return OkStatus();
  return Status(Code::kInvalidModel, StrCat(what, " differ: ", a, " and ", b));
}

Status CheckHeads(const Heads& query, const Heads& key, const Heads& value) {
  RETURN_IF_ERROR(CheckEqual("head sizes of Q and K", query.size, key.size));
  RETURN_IF_ERROR(CheckEqual("numbers of heads of K and V", key.count, value.count));
  RETURN_IF_ERROR(CheckEqual("sequence lengths of K and V", key.length, value.length));
  if (query.count.is_const() && key.count.is_const() &&
      (key.count.value() < 1 || query.count.value() % key.count.value() != 0)) {
    return Status(Code::kInvalidModel, StrCat(query.count, " query heads are no multiple of ",
                                              key.count, " heads of K and V"));
  }
  return OkStatus();
}

}  // namespace

Result<AttentionSizes<Dim>> ResolveAttention(const Node& node, const Dims& query, const Dims& key,
                                             const Dims& value, const Dims* past_key) {
  const size_t rank = query.size();
  if ((rank != 3 && rank != 4) || key.size() != rank || value.size() != rank) {
    return Status(Code::kInvalidModel,
                  StrCat("Q, K and V are ", DimsToString(query), ", ", DimsToString(key), " and ",
                         DimsToString(value), ", expected equal ranks of 3 or 4"));
  }
  if (past_key && past_key->size() != 4) {
    return Status(Code::kInvalidModel,
                  StrCat("'past_key' is ", DimsToString(*past_key), ", expected rank 4"));
  }
  const int64_t query_heads = node.GetInt("q_num_heads", 0);
  const int64_t key_heads = node.GetInt("kv_num_heads", 0);
  ASSIGN_OR_RETURN(const Heads q, SplitHeads(query, query_heads, "Q"));
  ASSIGN_OR_RETURN(const Heads k, SplitHeads(key, key_heads, "K"));
  ASSIGN_OR_RETURN(const Heads v, SplitHeads(value, key_heads, "V"));
  RETURN_IF_ERROR(CheckHeads(q, k, v));
  AttentionSizes<Dim> sizes;
  sizes.flat = rank == 3;
  sizes.batch = query[0];
  sizes.query_heads = q.count;
  sizes.key_heads = k.count;
  sizes.query_length = q.length;
  sizes.new_length = k.length;
  sizes.past_length = past_key ? (*past_key)[2] : Dim(0);
  sizes.total_length = sizes.past_length + sizes.new_length;
  sizes.head_size = q.size;
  sizes.value_size = v.size;
  return sizes;
}

Result<AttentionSizes<int64_t>> ResolveAttention(const Node& node, const Shape& query,
                                                 const Shape& key, const Shape& value,
                                                 const Shape* past_key) {
  const auto dims = [](const Shape& shape) { return Dims(shape.begin(), shape.end()); };
  const Dims past = past_key ? dims(*past_key) : Dims();
  ASSIGN_OR_RETURN(
      const AttentionSizes<Dim> symbolic,
      ResolveAttention(node, dims(query), dims(key), dims(value), past_key ? &past : nullptr));
  AttentionSizes<int64_t> sizes;
  sizes.flat = symbolic.flat;
  sizes.batch = symbolic.batch.value();
  sizes.query_heads = symbolic.query_heads.value();
  sizes.key_heads = symbolic.key_heads.value();
  sizes.query_length = symbolic.query_length.value();
  sizes.new_length = symbolic.new_length.value();
  sizes.past_length = symbolic.past_length.value();
  sizes.total_length = symbolic.total_length.value();
  sizes.head_size = symbolic.head_size.value();
  sizes.value_size = symbolic.value_size.value();
  return sizes;
}

}  // namespace cairn
