// SPDX-License-Identifier: Apache-2.0
// LinearAttention: attention by a recurrent state instead of all past keys.
#include <cmath>

#include "ops/elements.h"

namespace cairn {
namespace {

enum Input : size_t { kQuery, kKey, kValue, kPast, kDecay, kBeta };

struct Rule {
  bool decays, corrects;  ///< The state fades; what the key already recalls is taken off.
};

Result<Rule> RuleOf(const Node& node) {
  const std::string rule = node.GetString("update_rule", "gated_delta");
  if (rule == "linear") return Rule{false, false};
  if (rule == "gated") return Rule{true, false};
  if (rule == "delta") return Rule{false, true};
  if (rule == "gated_delta") return Rule{true, true};
  return Status(Code::kInvalidModel,
                StrCat("update_rule is '", rule,
                       "', expected linear, gated, delta or gated_delta"));
}

Dim Quotient(InferContext& in, const Dim& dim, int64_t heads) {
  return dim.is_const() ? Dim(dim.value() / heads) : in.NewSymbol();
}

Status InferLinearAttention(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, kQuery));
  for (const size_t i : {kQuery, kKey, kValue, kDecay, kBeta}) {
    if (!in.has_input(i)) continue;
    RETURN_IF_ERROR(RequireSameDtype(in, kQuery, i));
    RETURN_IF_ERROR(RequireRank(in, i, 3));
  }
  if (in.has_input(kPast)) RETURN_IF_ERROR(RequireRank(in, kPast, 4));
  ASSIGN_OR_RETURN(const Rule rule, RuleOf(in.node()));
  const int64_t q_heads = in.node().GetInt("q_num_heads", 0);
  const int64_t kv_heads = in.node().GetInt("kv_num_heads", 0);
  if (q_heads < 1 || kv_heads < 1 || q_heads % kv_heads != 0) {
    return Status(Code::kInvalidModel, StrCat(q_heads, " query heads for ", kv_heads,
                                              " key heads, expected a positive multiple"));
  }
  if ((rule.decays && !in.has_input(kDecay)) || (rule.corrects && !in.has_input(kBeta))) {
    return Status(Code::kInvalidModel,
                  StrCat("input '", rule.decays && !in.has_input(kDecay) ? "decay" : "beta",
                         "' is missing"));
  }
  const ElementType dtype = in.type(kQuery).dtype;
  TensorType y(dtype), state(in.has_input(kPast) ? in.type(kPast).dtype : dtype);
  const Dims *q = in.dims(kQuery), *k = in.dims(kKey), *v = in.dims(kValue);
  if (q && k && v) {
    const Dim width = Quotient(in, (*v)[2], kv_heads);
    y.dims = Dims{(*q)[0], (*q)[1], width * Dim(q_heads)};
    state.dims = Dims{(*q)[0], Dim(kv_heads), Quotient(in, (*k)[2], kv_heads), width};
  }
  in.SetOutput(0, std::move(y));
  in.SetOutput(1, std::move(state));
  return OkStatus();
}

struct Extents {
  int64_t batch, length, q_heads, kv_heads, key, value;
};

Result<Extents> ExtentsOf(const EvalContext& in) {
  const Shape &q = in.input(kQuery).shape(), &k = in.input(kKey).shape();
  const Shape& v = in.input(kValue).shape();
  Extents e{q[0], q[1], in.node().GetInt("q_num_heads", 0), in.node().GetInt("kv_num_heads", 0), 0,
            0};
  e.key = k[2] / e.kv_heads;
  e.value = v[2] / e.kv_heads;
  bool fits = q[2] == e.q_heads * e.key && k == Shape{q[0], q[1], e.kv_heads * e.key} &&
              v == Shape{q[0], q[1], e.kv_heads * e.value};
  if (in.has_input(kPast)) {
    fits = fits && in.input(kPast).shape() == Shape{e.batch, e.kv_heads, e.key, e.value};
  }
  if (in.has_input(kDecay)) {
    const Shape& d = in.input(kDecay).shape();
    fits = fits && d[0] == e.batch && d[1] == e.length &&
           (d[2] == e.kv_heads || d[2] == e.kv_heads * e.key);
  }
  if (in.has_input(kBeta)) {
    const Shape& b = in.input(kBeta).shape();
    fits = fits && b[0] == e.batch && b[1] == e.length && (b[2] == e.kv_heads || b[2] == 1);
  }
  if (fits) return e;
  return Status(Code::kInvalidArgument,
                StrCat("query ", ShapeToString(q), ", key ", ShapeToString(k), " and value ",
                       ShapeToString(v), " do not fit ", e.q_heads, " and ", e.kv_heads,
                       " heads"));
}

/// Takes the state [key, value] of one head over token `row` = batch * length + t.
void UpdateState(const EvalContext& in, const Extents& e, const Rule& rule, int64_t row,
                 int64_t head, std::vector<double>& state) {
  const auto key = [&](int64_t i) {
    return in.input(kKey).GetDouble((row * e.kv_heads + head) * e.key + i);
  };
  if (rule.decays) {
    const Tensor& decay = in.input(kDecay);
    const bool per_key = decay.shape()[2] != e.kv_heads;
    for (int64_t i = 0; i < e.key; ++i) {
      const int64_t at = row * e.kv_heads + head;
      const double fade = std::exp(decay.GetDouble(per_key ? at * e.key + i : at));
      for (int64_t j = 0; j < e.value; ++j) state[static_cast<size_t>(i * e.value + j)] *= fade;
    }
  }
  double beta = 1;
  if (rule.corrects) {
    const Tensor& rates = in.input(kBeta);
    beta = rates.GetDouble(rates.shape()[2] == 1 ? row : row * e.kv_heads + head);
  }
  for (int64_t j = 0; j < e.value; ++j) {
    double v = in.input(kValue).GetDouble((row * e.kv_heads + head) * e.value + j);
    for (int64_t i = 0; rule.corrects && i < e.key; ++i) {
      v -= state[static_cast<size_t>(i * e.value + j)] * key(i);
    }
    for (int64_t i = 0; i < e.key; ++i) {
      state[static_cast<size_t>(i * e.value + j)] += beta * key(i) * v;
    }
  }
}

Status EvalLinearAttention(EvalContext& in) {
  ASSIGN_OR_RETURN(const Extents e, ExtentsOf(in));
  ASSIGN_OR_RETURN(const Rule rule, RuleOf(in.node()));
  const ElementType dtype = in.input(kQuery).dtype();
  const float given = in.node().GetFloat("scale", 0);
  const double scale = given != 0 ? given : 1 / std::sqrt(static_cast<double>(e.key));
  ASSIGN_OR_RETURN(Tensor * y,
                   in.NewOutput(0, dtype, {e.batch, e.length, e.q_heads * e.value}));
  ASSIGN_OR_RETURN(Tensor * present,
                   in.NewOutput(1, in.has_input(kPast) ? in.input(kPast).dtype() : dtype,
                                {e.batch, e.kv_heads, e.key, e.value}));
  const int64_t size = e.key * e.value, group = e.q_heads / e.kv_heads;
  for (int64_t b = 0; b < e.batch * e.kv_heads; ++b) {
    const int64_t head = b % e.kv_heads;
    std::vector<double> state(static_cast<size_t>(size), 0);
    for (int64_t i = 0; in.has_input(kPast) && i < size; ++i) {
      state[static_cast<size_t>(i)] = in.input(kPast).GetDouble(b * size + i);
    }
    for (int64_t t = 0; t < e.length; ++t) {
      const int64_t row = b / e.kv_heads * e.length + t;
      UpdateState(in, e, rule, row, head, state);
      for (int64_t q = head * group; q < (head + 1) * group; ++q) {
        for (int64_t j = 0; j < e.value; ++j) {
          double sum = 0;
          for (int64_t i = 0; i < e.key; ++i) {
            sum += in.input(kQuery).GetDouble((row * e.q_heads + q) * e.key + i) *
                   state[static_cast<size_t>(i * e.value + j)];
          }
          y->SetDouble((row * e.q_heads + q) * e.value + j, scale * sum);
        }
      }
    }
    for (int64_t i = 0; i < size; ++i) present->SetDouble(b * size + i, state[static_cast<size_t>(i)]);
  }
  return OkStatus();
}

}  // namespace

OpDef LinearAttentionOp() {
  return OpDef("LinearAttention")
      .Input("query")
      .Input("key")
      .Input("value")
      .OptionalInput("past_state")
      .OptionalInput("decay")
      .OptionalInput("beta")
      .Output("output")
      .Output("present_state")
      .DefaultAttr("chunk_size", AttrKind::kInt, int64_t{64}, "Without effect on the result.")
      .Attr("kv_num_heads", AttrKind::kInt, "Heads of key, value and state.")
      .Attr("q_num_heads", AttrKind::kInt, "Heads of the query, a multiple of those of the key.")
      .DefaultAttr("scale", AttrKind::kFloat, 0.0f, "0: 1 / sqrt(key size).")
      .DefaultAttr("update_rule", AttrKind::kString, std::string("gated_delta"),
                   "linear, gated, delta or gated_delta.")
      .Doc("Token by token, state S [key, value] of each head: S = exp(decay) S (gated), then S = S "
           "+ beta k (v - S^T k)^T (delta) or S = S + k v^T; the output is scale q^T S.")
      .Infer(InferLinearAttention)
      .Reference(EvalLinearAttention);
}

}  // namespace cairn
