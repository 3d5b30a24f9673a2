// SPDX-License-Identifier: Apache-2.0
// Attention: scaled dot products of queries and keys weigh values.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/elementwise.h"
#include "ops/nn/attention_shapes.h"

namespace cairn {
namespace {

using Sizes = AttentionSizes<int64_t>;
constexpr double kMasked = -std::numeric_limits<double>::infinity();

/// What the fourth output shows.
enum ScoreStage : int64_t { kRaw, kCapped, kBiased, kProbabilities };

Status CheckAttributes(const Node& node) {
  const int64_t mode = node.GetInt("qk_matmul_output_mode", kRaw);
  if (mode < kRaw || mode > kProbabilities) {
    return Status(Code::kInvalidModel,
                  StrCat("'qk_matmul_output_mode' is ", mode, ", expected 0 to 3"));
  }
  for (const char* name : {"left_window_size", "right_window_size"}) {
    if (node.GetInt(name, -1) < -1) {
      return Status(Code::kInvalidModel,
                    StrCat("'", name, "' is ", node.GetInt(name, -1), ", expected -1 or more"));
    }
  }
  return OkStatus();
}

Status InferAttention(InferContext& in) {
  RETURN_IF_ERROR(CheckAttributes(in.node()));
  RETURN_IF_ERROR(RequireFloat(in, kQuery));
  RETURN_IF_ERROR(RequireSameDtype(in, kQuery, kKey));
  RETURN_IF_ERROR(RequireFloat(in, kValue));
  if (in.has_input(kPastKey) != in.has_input(kPastValue)) {
    return Status(Code::kInvalidModel, "'past_key' and 'past_value' must be given together");
  }
  if (in.has_input(kPastKey) && in.has_input(kValidLength)) {
    return Status(Code::kInvalidModel, "'past_key' and 'nonpad_kv_seqlen' exclude each other");
  }
  const ElementType query = in.type(kQuery).dtype, value = in.type(kValue).dtype;
  const bool ranks_known = in.dims(kQuery) && in.dims(kKey) && in.dims(kValue) &&
                           (!in.has_input(kPastKey) || in.dims(kPastKey));
  if (!ranks_known) {
    for (size_t i = 0; i < 4; ++i) in.SetOutput(i, TensorType(i == 2 ? value : query));
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const AttentionSizes<Dim> s,
                   ResolveAttention(in.node(), *in.dims(kQuery), *in.dims(kKey), *in.dims(kValue),
                                    in.dims(kPastKey)));
  in.SetOutput(
      0, TensorType(query, s.flat ? Dims{s.batch, s.query_length, s.query_heads * s.value_size}
                                  : Dims{s.batch, s.query_heads, s.query_length, s.value_size}));
  in.SetOutput(1, TensorType(query, {s.batch, s.key_heads, s.total_length, s.head_size}));
  in.SetOutput(2, TensorType(value, {s.batch, s.key_heads, s.total_length, s.value_size}));
  in.SetOutput(3, TensorType(query, {s.batch, s.query_heads, s.query_length, s.total_length}));
  return OkStatus();
}

/// An operand as [batch, heads, length, size].
std::vector<double> ByHeads(const Tensor& tensor, bool flat, int64_t heads) {
  const std::vector<double> values = ToDoubles(tensor);
  if (!flat) return values;
  const Shape& shape = tensor.shape();
  const int64_t length = shape[1], size = shape[2] / heads;
  std::vector<double> result(values.size());
  auto from = values.begin();
  for (int64_t b = 0; b < shape[0]; ++b) {
    for (int64_t s = 0; s < length; ++s) {
      for (int64_t h = 0; h < heads; ++h) {
        std::copy(from, from + size, result.begin() + ((b * heads + h) * length + s) * size);
        from += size;
      }
    }
  }
  return result;
}

/// past and new rows one after the other, for each of `planes` (batch, head).
std::vector<double> Append(const std::vector<double>& past, const std::vector<double>& fresh,
                           int64_t planes) {
  if (past.empty() || planes == 0) return fresh;
  std::vector<double> result;
  const auto p = static_cast<std::ptrdiff_t>(past.size()) / planes;
  const auto f = static_cast<std::ptrdiff_t>(fresh.size()) / planes;
  for (int64_t i = 0; i < planes; ++i) {
    result.insert(result.end(), past.begin() + i * p, past.begin() + (i + 1) * p);
    result.insert(result.end(), fresh.begin() + i * f, fresh.begin() + (i + 1) * f);
  }
  return result;
}

/// What is added to scores: the mask operand, causality, windows and valid lengths.
class Bias {
 public:
  static Result<Bias> Make(const EvalContext& in, const Sizes& sizes) {
    Bias bias;
    bias.sizes_ = sizes;
    bias.causal_ = in.node().GetInt("is_causal", 0) != 0;
    bias.left_ = in.node().GetInt("left_window_size", -1);
    bias.right_ = in.node().GetInt("right_window_size", -1);
    if (in.has_input(kValidLength)) {
      bias.valid_ = ToInts(in.input(kValidLength));
      if (static_cast<int64_t>(bias.valid_.size()) != sizes.batch) {
        return Status(Code::kInvalidArgument, StrCat("'nonpad_kv_seqlen' has ", bias.valid_.size(),
                                                     " elements, expected ", sizes.batch));
      }
    }
    if (in.has_input(kMask)) RETURN_IF_ERROR(bias.SetMask(in.input(kMask)));
    return bias;
  }

  /// The bias of query `i` of `head` against key `j`.
  double At(int64_t batch, int64_t head, int64_t i, int64_t j) const {
    const auto b = static_cast<size_t>(batch);
    if (!valid_.empty() && j >= valid_[b]) return kMasked;
    const int64_t offset = valid_.empty() ? sizes_.past_length : valid_[b] - sizes_.query_length;
    const int64_t distance = j - (i + offset);
    if (causal_ && distance > 0) return kMasked;
    if (left_ >= 0 && -distance > left_) return kMasked;
    if (right_ >= 0 && distance > right_) return kMasked;
    if (!mask_.defined()) return 0;
    if (mask_length_ > 1 && j >= mask_length_) return kMasked;
    const int64_t index =
        batch * strides_[0] + head * strides_[1] + i * strides_[2] + j * strides_[3];
    if (mask_.dtype() == ElementType::kBool) return mask_.GetInt(index) != 0 ? 0 : kMasked;
    return mask_.GetDouble(index);
  }

 private:
  Status SetMask(const Tensor& mask) {
    mask_ = mask;
    mask_length_ = mask.shape().empty() ? 1 : mask.shape().back();
    // The last axis may be shorter than the keys: what lies beyond is masked.
    Shape to = {sizes_.batch, sizes_.query_heads, sizes_.query_length, sizes_.total_length};
    if (mask_length_ > 1) to[3] = std::min(mask_length_, sizes_.total_length);
    auto common = BroadcastShapes(mask.shape(), to);
    if (!common.ok() || mask.rank() > 4 || *common != to) {
      return Status(Code::kInvalidArgument,
                    StrCat("'attn_mask' is ", ShapeToString(mask.shape()),
                           ", which does not broadcast to ", ShapeToString(to)));
    }
    strides_ = BroadcastStrides(mask.shape(), to);
    return OkStatus();
  }

  Sizes sizes_;
  bool causal_ = false;
  int64_t left_ = -1, right_ = -1;
  std::vector<int64_t> valid_;
  Tensor mask_;
  int64_t mask_length_ = 0;
  Shape strides_;
};

/// Replaces biased scores by probabilities; a row whose keys are all masked becomes zero.
void Normalize(std::vector<double>& row, bool all_masked) {
  double top = kMasked, sum = 0;
  for (const double score : row) top = std::isnan(score) || score > top ? score : top;
  for (double& score : row) {
    score = all_masked ? 0 : std::exp(score - top);
    sum += score;
  }
  if (all_masked) return;
  for (double& score : row) score /= sum;
}

/// The attention of one query row; `stage` receives the scores that the fourth output shows.
class QueryRow {
 public:
  QueryRow(const Node& node, const Sizes& sizes, const Bias& bias)
      : sizes_(sizes),
        bias_(bias),
        mode_(node.GetInt("qk_matmul_output_mode", kRaw)),
        softcap_(node.GetFloat("softcap", 0)),
        scale_(1 / std::sqrt(static_cast<double>(sizes.head_size))) {
    if (const float* scale = node.Get<float>("scale")) scale_ = *scale;
  }

  void Run(int64_t batch, int64_t head, int64_t i, const double* query, const double* keys,
           const double* values, double* output, std::vector<double>& stage) const {
    std::vector<double> row(static_cast<size_t>(sizes_.total_length));
    bool all_masked = true;
    stage.assign(row.size(), 0.0);
    for (int64_t j = 0; j < sizes_.total_length; ++j) {
      const auto at = static_cast<size_t>(j);
      double score = 0;
      for (int64_t d = 0; d < sizes_.head_size; ++d) {
        score += query[d] * keys[j * sizes_.head_size + d];
      }
      score *= scale_;
      if (mode_ == kRaw) stage[at] = score;
      if (softcap_ > 0) score = softcap_ * std::tanh(score / softcap_);
      if (mode_ == kCapped) stage[at] = score;
      const double bias = bias_.At(batch, head, i, j);
      all_masked = all_masked && bias == kMasked;
      row[at] = score + bias;
      if (mode_ == kBiased) stage[at] = row[at];
    }
    Normalize(row, all_masked);
    if (mode_ == kProbabilities) stage = row;
    std::fill(output, output + sizes_.value_size, 0.0);
    for (int64_t j = 0; j < sizes_.total_length; ++j) {
      const double weight = row[static_cast<size_t>(j)];
      const double* value = values + j * sizes_.value_size;
      for (int64_t d = 0; d < sizes_.value_size; ++d) output[d] += weight * value[d];
    }
  }

 private:
  const Sizes& sizes_;
  const Bias& bias_;
  int64_t mode_;
  double softcap_, scale_;
};

/// Index in Y of the first element of a query row.
int64_t OutputOffset(const Sizes& s, int64_t batch, int64_t head, int64_t i) {
  const int64_t row = s.flat ? (batch * s.query_length + i) * s.query_heads + head
                             : (batch * s.query_heads + head) * s.query_length + i;
  return row * s.value_size;
}

Status EvalAttention(EvalContext& in) {
  const Tensor &q = in.input(kQuery), &k = in.input(kKey), &v = in.input(kValue);
  const bool cached = in.has_input(kPastKey) && in.has_input(kPastValue);
  ASSIGN_OR_RETURN(const Sizes s, ResolveAttention(in.node(), q.shape(), k.shape(), v.shape(),
                                                   cached ? &in.input(kPastKey).shape() : nullptr));
  const int64_t planes = s.batch * s.key_heads;
  std::vector<double> keys = ByHeads(k, s.flat, s.key_heads);
  std::vector<double> values = ByHeads(v, s.flat, s.key_heads);
  if (cached) {
    keys = Append(ToDoubles(in.input(kPastKey)), keys, planes);
    values = Append(ToDoubles(in.input(kPastValue)), values, planes);
  }
  const auto expect = static_cast<size_t>(planes * s.total_length);
  if (keys.size() != expect * static_cast<size_t>(s.head_size) ||
      values.size() != expect * static_cast<size_t>(s.value_size)) {
    return Status(Code::kInvalidArgument, "past and new keys and values do not fit each other");
  }
  ASSIGN_OR_RETURN(const Bias bias, Bias::Make(in, s));
  ASSIGN_OR_RETURN(
      Tensor * y,
      in.NewOutput(0, q.dtype(),
                   s.flat ? Shape{s.batch, s.query_length, s.query_heads * s.value_size}
                          : Shape{s.batch, s.query_heads, s.query_length, s.value_size}));
  ASSIGN_OR_RETURN(Tensor * present_key,
                   in.NewOutput(1, q.dtype(), {s.batch, s.key_heads, s.total_length, s.head_size}));
  ASSIGN_OR_RETURN(
      Tensor * present_value,
      in.NewOutput(2, v.dtype(), {s.batch, s.key_heads, s.total_length, s.value_size}));
  ASSIGN_OR_RETURN(
      Tensor * scores,
      in.NewOutput(3, q.dtype(), {s.batch, s.query_heads, s.query_length, s.total_length}));
  StoreDoubles(keys, *present_key);
  StoreDoubles(values, *present_value);
  const std::vector<double> queries = ByHeads(q, s.flat, s.query_heads);
  const QueryRow query_row(in.node(), s, bias);
  std::vector<double> output(static_cast<size_t>(s.value_size)), stage;
  int64_t row = 0;
  for (int64_t b = 0; b < s.batch; ++b) {
    for (int64_t h = 0; h < s.query_heads; ++h) {
      const int64_t plane = b * s.key_heads + h / (s.query_heads / s.key_heads);
      for (int64_t i = 0; i < s.query_length; ++i, ++row) {
        query_row.Run(b, h, i, queries.data() + row * s.head_size,
                      keys.data() + plane * s.total_length * s.head_size,
                      values.data() + plane * s.total_length * s.value_size, output.data(), stage);
        const int64_t first = OutputOffset(s, b, h, i);
        for (int64_t d = 0; d < s.value_size; ++d) {
          y->SetDouble(first + d, output[static_cast<size_t>(d)]);
        }
        for (int64_t j = 0; j < s.total_length; ++j) {
          scores->SetDouble(row * s.total_length + j, stage[static_cast<size_t>(j)]);
        }
      }
    }
  }
  return OkStatus();
}

}  // namespace

OpDef AttentionOp() {
  OpDef def("Attention");
  def.Input("Q").Input("K").Input("V").OptionalInput("attn_mask").OptionalInput("past_key");
  def.OptionalInput("past_value").OptionalInput("nonpad_kv_seqlen");
  def.Output("Y").Output("present_key").Output("present_value").Output("qk_matmul_output");
  return def
      .DefaultAttr("is_causal", AttrKind::kInt, int64_t{0},
                   "1: a query sees the keys up to its own position, counted from the first key.")
      .OptionalAttr("kv_num_heads", AttrKind::kInt, "Heads of K and V of rank 3.")
      .DefaultAttr("left_window_size", AttrKind::kInt, int64_t{-1},
                   "How many keys before its own position a query sees; -1: all.")
      .OptionalAttr("q_num_heads", AttrKind::kInt, "Heads of Q of rank 3.")
      .DefaultAttr("qk_matmul_output_mode", AttrKind::kInt, int64_t{0},
                   "What qk_matmul_output shows: 0 scaled products, 1 capped, 2 with bias, 3 "
                   "probabilities.")
      .DefaultAttr("right_window_size", AttrKind::kInt, int64_t{-1},
                   "How many keys behind its own position a query sees; -1: all.")
      .OptionalAttr("scale", AttrKind::kFloat,
                    "Factor of the products; 1 / sqrt(head size) when absent.")
      .DefaultAttr("softcap", AttrKind::kFloat, 0.f,
                   "c > 0: scores become c * tanh(score / c) before the bias.")
      .OptionalAttr("softmax_precision", AttrKind::kType,
                    "The type in which the model wants the softmax computed.")
      .Doc(
          "Y = softmax(cap(scale * Q K^T) + bias) V per head; Q, K, V are [batch, heads, sequence, "
          "size] or [batch, sequence, heads * size]. Heads of Q share heads of K and V in groups. "
          "The "
          "bias masks: a boolean attn_mask keeps what is true, a number is added; a mask shorter "
          "than "
          "the keys masks the rest. Past keys and values go before the new ones. nonpad_kv_seqlen: "
          "valid keys per batch. The position of a query is its index plus the keys before it: "
          "those of the past, or nonpad_kv_seqlen - query length. A query that sees no key gives "
          "0.")
      .Infer(InferAttention)
      .Reference(EvalAttention);
}

}  // namespace cairn
