// SPDX-License-Identifier: Apache-2.0
// Lowers Concat and Split: without a kernel where the parts follow each other in memory (producers
// write straight into the whole, readers read straight from it), by a strided copy for each part
// otherwise.
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

/// How many of `parts` from `first` on are together exactly the bytes of the root that the first
/// lies in, or 0. The parts of a split are such a run.
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
    kernels::StridedCopyParams copy =
        kernels::MakeConcatPart(emit.context().isa, MovableBytes(whole_value), dims,
                                static_cast<int>(axis), offset, whole_dims[axis]);
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

/// Copies lanes of blocks between tensors [batch, blocks, pixels, c0].
struct LaneCopy {
  int64_t batch, pixels, c0;
  int64_t src_blocks, dst_blocks;  ///< Of the whole tensors.

  kernels::StridedCopyParams Make(kernels::Isa isa, int64_t blocks, int64_t lanes,
                                  int64_t src_block, int64_t src_lane, int64_t dst_block,
                                  int64_t dst_lane) const {
    kernels::StridedCopyParams copy{};
    copy.isa = isa;
    copy.element_bytes = 4;
    const int64_t block = pixels * c0;
    copy.shape.rank = 4;
    copy.shape.dims = {batch, blocks, pixels, lanes};
    copy.shape.strides[0] = {dst_blocks * block, block, c0, 1};
    copy.shape.strides[1] = {src_blocks * block, block, c0, 1};
    copy.dst_offset = dst_block * block + dst_lane;
    copy.src_offset = src_block * block + src_lane;
    copy.shape.Collapse();
    return copy;
  }
};

/// Channels of a part begin in the middle of a block of the whole: each block of the part is copied
/// in two pieces.
Status EmitShiftedConcat(Emitter& emit) {
  const kernels::Isa isa = emit.context().isa;
  const int64_t c0 = emit.context().c0();
  const Shape shape = StaticShape(*emit.node().output());
  const int64_t pixels = ElementCount(shape) / (shape[0] * shape[1]);
  const int64_t dst_blocks = (shape[1] + c0 - 1) / c0;
  ASSIGN_OR_RETURN(TensorId whole, emit.Out(0));
  int64_t channel = 0;
  for (size_t i = 0; i < emit.node().inputs().size(); ++i) {
    ASSIGN_OR_RETURN(TensorId part, emit.In(i));
    const int64_t channels = emit.draft().tensors[part].dims[1];
    const int64_t full = channels / c0, rest = channels % c0;
    const int64_t block = channel / c0, shift = channel % c0, low = c0 - shift;
    const LaneCopy lanes{shape[0], pixels, c0, full + (rest > 0 ? 1 : 0), dst_blocks};
    auto copy = [&](int64_t blocks, int64_t count, int64_t src_block, int64_t src_lane,
                    int64_t dst_block, int64_t dst_lane) {
      if (blocks <= 0 || count <= 0) return;
      EmitStridedCopy(emit, part, whole,
                      lanes.Make(isa, blocks, count, src_block, src_lane, dst_block, dst_lane));
    };
    copy(full, low, 0, 0, block, shift);
    copy(full, shift, 0, low, block + 1, 0);
    copy(1, std::min(rest, low), full, 0, block + full, shift);
    copy(1, rest - low, full, low, block + full + 1, 0);
    channel += channels;
  }
  if (channel % c0 == 0) return OkStatus();
  // Lanes beyond the last channel are zero.
  const float zero = 0;
  const TensorId constant = emit.FloatConstant(std::span<const float>(&zero, 1));
  const LaneCopy lanes{shape[0], pixels, c0, 1, dst_blocks};
  kernels::StridedCopyParams copy =
      lanes.Make(isa, 1, c0 - channel % c0, 0, 0, dst_blocks - 1, channel % c0);
  copy.shape.strides[1] = {};
  EmitStridedCopy(emit, constant, whole, copy);
  return OkStatus();
}

void AddShiftedConcat(const LowerContext& context, const Node& node, size_t axis,
                      const std::vector<const Value*>& parts, std::vector<Candidate>& candidates) {
  const Value& whole = *node.output();
  if (axis != 1 || !CanBlock(whole) || PartsAreWhole(parts, axis, Layout::kBlocked, context.c0())) {
    return;
  }
  Candidate candidate;
  candidate.kernel = "strided_copy";
  candidate.algorithm = "blocked, shifted";
  candidate.inputs = AllIn(Layout::kBlocked, node.inputs().size());
  candidate.outputs = AllIn(Layout::kBlocked, 1);
  candidate.cycles = CopyCycles(context, static_cast<double>(ElementCount(StaticShape(whole))), 4,
                                std::max<int64_t>(1, context.c0() / 2));
  candidate.emit = EmitShiftedConcat;
  candidates.push_back(std::move(candidate));
}

/// Bytes that must be copied although the parts are contiguous: constants, model inputs, repeats.
double CopiedBytes(const Node& node) {
  double bytes = 0;
  for (size_t i = 0; i < node.inputs().size(); ++i) {
    const Value* input = node.input(i);
    const bool repeated =
        std::find(node.inputs().begin(), node.inputs().begin() + static_cast<ptrdiff_t>(i),
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
  AddShiftedConcat(context, node, axis, parts, candidates);
}

void LowerSplit(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates) {
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
