// SPDX-License-Identifier: Apache-2.0
// Lowers Reshape, Flatten, Squeeze, Unsqueeze and Identity to views: the same bytes, other dims.
#include "plan/emitter.h"
#include "plan/lowerings.h"

namespace cairn::plan {
namespace {

Status EmitView(Emitter& emit) {
  ASSIGN_OR_RETURN(TensorId src, emit.In(0));
  return emit.View(0, src, 0).status();
}

/// True when the blocked form stays the same: batch and channels kept, pixels renumbered at most.
bool KeepsBlocks(const Node& node) {
  if (!CanBlock(*node.input(0)) || !CanBlock(*node.output())) return false;
  const Shape from = StaticShape(*node.input(0)), to = StaticShape(*node.output());
  return from[0] == to[0] && from[1] == to[1];
}

}  // namespace

void LowerReshape(const LowerContext& /*context*/, const Node& node,
                  std::vector<Candidate>& candidates) {
  if (node.output() == nullptr || (node.output(1) && node.output(1)->num_uses() > 0)) return;
  if (node.input(0)->type().dtype != node.output()->type().dtype) return;
  auto add = [&](Layout layout) {
    Candidate candidate;
    candidate.algorithm = "view";
    candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
    candidate.inputs[0] = layout;
    candidate.outputs = AllIn(layout, node.outputs().size());
    candidate.emit = EmitView;
    candidates.push_back(std::move(candidate));
  };
  add(Layout::kPlain);
  if (KeepsBlocks(node)) add(Layout::kBlocked);
}

}  // namespace cairn::plan
