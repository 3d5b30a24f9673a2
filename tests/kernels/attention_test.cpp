// SPDX-License-Identifier: Apache-2.0
// Attention against the definition in double: masks, causality, shared heads, strides, long rows.
#include "kernels/attention/attention.h"

#include "kernel_testing.h"

namespace cairn::kernels {
namespace {

struct Case {
  int64_t batch, heads, kv_heads, q_len, kv_len, dim, value_dim;
  AttentionMask mask;
  bool causal;
};

AttentionParams MakeParams(Isa isa, const Case& c) {
  AttentionParams p{};
  p.isa = isa;
  p.batch = c.batch, p.heads = c.heads, p.kv_heads = c.kv_heads;
  p.q_len = c.q_len, p.kv_len = c.kv_len, p.head_dim = c.dim, p.value_dim = c.value_dim;
  // Heads side by side in a row, as the projections leave them.
  p.q = {c.q_len * c.heads * c.dim, c.dim, c.heads * c.dim};
  p.k = {c.kv_len * c.kv_heads * c.dim, c.dim, c.kv_heads * c.dim};
  p.v = {c.kv_len * c.kv_heads * c.value_dim, c.value_dim, c.kv_heads * c.value_dim};
  p.out = {c.q_len * c.heads * c.value_dim, c.value_dim, c.heads * c.value_dim};
  p.scale = 1 / std::sqrt(static_cast<float>(c.dim));
  p.mask = c.mask;
  // One mask for all heads; the boolean one for all queries too.
  const bool per_query = c.mask == AttentionMask::kAdditive;
  p.mask_batch = per_query ? c.q_len * c.kv_len : c.kv_len;
  p.mask_query = per_query ? c.kv_len : 0;
  p.mask_key = 1;
  p.causal = c.causal;
  p.causal_offset = std::max<int64_t>(0, c.kv_len - c.q_len);
  return p;
}

TEST(Attention, MatchesTheDefinitionForAnyPartition) {
  const Case cases[] = {{1, 3, 3, 128, 128, 64, 64, AttentionMask::kNone, false},
                        {2, 4, 2, 50, 300, 32, 40, AttentionMask::kAdditive, false},
                        {1, 2, 1, 1, 257, 64, 64, AttentionMask::kBoolean, false},
                        {2, 2, 2, 3, 130, 20, 9, AttentionMask::kAdditive, true},
                        {1, 1, 1, 200, 200, 16, 48, AttentionMask::kNone, true},
                        {1, 2, 2, 7, 5, 3, 1, AttentionMask::kNone, false},
                        {1, 1, 1, 60, 140, 80, 80, AttentionMask::kBoolean, true}};
  std::mt19937 random(5);
  for (Isa isa : AvailableIsas()) {
    for (const Case& c : cases) {
      const AttentionParams p = MakeParams(isa, c);
      Buffer q(c.batch * p.q.batch), k(c.batch * p.k.batch), v(c.batch * p.v.batch);
      for (Buffer* b : {&q, &k, &v}) b->FillRandom(random);
      for (int64_t i = 0; i < q.size(); ++i) q[i] *= 6;
      Buffer additive(c.batch * c.q_len * c.kv_len);
      additive.FillRandom(random);
      std::vector<uint8_t> boolean(c.batch * c.kv_len);
      for (size_t i = 0; i < boolean.size(); ++i) boolean[i] = i % 3 != 1;
      for (int64_t i = 0; i < additive.size(); i += 7) {
        if (i % c.kv_len != 0) additive[i] = -std::numeric_limits<float>::infinity();
      }
      const void* mask =
          c.mask == AttentionMask::kBoolean ? static_cast<void*>(boolean.data()) : additive.data();
      Buffer first(c.batch * p.out.batch);
      for (int parts : {1, 2, 3}) {
        Buffer out(first.size()),
            workspace(static_cast<int64_t>(AttentionWorkspaceBytes(p, parts) / sizeof(float)));
        RunParts(AttentionPhases(p), parts, [&](int phase, Part part) {
          RunAttention(p, {q.data(), k.data(), v.data(), mask, out.data(), workspace.data()}, phase,
                       part);
        });
        out.CheckGuards();
        workspace.CheckGuards();
        if (parts == 1) std::copy_n(out.data(), out.size(), first.data());
        ASSERT_TRUE(SameBits(first, out));
      }
      std::vector<double> expected;
      for (int64_t b = 0; b < c.batch; ++b) {
        for (int64_t i = 0; i < c.q_len; ++i) {
          for (int64_t h = 0; h < c.heads; ++h) {
            const int64_t g = h / (c.heads / c.kv_heads);
            std::vector<double> weights(c.kv_len, 0.0);
            double most = -1e300, sum = 0;
            std::vector<double> scores(c.kv_len);
            for (int64_t j = 0; j < c.kv_len; ++j) {
              double dot = 0;
              for (int64_t e = 0; e < c.dim; ++e) {
                dot += double{q[b * p.q.batch + h * p.q.head + i * p.q.row + e]} *
                       k[b * p.k.batch + g * p.k.head + j * p.k.row + e];
              }
              scores[j] = dot * p.scale;
              if (c.mask == AttentionMask::kAdditive) {
                scores[j] += additive[(b * c.q_len + i) * c.kv_len + j];
              }
              const bool hidden =
                  (c.mask == AttentionMask::kBoolean && !boolean[b * c.kv_len + j]) ||
                  (c.causal && j > i + p.causal_offset);
              if (hidden) scores[j] = -std::numeric_limits<double>::infinity();
              most = std::max(most, scores[j]);
            }
            for (int64_t j = 0; j < c.kv_len; ++j) sum += weights[j] = std::exp(scores[j] - most);
            for (int64_t e = 0; e < c.value_dim; ++e) {
              double value = 0;
              for (int64_t j = 0; j < c.kv_len; ++j) {
                value += weights[j] / sum * v[b * p.v.batch + g * p.v.head + j * p.v.row + e];
              }
              expected.push_back(value);
            }
          }
        }
      }
      ExpectClose(expected, std::vector<float>(first.data(), first.data() + first.size()));
    }
  }
}

}  // namespace
}  // namespace cairn::kernels
