// SPDX-License-Identifier: Apache-2.0
// Lowers Attention (as onnx:Attention without past keys) to the attention kernel.
#include <cmath>

#include "plan/emitter.h"
#include "plan/lowerings.h"

namespace cairn::plan {
namespace {

Status EmitAttention(Emitter& emit) {
  const Node& node = emit.node();
  const size_t num_inputs = node.input(3) ? 4 : 3;
  std::vector<TensorId> inputs;
  for (size_t i = 0; i < num_inputs; ++i) {
    ASSIGN_OR_RETURN(TensorId id, emit.In(i));
    inputs.push_back(id);
  }
  ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
  TaskAttributes& attributes = emit.AddTask(std::move(inputs), {y}).task.attributes;
  const Shape q = StaticShape(*node.input(0));
  const int64_t heads = q.size() == 4 ? q[1] : node.GetInt("q_num_heads", 1);
  const int64_t dim = q.size() == 4 ? q[3] : q[2] / heads;
  if (q.size() == 3) {
    attributes["heads"] = heads;
    attributes["kv_heads"] = node.GetInt("kv_num_heads", heads);
  }
  const float fallback = 1.0f / std::sqrt(static_cast<float>(dim));
  attributes["scale"] = static_cast<double>(node.GetFloat("scale", fallback));
  if (node.GetInt("is_causal", 0) != 0) attributes["causal"] = int64_t{1};
  return OkStatus();
}

}  // namespace

void LowerAttention(const LowerContext& context, const Node& node,
                    std::vector<Candidate>& candidates) {
  if (node.epilogue() || node.GetFloat("softcap", 0) != 0) return;
  if (node.GetInt("left_window_size", -1) >= 0 || node.GetInt("right_window_size", -1) >= 0) return;
  for (size_t i = 4; i < node.inputs().size(); ++i) {
    if (node.input(i)) return;
  }
  for (size_t i = 1; i < node.outputs().size(); ++i) {
    if (node.output(i) && node.output(i)->num_uses() > 0) return;
  }
  for (size_t i = 0; i < 3; ++i) {
    const TensorType& type = node.input(i)->type();
    if (type.dtype != ElementType::kF32 || type.rank() != node.input(0)->type().rank()) return;
  }
  const Shape q = StaticShape(*node.input(0)), k = StaticShape(*node.input(1));
  if (q.size() != 3 && q.size() != 4) return;
  if (const Value* mask = node.input(3)) {
    const ElementType type = mask->type().dtype;
    if (type != ElementType::kF32 && type != ElementType::kBool) return;
    // A mask that is shorter than the keys excludes the rest: the kernel has no such form.
    const Shape shape = StaticShape(*mask);
    if (shape.empty() || shape.size() > 4 ||
        (shape.back() != 1 && shape.back() != k[k.size() - 2])) {
      return;
    }
  }
  const int64_t keys = q.size() == 4 ? k[2] : k[1];
  Candidate candidate;
  candidate.kernel = "attention_f32";
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.outputs = AllIn(Layout::kPlain, node.outputs().size());
  const auto products = static_cast<double>(ElementCount(q)) * static_cast<double>(keys) * 2;
  candidate.cycles = 1000 + products / context.c0();
  candidate.emit = EmitAttention;
  candidates.push_back(std::move(candidate));
}

}  // namespace cairn::plan
