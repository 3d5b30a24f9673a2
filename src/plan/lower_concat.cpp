// SPDX-License-Identifier: Apache-2.0
// Lowers Concat and Split: without a kernel where the parts follow each other in memory (producers write
// straight into the whole, readers read straight from it), by a strided copy for each part otherwise.
#include <algorithm>
#include <functional>
#include <numeric>

#include "plan/lowerings.h"
#include "plan/movement.h"

namespace cairn::plan {
namespace {

/// Product of the extents before `axis` in the physical index space.
int64_t OuterCount(const Shape& shape, size_t axis, Layout layout, int c0) {
  int64_t outer = 1;
  for (size_t i = 0; i < axis; ++i) {
    outer *= layout == Layout::kBlocked && i == 1 ? (shape[1] + c0 - 1) / c0 : shape[i];
  }
  return outer;
}

/// True when parts along `axis` are whole, consecutive pieces of the bytes of `whole`.
bool PartsAreContiguous(const Shape& whole, const std::vector<const Value*>& parts, size_t axis,
                        Layout layout, int c0) {
  if (OuterCount(whole, axis, layout, c0) != 1) return false;
  if (layout == Layout::kPlain || axis != 1) return true;
  // Every part but the last fills its channel blocks.
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    if (StaticShape(*parts[i])[1] % c0 != 0) return false;
  }
  return true;
}

size_t NormalAxis(const Node& node, const Shape& shape, int64_t fallback) {
  const int64_t axis = node.GetInt("axis", fallback);
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis);
}

/// How many of `parts` from `first` on are together exactly the bytes of the root that the first lies
/// in, or 0. The parts of a split are such a run.
size_t RunThatFillsRoot(const Draft& draft, const std::vector<TensorId>& parts, size_t first) {
  const TensorId root = draft.Locate(parts[first]).root;
  uint64_t offset = 0;
  for (size_t i = first; i < parts.size(); ++i) {
    const Place place = draft.Locate(parts[i]);
    if (place.root != root || place.offset != offset) return 0;
    offset += draft.tensors[parts[i]].bytes;
    if (offset == draft.tensors[root].bytes) return i + 1 - first;
  }
  return 0;
}

/// Each input moves into its piece of the result, or is copied there when it cannot move.
Status EmitConcatInPlace(Emitter& emit) {
  ASSIGN_OR_RETURN(TensorId whole, emit.Out(0));
  Draft& draft = emit.draft();
  const Layout layout = emit.candidate().outputs[0];
  std::vector<TensorId> parts;
  for (size_t i = 0; i < emit.node().inputs().size(); ++i) {
    ASSIGN_OR_RETURN(TensorId part, emit.In(i));
    parts.push_back(part);
  }
  uint64_t offset = 0;
  for (size_t i = 0; i < parts.size();) {
    const TensorId root = draft.Locate(parts[i]).root;
    const size_t run = draft.tensors[root].storage == Storage::kArena && root != whole
                           ? RunThatFillsRoot(draft, parts, i)
                           : 0;
    if (run > 0) {
      draft.PlaceInside(root, whole, offset);
      offset += draft.tensors[root].bytes;
      i += run;
      continue;
    }
    const DraftTensor tensor = draft.tensors[parts[i]];
    ASSIGN_OR_RETURN(TensorId piece, emit.Temporary(tensor.dtype, layout, tensor.dims));
    draft.PlaceInside(piece, whole, offset);
    emit.AddCopy(parts[i], piece);
    offset += tensor.bytes;
    ++i;
  }
  return OkStatus();
}

Status EmitSplitAsViews(Emitter& emit) {
  ASSIGN_OR_RETURN(TensorId whole, emit.In(0));
  uint64_t offset = 0;
  for (size_t i = 0; i < emit.node().outputs().size(); ++i) {
    ASSIGN_OR_RETURN(TensorId part, emit.View(i, whole, offset));
    offset += emit.draft().tensors[part].bytes;
  }
  return OkStatus();
}

/// True when parts along `axis` are made of whole channel blocks (blocked) or of anything (plain).
bool PartsAreWhole(const std::vector<const Value*>& parts, size_t axis, Layout layout, int c0) {
  if (layout == Layout::kPlain || axis != 1) return true;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    if (StaticShape(*parts[i])[1] % c0 != 0) return false;
  }
  return true;
}

/// Copies between the whole and its parts; `concat` says in which direction.
Status EmitPartCopies(Emitter& emit, size_t axis, bool concat) {
  const Node& node = emit.node();
  const int c0 = emit.context().c0();
  const Value& whole_value = concat ? *node.output() : *node.input(0);
  const Layout layout = concat ? emit.candidate().outputs[0] : emit.candidate().inputs[0];
  const Shape whole_dims = PhysicalShape(StaticShape(whole_value), layout, c0);
  ASSIGN_OR_RETURN(TensorId whole, concat ? emit.Out(0) : emit.In(0));
  int64_t offset = 0;
  const size_t count = concat ? node.inputs().size() : node.outputs().size();
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(TensorId part, concat ? emit.In(i) : emit.Out(i));
    const Shape dims = PhysicalShape(emit.draft().tensors[part].dims, layout, c0);
    kernels::StridedCopyParams copy = kernels::MakeConcatPart(
        emit.context().isa, MovableBytes(whole_value), dims, static_cast<int>(axis), offset,
        whole_dims[axis]);
    if (!concat) {
      std::swap(copy.shape.strides[0], copy.shape.strides[1]);
      std::swap(copy.dst_offset, copy.src_offset);
    }
    EmitStridedCopy(emit, concat ? part : whole, concat ? whole : part, copy);
    offset += dims[axis];
  }
  return OkStatus();
}

void AddPartCopies(const LowerContext& context, const Node& node, const Value& whole,
                   const std::vector<const Value*>& parts, size_t axis, bool concat,
                   std::vector<Candidate>& candidates) {
  const Shape shape = StaticShape(whole);
  const int bytes = MovableBytes(whole);
  for (Layout layout : {Layout::kBlocked, Layout::kPlain}) {
    const bool blocked = layout == Layout::kBlocked;
    if (bytes == 0 || (blocked && !CanBlock(whole))) continue;
    if (!PartsAreWhole(parts, axis, layout, context.c0())) continue;
    const Shape dims = PhysicalShape(shape, layout, context.c0());
    if (dims.size() > kernels::kMaxNdRank) continue;
    Candidate candidate;
    candidate.kernel = "strided_copy";
    candidate.algorithm = blocked ? "blocked" : "";
    candidate.inputs = AllIn(concat ? layout : Layout::kPlain, node.inputs().size());
    candidate.inputs[0] = layout;
    candidate.outputs = AllIn(layout, node.outputs().size());
    const auto row = std::accumulate(dims.begin() + static_cast<ptrdiff_t>(axis), dims.end(),
                                     int64_t{1}, std::multiplies<>());
    candidate.cycles = CopyCycles(context, static_cast<double>(ElementCount(dims)), bytes,
                                  std::max<int64_t>(1, row / static_cast<int64_t>(parts.size())));
    candidate.emit = [axis, concat](Emitter& emit) { return EmitPartCopies(emit, axis, concat); };
    candidates.push_back(std::move(candidate));
  }
}

/// Bytes that must be copied although the parts are contiguous: constants, model inputs, repeats.
double CopiedBytes(const Node& node) {
  double bytes = 0;
  for (size_t i = 0; i < node.inputs().size(); ++i) {
    const Value* input = node.input(i);
    const bool repeated = std::find(node.inputs().begin(),
                                    node.inputs().begin() + static_cast<ptrdiff_t>(i),
                                    input) != node.inputs().begin() + static_cast<ptrdiff_t>(i);
    if (!input->producer() || repeated) {
      bytes += static_cast<double>(ElementCount(StaticShape(*input))) *
               ElementBits(input->type().dtype) / 8;
    }
  }
  return bytes;
}

}  // namespace

void LowerConcat(const LowerContext& context, const Node& node,
                 std::vector<Candidate>& candidates) {
  const Shape whole = StaticShape(*node.output());
  const size_t axis = NormalAxis(node, whole, 0);
  const std::vector<const Value*> parts(node.inputs().begin(), node.inputs().end());
  if (ElementBits(node.output()->type().dtype) % 8 != 0) return;
  for (Layout layout : {Layout::kBlocked, Layout::kPlain}) {
    const bool blocked = layout == Layout::kBlocked;
    if (blocked && !CanBlock(*node.output())) continue;
    if (!PartsAreContiguous(whole, parts, axis, layout, context.c0())) continue;
    Candidate candidate;
    candidate.algorithm = blocked ? "in place, blocked" : "in place";
    candidate.inputs = AllIn(layout, node.inputs().size());
    candidate.outputs = AllIn(layout, 1);
    candidate.cycles = TrafficCycles(context, 2 * CopiedBytes(node));
    candidate.emit = EmitConcatInPlace;
    candidates.push_back(std::move(candidate));
  }
  AddPartCopies(context, node, *node.output(), parts, axis, true, candidates);
}

void LowerSplit(const LowerContext& context, const Node& node,
                std::vector<Candidate>& candidates) {
  const Shape whole = StaticShape(*node.input(0));
  const size_t axis = NormalAxis(node, whole, 0);
  std::vector<const Value*> parts;
  for (const Value* output : node.outputs()) {
    if (!output) return;
    parts.push_back(output);
  }
  if (ElementBits(node.input(0)->type().dtype) % 8 != 0) return;
  for (Layout layout : {Layout::kBlocked, Layout::kPlain}) {
    const bool blocked = layout == Layout::kBlocked;
    if (blocked && !CanBlock(*node.input(0))) continue;
    if (!PartsAreContiguous(whole, parts, axis, layout, context.c0())) continue;
    Candidate candidate;
    candidate.algorithm = blocked ? "views, blocked" : "views";
    candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
    candidate.inputs[0] = layout;
    candidate.outputs = AllIn(layout, node.outputs().size());
    candidate.emit = EmitSplitAsViews;
    candidates.push_back(std::move(candidate));
  }
  AddPartCopies(context, node, *node.input(0), parts, axis, false, candidates);
}

}  // namespace cairn::plan
