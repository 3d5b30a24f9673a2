// SPDX-License-Identifier: Apache-2.0
// Lowers element-wise operators and groups of them to the element-wise engine, plain or blocked.
#include <algorithm>

#include "kernels/elementwise/program.h"
#include "plan/elt_program.h"
#include "plan/emitter.h"
#include "plan/lowerings.h"
#include "schedule/elementwise_program.h"

namespace cairn::plan {
namespace {

/// Where a program input comes from: a node input, or a constant inside the node's region.
struct Source {
  int node_input = -1;
  const Value* value = nullptr;  ///< Its type; the constant when node_input < 0.
};

struct Elementwise {
  EltTranslation translation;
  std::vector<Source> sources;
};

std::optional<Elementwise> TranslateNode(const Node& node) {
  Elementwise result;
  const Region* body = node.op() == "ElementwiseGroup" ? node.Get<Region>("body") : nullptr;
  const auto& outer = node.inputs();
  std::vector<const Node*> nodes = {&node};
  std::vector<const Value*> outputs = {node.output()};
  if (body) {
    const auto inner = (*body)->Nodes();
    nodes.assign(inner.begin(), inner.end());
    outputs.assign((*body)->outputs().begin(), (*body)->outputs().end());
  } else if (node.outputs().size() != 1 || node.epilogue()) {
    return std::nullopt;
  }
  auto translation = TranslateElementwise(nodes, outputs);
  if (!translation) return std::nullopt;
  const auto& leaves = body ? (*body)->inputs() : outer;
  for (const Value* input : translation->inputs) {
    auto it = std::find(leaves.begin(), leaves.end(), input);
    Source source;
    if (it != leaves.end()) {
      source.node_input = static_cast<int>(it - leaves.begin());
      source.value = outer[static_cast<size_t>(source.node_input)];
    } else if (input->is_constant()) {
      source.value = input;
    } else {
      return std::nullopt;
    }
    result.sources.push_back(source);
  }
  result.translation = std::move(*translation);
  return result;
}

/// `shape` with leading ones up to `rank`.
Shape Aligned(Shape shape, size_t rank) {
  shape.insert(shape.begin(), rank - std::min(rank, shape.size()), 1);
  return shape;
}

/// The layout in which an operand of `shape` is read beside a blocked result, or nothing.
std::optional<Layout> LayoutBesideBlocked(const Value& value, const Shape& result) {
  const Shape shape = StaticShape(value);
  const Shape aligned = Aligned(shape, result.size());
  if (aligned[1] == 1) return Layout::kPlain;
  // A lower rank puts the channels elsewhere; only a constant can be given the axes it lacks.
  if (shape.size() != result.size() && !value.is_constant()) return std::nullopt;
  if (value.type().dtype != ElementType::kF32) return std::nullopt;
  return Layout::kBlocked;
}

Result<TensorId> SourceTensor(Emitter& emit, const Source& source, Layout layout, size_t rank) {
  if (!source.value->is_constant()) {
    return emit.InAs(static_cast<size_t>(source.node_input), layout);
  }
  Tensor tensor = source.value->constant();
  if (layout == Layout::kBlocked) tensor = tensor.Reshaped(Aligned(tensor.shape(), rank));
  return emit.ConstantTensor(tensor, layout);
}

/// Inputs that have the first output's size, layout and strides and may share its memory.
std::vector<uint32_t> ReusableInputs(const Node& node, const Elementwise& work, Layout layout,
                                     const std::vector<Layout>& source_layouts) {
  std::vector<uint32_t> result;
  const TensorType& out = node.output()->type();
  for (size_t i = 0; i < work.sources.size(); ++i) {
    const TensorType& in = work.sources[i].value->type();
    if (source_layouts[i] != layout || in.dtype != out.dtype || in.dims != out.dims) continue;
    if (kernels::MayAlias(work.translation.program, 0, static_cast<int>(i))) {
      result.push_back(static_cast<uint32_t>(i));
    }
  }
  return result;
}

Status EmitElementwise(Emitter& emit, const Elementwise& work,
                       const std::vector<Layout>& source_layouts) {
  const Node& node = emit.node();
  const size_t rank = StaticShape(*node.output()).size();
  std::vector<TensorId> inputs, outputs;
  for (size_t i = 0; i < work.sources.size(); ++i) {
    ASSIGN_OR_RETURN(TensorId id, SourceTensor(emit, work.sources[i], source_layouts[i], rank));
    inputs.push_back(id);
  }
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    ASSIGN_OR_RETURN(TensorId id, emit.Out(i));
    outputs.push_back(id);
  }
  DraftTask& task = emit.AddTask(std::move(inputs), std::move(outputs));
  schedule::EncodeProgram(work.translation.program, task.task.attributes);
  task.reusable_inputs = ReusableInputs(node, work, emit.candidate().outputs[0], source_layouts);
  return OkStatus();
}

double ElementwiseCycles(const LowerContext& context, const Node& node, const Elementwise& work,
                         double elements) {
  double bytes = 0;
  for (const Source& source : work.sources) {
    bytes += static_cast<double>(ElementCount(StaticShape(*source.value))) * 4;
  }
  for (const Value* output : node.outputs()) {
    bytes += static_cast<double>(ElementCount(StaticShape(*output))) * 4;
  }
  const double vectors = elements / context.c0();
  return 300 + vectors * (1 + work.translation.cycles_per_vector) + TrafficCycles(context, bytes);
}

void AddPlain(const LowerContext& context, const Node& node, const Elementwise& work,
              std::vector<Candidate>& candidates) {
  Candidate candidate;
  candidate.kernel = "elementwise";
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.outputs = AllIn(Layout::kPlain, node.outputs().size());
  candidate.cycles = ElementwiseCycles(
      context, node, work, static_cast<double>(ElementCount(StaticShape(*node.output()))));
  candidate.emit = [work, layouts = AllIn(Layout::kPlain, work.sources.size())](Emitter& emit) {
    return EmitElementwise(emit, work, layouts);
  };
  candidates.push_back(std::move(candidate));
}

void AddBlocked(const LowerContext& context, const Node& node, const Elementwise& work,
                std::vector<Candidate>& candidates) {
  for (const Value* output : node.outputs()) {
    if (!CanBlock(*output)) return;
  }
  const Shape shape = StaticShape(*node.output());
  if (shape.size() > 5) return;
  Candidate candidate;
  candidate.kernel = "elementwise";
  candidate.algorithm = "blocked";
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.outputs = AllIn(Layout::kBlocked, node.outputs().size());
  std::vector<Layout> layouts;
  for (const Source& source : work.sources) {
    const auto layout = LayoutBesideBlocked(*source.value, shape);
    if (!layout) return;
    layouts.push_back(*layout);
    if (source.node_input >= 0) candidate.inputs[static_cast<size_t>(source.node_input)] = *layout;
  }
  const int64_t c0 = context.c0(), padded = (shape[1] + c0 - 1) / c0 * c0;
  candidate.cycles = ElementwiseCycles(
      context, node, work,
      static_cast<double>(ElementCount(shape) / shape[1]) * static_cast<double>(padded));
  candidate.emit = [work, layouts](Emitter& emit) { return EmitElementwise(emit, work, layouts); };
  candidates.push_back(std::move(candidate));
}

}  // namespace

void LowerElementwise(const LowerContext& context, const Node& node,
                      std::vector<Candidate>& candidates) {
  if (node.op() != "ElementwiseGroup" && !IsElementwiseOp(node.op())) return;
  for (const Value* output : node.outputs()) {
    if (!output || output->type().dims != node.output()->type().dims) return;
  }
  const auto work = TranslateNode(node);
  if (!work) return;
  AddPlain(context, node, *work, candidates);
  AddBlocked(context, node, *work, candidates);
}

}  // namespace cairn::plan
