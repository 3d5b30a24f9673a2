// SPDX-License-Identifier: Apache-2.0
// Lowers pooling over windows, plain or blocked.
#include "plan/conv_geometry.h"
#include "plan/emitter.h"
#include "plan/lowerings.h"

namespace cairn::plan {
namespace {

struct PoolWork {
  WindowAttributes window;
  bool average = false, count_include_pad = false, ceil_mode = false;
};

std::optional<PoolWork> Analyse(const Node& node) {
  const Shape in = StaticShape(*node.input(0));
  PoolWork work;
  work.average = node.op() == "AveragePool";
  auto window = ReadWindowAttributes(node, in, {});
  if (!window) return std::nullopt;
  work.window = std::move(*window);
  work.count_include_pad = node.GetInt("count_include_pad", 0) != 0;
  work.ceil_mode = node.GetInt("ceil_mode", 0) != 0;
  return work;
}

Status EmitPool(Emitter& emit, const PoolWork& work) {
  ASSIGN_OR_RETURN(TensorId x, emit.In(0));
  ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
  TaskAttributes& attributes = emit.AddTask({x}, {y}).task.attributes;
  SetWindow(work.window, true, attributes);
  if (work.average) attributes["average"] = int64_t{1};
  if (work.count_include_pad) attributes["count_include_pad"] = int64_t{1};
  if (work.ceil_mode) attributes["ceil_mode"] = int64_t{1};
  return OkStatus();
}

}  // namespace

void LowerPool(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates) {
  const Value *x = node.input(0), *y = node.output();
  if (!CanBlock(*x) || x->type().rank() > 5 || !y || node.output(1) || node.epilogue()) return;
  const auto work = Analyse(node);
  if (!work) return;
  double taps = 1;
  for (int64_t size : work->window.kernel) taps *= static_cast<double>(size);
  const auto in = static_cast<double>(ElementCount(StaticShape(*x)));
  const auto out = static_cast<double>(ElementCount(StaticShape(*y)));
  for (Layout layout : {Layout::kBlocked, Layout::kPlain}) {
    Candidate candidate;
    candidate.kernel = "pool_f32";
    candidate.algorithm = layout == Layout::kBlocked ? "blocked" : "plain";
    candidate.inputs = AllIn(layout, 1);
    candidate.outputs = AllIn(layout, node.outputs().size());
    const double lanes = layout == Layout::kBlocked ? context.c0() : 2.0;
    candidate.cycles = 500 + out * taps / lanes + TrafficCycles(context, (in + out) * 4);
    candidate.emit = [work = *work](Emitter& emit) { return EmitPool(emit, work); };
    candidates.push_back(std::move(candidate));
  }
}

}  // namespace cairn::plan
