// SPDX-License-Identifier: Apache-2.0
// Running softmax, rescaling, and the dot products for few queries.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention/attention_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include "kernels/attention/attention_rows.h"
#include "kernels/dispatch.h"
#include "kernels/elementwise/vector_math-inl.h"
#include "kernels/reduce/row_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using rows::D;
using rows::V;

float Softmax(float* scores, int64_t keys, int64_t padded, float scale, const float* mask,
              RunningSoftmax& state) {
  const D d;
  const V factor = hn::Set(d, scale);
  const V least = hn::Neg(hn::Inf(d));
  V most = least;
  rows::ForEachVector(keys, [&](auto load, auto store) HWY_ATTR {
    V s = hn::Mul(load(scores), factor);
    if (mask != nullptr) s = hn::Add(s, load(mask));
    store(s, scores);
  });
  most = hn::Set(d, std::max(rows::MaxIgnoringNan(scores, keys), state.most));
  const float new_most = hn::GetLane(most);
  // While every score is -infinity, subtract 0: the exponentials are 0.
  const V subtract = hn::IfThenElse(hn::Eq(most, least), hn::Zero(d), most);
  V sum0 = hn::Zero(d);
  rows::ForEachVector(keys, [&](auto load, auto store) HWY_ATTR {
    store(math::ExpOfNonPositive(d, hn::Sub(load(scores), subtract)), scores);
  });
  std::fill(scores + keys, scores + padded, 0.0f);
  rows::ForEachVector(padded,
                      [&](auto load, auto) HWY_ATTR { sum0 = hn::Add(sum0, load(scores)); });
  const float alpha = state.most == new_most ? 1.0f : std::exp(state.most - hn::GetLane(subtract));
  state.sum = state.sum * alpha + hn::GetLane(hn::SumOfLanes(d, sum0));
  state.most = new_most;
  return alpha;
}

void Store(const float* row, int64_t count, float factor, float* dst) {
  const V f = hn::Set(D(), factor);
  rows::ForEachVector(count,
                      [&](auto load, auto store) HWY_ATTR { store(hn::Mul(load(row), f), dst); });
}

void Rescale(float* row, int64_t count, float factor) { Store(row, count, factor, row); }

void Scores(const float* q, const float* k, int64_t k_stride, int64_t keys, int64_t dim,
            float* scores) {
  const D d;
  int64_t j = 0;
  for (; j + 4 <= keys; j += 4) {
    const float* row = k + j * k_stride;
    V s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    rows::ForEachVector(dim, [&](auto load, auto) HWY_ATTR {
      const V x = load(q);
      s0 = hn::MulAdd(x, load(row), s0);
      s1 = hn::MulAdd(x, load(row + k_stride), s1);
      s2 = hn::MulAdd(x, load(row + 2 * k_stride), s2);
      s3 = hn::MulAdd(x, load(row + 3 * k_stride), s3);
    });
    scores[j] = hn::GetLane(hn::SumOfLanes(d, s0));
    scores[j + 1] = hn::GetLane(hn::SumOfLanes(d, s1));
    scores[j + 2] = hn::GetLane(hn::SumOfLanes(d, s2));
    scores[j + 3] = hn::GetLane(hn::SumOfLanes(d, s3));
  }
  for (; j < keys; ++j) {
    const float* row = k + j * k_stride;
    V s = hn::Zero(d);
    rows::ForEachVector(dim,
                        [&](auto load, auto) HWY_ATTR { s = hn::MulAdd(load(q), load(row), s); });
    scores[j] = hn::GetLane(hn::SumOfLanes(d, s));
  }
}

void AddValues(const float* weights, const float* v, int64_t v_stride, int64_t keys, int64_t dim,
               float* acc) {
  const D d;
  int64_t j = 0;
  for (; j + 4 <= keys; j += 4) {
    const float* row = v + j * v_stride;
    const V w0 = hn::Set(d, weights[j]), w1 = hn::Set(d, weights[j + 1]);
    const V w2 = hn::Set(d, weights[j + 2]), w3 = hn::Set(d, weights[j + 3]);
    rows::ForEachVector(dim, [&](auto load, auto store) HWY_ATTR {
      V sum = hn::MulAdd(w0, load(row), load(acc));
      sum = hn::MulAdd(w1, load(row + v_stride), sum);
      sum = hn::MulAdd(w2, load(row + 2 * v_stride), sum);
      store(hn::MulAdd(w3, load(row + 3 * v_stride), sum), acc);
    });
  }
  for (; j < keys; ++j) {
    const V w = hn::Set(d, weights[j]);
    rows::ForEachVector(dim, [&](auto load, auto store) HWY_ATTR {
      store(hn::MulAdd(w, load(v + j * v_stride), load(acc)), acc);
    });
  }
}

}  // namespace

AttentionRowFns AttentionRows() { return {Softmax, Rescale, Store, Scores, AddValues}; }

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {
namespace {
auto Select(Isa isa) -> AttentionRowFns (*)() { CAIRN_SELECT(isa, AttentionRows) }
}  // namespace
AttentionRowFns GetAttentionRows(Isa isa) {
  const auto get = Select(isa);
  return get ? get() : AttentionRowFns{};
}
}  // namespace cairn::kernels
#endif
