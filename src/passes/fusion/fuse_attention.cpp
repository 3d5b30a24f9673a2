// SPDX-License-Identifier: Apache-2.0
// FuseAttention: softmax(scale * Q K^T + mask) V of any spelling becomes one operator.
#include "passes/passes.h"
#include "passes/reshape_target.h"

namespace cairn {
namespace {

struct Attention {
  Value *q = nullptr, *k = nullptr, *v = nullptr, *mask = nullptr;
  double scale = 1;
  Node* root = nullptr;
  std::unordered_set<const Node*> nodes;
};

/// Looks through multiplications and divisions by a number that only this path reads.
Value* PeelScale(Value* value, Attention& attention) {
  while (true) {
    Node* node = value->producer();
    if (!node || node->epilogue() || value->num_uses() != 1) return value;
    Value* next = nullptr;
    if (node->op() == "Mul") {
      for (size_t i = 0; i < 2 && !next; ++i) {
        const auto factor = SplatOf(node->input(i));
        if (!factor || *factor <= 0) continue;
        next = node->input(1 - i);
        if (SameType(next, value)) attention.scale *= *factor;
      }
    } else if (node->op() == "Div") {
      const auto divisor = SplatOf(node->input(1));
      if (divisor && *divisor > 0) {
        next = node->input(0);
        if (SameType(next, value)) attention.scale /= *divisor;
      }
    }
    if (!next || !SameType(next, value)) return value;
    attention.nodes.insert(node);
    value = next;
  }
}

/// Q K^T, perhaps scaled, behind `scores`.
bool MatchProduct(Value* scores, Attention& attention) {
  Node* product = ProducerOf(PeelScale(scores, attention), "MatMul");
  if (!product || product->GetInt("transA", 0) != 0 || product->GetInt("transB", 0) != 1) {
    return false;
  }
  attention.nodes.insert(product);
  attention.q = PeelScale(product->input(0), attention);
  attention.k = PeelScale(product->input(1), attention);
  return true;
}

bool MatchScores(Value* scores, Attention& attention) {
  Node* add = ProducerOf(scores, "Add");
  if (!add) return MatchProduct(scores, attention);
  for (size_t i = 0; i < 2; ++i) {
    Attention attempt = attention;
    if (!SameType(add->input(i), scores) || !MatchProduct(add->input(i), attempt)) continue;
    attempt.mask = add->input(1 - i);
    attempt.nodes.insert(add);
    attention = std::move(attempt);
    return true;
  }
  return false;
}

/// Q [batch, heads, S, D], K [.., T, D], V [.., T, E]; rank 3 has no batch.
bool ShapesFit(const Attention& attention, const Value& scores) {
  const TensorType &q = attention.q->type(), &k = attention.k->type(), &v = attention.v->type();
  if (!q.dims || !k.dims || !v.dims || !scores.type().dims) return false;
  const int64_t rank = q.rank();
  if ((rank != 3 && rank != 4) || k.rank() != rank || v.rank() != rank) return false;
  if (q.dtype != k.dtype || q.dtype != v.dtype || !IsPlainFloat(q.dtype)) return false;
  const auto last = static_cast<size_t>(rank) - 1;
  for (size_t i = 0; i + 2 <= last; ++i) {
    if (!((*q.dims)[i] == (*k.dims)[i]) || !((*q.dims)[i] == (*v.dims)[i])) return false;
  }
  if (!((*q.dims)[last] == (*k.dims)[last]) || !((*k.dims)[last - 1] == (*v.dims)[last - 1])) {
    return false;
  }
  if (!attention.mask) return true;
  // onnx:Attention a mask shorter than the keys is completed with -inf, not broadcast.
  const TensorType& mask = attention.mask->type();
  return mask.dtype == q.dtype && BroadcastsTo(attention.mask, *scores.type().dims) &&
         mask.rank() >= 1 && mask.dims->back() == scores.type().dims->back();
}

std::optional<Attention> Match(Node& node) {
  if (node.op() != "MatMul" || node.epilogue() || !node.output()) return std::nullopt;
  if (node.GetInt("transA", 0) != 0 || node.GetInt("transB", 0) != 0) return std::nullopt;
  Node* softmax = ProducerOf(node.input(0), "Softmax");
  if (!softmax || !softmax->output()->type().dims) return std::nullopt;
  const int64_t rank = softmax->output()->type().rank();
  if (NormalAxis(softmax->GetInt("axis", -1), rank) != rank - 1) return std::nullopt;
  Attention attention;
  attention.v = node.input(1);
  attention.root = &node;
  attention.nodes = {&node, softmax};
  Value* scores = softmax->input(0);
  if (!MatchScores(scores, attention) || !ShapesFit(attention, *scores)) return std::nullopt;
  return IsClosed(attention.nodes, &node) ? std::optional(std::move(attention)) : std::nullopt;
}

/// `value` with leading 1s up to rank 4; nullptr when its shape cannot be written down.
Result<Value*> AsRank4(Graph& graph, Value* value, Node* before) {
  Dims dims(4 - static_cast<size_t>(value->type().rank()), Dim(1));
  if (dims.empty()) return value;
  dims.insert(dims.end(), value->type().dims->begin(), value->type().dims->end());
  ASSIGN_OR_RETURN(Node * reshape, BuildReshape(graph, "", value, dims, before, {}));
  return reshape ? reshape->output() : nullptr;
}

Result<bool> Fuse(Graph& graph, Node& node) {
  const auto match = Match(node);
  if (!match) return false;
  std::vector<Value*> inputs = {match->q, match->k, match->v};
  if (match->mask) inputs.push_back(match->mask);
  for (const Value* input : inputs) {
    if (input->type().rank() < 4 && !input->type().is_static()) return false;
  }
  for (Value*& input : inputs) {
    ASSIGN_OR_RETURN(input, AsRank4(graph, input, &node));
  }
  ASSIGN_OR_RETURN(Node * fused, BuildNode(graph, "Attention", "", inputs,
                                           {{"scale", static_cast<float>(match->scale)}}, &node,
                                           InOrder(match->nodes, &node)));
  Value* result = fused->output();
  if (match->q->type().rank() == 3) {
    ASSIGN_OR_RETURN(Node * reshape,
                     BuildReshape(graph, "", result, *node.output()->type().dims, &node, {fused}));
    if (!reshape) return Status(Code::kInternal, "the shape of the result is not static");
    result = reshape->output();
  }
  RETURN_IF_ERROR(TakeOver(graph, node.output(), result));
  return true;
}

}  // namespace

Result<int> FuseAttention(Graph& graph, const PassContext& /*context*/) {
  return ForEachNode(graph, Fuse);
}

}  // namespace cairn
