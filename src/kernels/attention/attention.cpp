// SPDX-License-Identifier: Apache-2.0
// Walks blocks of queries and keys; products by the register tiles of the matrix product.
#include "kernels/attention/attention.h"

#include <algorithm>
#include <array>
#include <limits>

#include "kernels/attention/attention_rows.h"
#include "kernels/layout/transpose2d.h"
#include "kernels/matmul/tile.h"

namespace cairn::kernels {
namespace {

constexpr int64_t kQueries = 48, kKeys = 128;
// Up to this many queries, packing keys and values costs more than it saves.
constexpr int64_t kFewQueries = 4;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// Scratch of one part, in floats.
struct Sizes {
  int64_t panel, padded_dim;  // Columns of one packed panel; value_dim in whole panels.
  int64_t keys, values, scores, sums, total;

  explicit Sizes(const AttentionParams& p)
      : panel(2 * VectorFloats(p.isa)),
        padded_dim(RoundUp(p.value_dim, panel)),
        keys(kKeys * RoundUp(p.head_dim, 16)),
        values(kKeys * padded_dim),
        scores(kQueries * kKeys),
        sums(kQueries * padded_dim),
        total(RoundUp(keys + values + scores + sums, 16)) {}
};

class Worker {
 public:
  Worker(const AttentionParams& params, const AttentionBuffers& buffers, int part_index)
      : p_(params),
        b_(buffers),
        sizes_(params),
        rows_(GetAttentionRows(params.isa)),
        tiles_(*GetTileTable(params.isa)),
        transpose_(GetTranspose2d(params.isa)),
        keys_(static_cast<float*>(buffers.workspace) + part_index * sizes_.total),
        values_(keys_ + sizes_.keys),
        scores_(values_ + sizes_.values),
        sums_(scores_ + sizes_.scores) {}

  // Queries [query0, query0 + count) of one head.
  void Run(int64_t batch, int64_t head, int64_t query0, int64_t count) {
    const int64_t kv_head = head / (p_.heads / p_.kv_heads);
    const float* q = b_.q + batch * p_.q.batch + head * p_.q.head + query0 * p_.q.row;
    const float* k = b_.k + batch * p_.k.batch + kv_head * p_.k.head;
    const float* v = b_.v + batch * p_.v.batch + kv_head * p_.v.head;
    states_.fill({-kInfinity, 0.0f});
    std::fill_n(sums_, count * sizes_.padded_dim, 0.0f);
    const int64_t last_query = query0 + count - 1;
    for (int64_t key0 = 0; key0 < p_.kv_len; key0 += kKeys) {
      if (p_.causal && key0 > last_query + p_.causal_offset) break;
      const int64_t keys = std::min(kKeys, p_.kv_len - key0);
      const bool few = count <= kFewQueries;
      if (few) {
        for (int64_t i = 0; i < count; ++i) {
          rows_.scores(q + i * p_.q.row, k + key0 * p_.k.row, p_.k.row, keys, p_.head_dim,
                       scores_ + i * kKeys);
        }
      } else {
        Pack(batch, kv_head, key0, keys, k, v);
        MultiplyRows(q, p_.q.row, count, p_.head_dim, keys_, RoundUp(keys, sizes_.panel), scores_,
                     kKeys, false);
      }
      Softmax(batch, head, query0, count, key0, keys);
      if (few) {
        for (int64_t i = 0; i < count; ++i) {
          rows_.add_values(scores_ + i * kKeys, v + key0 * p_.v.row, p_.v.row, keys, p_.value_dim,
                           sums_ + i * sizes_.padded_dim);
        }
      } else {
        MultiplyRows(scores_, kKeys, count, keys, values_, sizes_.padded_dim, sums_,
                     sizes_.padded_dim, true);
      }
    }
    float* out = b_.out + batch * p_.out.batch + head * p_.out.head + query0 * p_.out.row;
    for (int64_t i = 0; i < count; ++i) {
      rows_.store(sums_ + i * sizes_.padded_dim, p_.value_dim, 1 / states_[i].sum,
                  out + i * p_.out.row);
    }
  }

 private:
  // Keys transposed and values copied into panels of sizes_.panel columns, zero beyond the end.
  void Pack(int64_t batch, int64_t kv_head, int64_t key0, int64_t keys, const float* k,
            const float* v) {
    const std::array<int64_t, 3> wanted = {batch, kv_head, key0};
    if (packed_ == wanted) return;
    packed_ = wanted;
    const int64_t panel = sizes_.panel;
    for (int64_t j = 0; j < keys; j += panel) {
      const int64_t width = std::min(panel, keys - j);
      float* dst = keys_ + j * p_.head_dim;
      if (width < panel) std::fill_n(dst, panel * p_.head_dim, 0.0f);
      transpose_(k + (key0 + j) * p_.k.row, p_.k.row, dst, panel, width, p_.head_dim);
    }
    for (int64_t c = 0; c < p_.value_dim; c += panel) {
      const int64_t width = std::min(panel, p_.value_dim - c);
      float* dst = values_ + c * keys;
      for (int64_t j = 0; j < keys; ++j) {
        std::copy_n(v + (key0 + j) * p_.v.row + c, width, dst + j * panel);
        std::fill(dst + j * panel + width, dst + (j + 1) * panel, 0.0f);
      }
    }
  }

  // dst = a * panels, or dst += a * panels: a has `rows` rows of `depth` elements.
  void MultiplyRows(const float* a, int64_t a_stride, int64_t rows, int64_t depth,
                    const float* panels, int64_t columns, float* dst, int64_t dst_stride,
                    bool accumulate) const {
    static constexpr Epilogue kNothing;
    RowRef refs[kQueries];
    for (int64_t i = 0; i < rows; ++i) refs[i] = {a + i * a_stride, 0};
    const int64_t lanes = sizes_.panel / 2, most = tiles_.max_rows[2];
    const int64_t groups = (rows + most - 1) / most;
    TileArgs args{};
    args.tap_stride = rows;
    args.taps = args.blocks = 1;
    args.length = depth;
    args.weight_stride = sizes_.panel;
    args.dst_row_stride = dst_stride;
    args.dst_vector_stride = lanes;
    args.epilogue = &kNothing;
    args.tail_lanes = static_cast<int32_t>(lanes);
    for (int64_t c = 0; c < columns; c += sizes_.panel) {
      args.weights = panels + c * depth;
      for (int64_t g = 0; g < groups; ++g) {
        const int64_t first = rows * g / groups, last = rows * (g + 1) / groups;
        args.rows = refs + first;
        args.dst = dst + first * dst_stride + c;
        args.init = accumulate ? args.dst : nullptr;
        tiles_.tile[2][last - first](args);
      }
    }
  }

  void Softmax(int64_t batch, int64_t head, int64_t query0, int64_t count, int64_t key0,
               int64_t keys) {
    float mask_row[kKeys];
    for (int64_t i = 0; i < count; ++i) {
      int64_t visible = keys;
      if (p_.causal) {
        const int64_t limit = query0 + i + p_.causal_offset + 1 - key0;
        visible = std::clamp<int64_t>(limit, 0, keys);
      }
      const float* mask = MaskRow(batch, head, query0 + i, key0, visible, mask_row);
      const float factor = rows_.softmax(scores_ + i * kKeys, visible, RoundUp(keys, sizes_.panel),
                                         p_.scale, mask, states_[i]);
      if (key0 > 0 && factor != 1.0f) {
        rows_.rescale(sums_ + i * sizes_.padded_dim, sizes_.padded_dim, factor);
      }
    }
  }

  // The additive mask of one query for `keys` keys: in place when it is contiguous, else in `row`.
  const float* MaskRow(int64_t batch, int64_t head, int64_t query, int64_t key0, int64_t keys,
                       float* row) const {
    if (p_.mask == AttentionMask::kNone) return nullptr;
    const int64_t offset =
        batch * p_.mask_batch + head * p_.mask_head + query * p_.mask_query + key0 * p_.mask_key;
    if (p_.mask == AttentionMask::kBoolean) {
      const auto* mask = static_cast<const uint8_t*>(b_.mask) + offset;
      for (int64_t j = 0; j < keys; ++j) row[j] = mask[j * p_.mask_key] ? 0.0f : -kInfinity;
      return row;
    }
    const auto* mask = static_cast<const float*>(b_.mask) + offset;
    if (p_.mask_key == 1) return mask;
    for (int64_t j = 0; j < keys; ++j) row[j] = mask[j * p_.mask_key];
    return row;
  }

  const AttentionParams& p_;
  const AttentionBuffers& b_;
  const Sizes sizes_;
  const AttentionRowFns rows_;
  const TileTable& tiles_;
  const Transpose2dFn transpose_;
  float* keys_;
  float* values_;
  float* scores_;
  float* sums_;
  std::array<RunningSoftmax, kQueries> states_;
  std::array<int64_t, 3> packed_ = {-1, -1, -1};
};

}  // namespace

size_t AttentionWorkspaceBytes(const AttentionParams& params, int num_parts) {
  return static_cast<size_t>(Sizes(params).total * num_parts) * sizeof(float);
}

void RunAttention(const AttentionParams& p, const AttentionBuffers& buffers, int /*phase*/,
                  Part part) {
  const int64_t blocks = (p.q_len + kQueries - 1) / kQueries;
  const Range range = PartRange(p.batch * p.heads * blocks, 1, part);
  Worker worker(p, buffers, part.index);
  for (int64_t i = range.begin; i < range.end; ++i) {
    const int64_t head = i / blocks % p.heads, batch = i / blocks / p.heads;
    // Blocks of about equal size.
    const int64_t first = p.q_len * (i % blocks) / blocks,
                  last = p.q_len * (i % blocks + 1) / blocks;
    worker.Run(batch, head, first, last - first);
  }
}

}  // namespace cairn::kernels
