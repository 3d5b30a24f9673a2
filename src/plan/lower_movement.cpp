// SPDX-License-Identifier: Apache-2.0
// Lowers Transpose, Slice, Expand, Tile, DepthToSpace and SpaceToDepth.
#include <algorithm>
#include <numeric>

#include "plan/lowerings.h"
#include "plan/movement.h"

namespace cairn::plan {
namespace {

using kernels::StridedCopyParams;

Candidate MoveCandidate(const Node& node, Layout in, Layout out, double cycles) {
  Candidate candidate;
  candidate.kernel = "strided_copy";
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.inputs[0] = in;
  candidate.outputs = AllIn(out, node.outputs().size());
  candidate.cycles = cycles;
  return candidate;
}

void AddCopy(const LowerContext& context, const Node& node, Layout layout,
             const StridedCopyParams& copy, std::vector<Candidate>& candidates) {
  const auto last = static_cast<size_t>(std::max(copy.shape.rank - 1, 0));
  const bool rows = copy.shape.rank > 0 && copy.shape.strides[1][last] == 1;
  Candidate candidate =
      MoveCandidate(node, layout, layout,
                    CopyCycles(context, static_cast<double>(copy.shape.Count()), copy.element_bytes,
                               rows ? copy.shape.dims[last] : 1));
  candidate.emit = [copy](Emitter& emit) -> Status {
    ASSIGN_OR_RETURN(TensorId x, emit.In(0));
    ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
    EmitStridedCopy(emit, x, y, copy);
    return OkStatus();
  };
  candidates.push_back(std::move(candidate));
}

void AddView(const Node& node, Layout layout, uint64_t offset, std::vector<Candidate>& candidates) {
  Candidate candidate = MoveCandidate(node, layout, layout, 0);
  candidate.kernel.clear();
  candidate.algorithm = "view";
  candidate.emit = [offset](Emitter& emit) -> Status {
    ASSIGN_OR_RETURN(TensorId x, emit.In(0));
    return emit.View(0, x, offset).status();
  };
  candidates.push_back(std::move(candidate));
}

/// Between [N, C, pixels] in blocks and [N, pixels, C] plain: the layout conversion does the
/// transposition.
void AddChannelsLast(const LowerContext& context, const Node& node, bool to_last,
                     std::vector<Candidate>& candidates) {
  const Value& image = to_last ? *node.input(0) : *node.output();
  if (!CanBlock(image)) return;
  Candidate candidate =
      MoveCandidate(node, to_last ? Layout::kBlocked : Layout::kPlain,
                    to_last ? Layout::kPlain : Layout::kBlocked,
                    0.6 * ConversionCycles(context, image, Layout::kBlocked, Layout::kPlain));
  candidate.kernel = "transdata";
  candidate.algorithm = to_last ? "to channels last" : "from channels last";
  candidate.emit = [](Emitter& emit) -> Status {
    ASSIGN_OR_RETURN(TensorId x, emit.In(0));
    ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
    emit.AddTask({x}, {y}).task.attributes["channels_last"] = int64_t{1};
    return OkStatus();
  };
  candidates.push_back(std::move(candidate));
}

/// True when only axes of size 1 change their place.
bool MovesOnlyOnes(const Shape& shape, const std::vector<int>& perm) {
  int last = -1;
  for (int axis : perm) {
    if (shape[static_cast<size_t>(axis)] == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

/// Elements of an integer constant, or nothing.
std::optional<Ints> ConstantInts(const Value* value) {
  if (!value || !value->is_constant()) return std::nullopt;
  Ints result;
  for (int64_t i = 0; i < value->constant().num_elements(); ++i) {
    result.push_back(value->constant().GetInt(i));
  }
  return result;
}

struct SliceSpec {
  Ints starts, steps;  // One per axis of the data.
};

std::optional<SliceSpec> ReadSlice(const Node& node, const Shape& in) {
  const auto starts = ConstantInts(node.input(1));
  if (!starts) return std::nullopt;
  auto axes = ConstantInts(node.input(3)), steps = ConstantInts(node.input(4));
  if ((node.input(3) && !axes) || (node.input(4) && !steps)) return std::nullopt;
  SliceSpec spec{Ints(in.size(), 0), Ints(in.size(), 1)};
  for (size_t i = 0; i < starts->size(); ++i) {
    int64_t axis = axes ? (*axes)[i] : static_cast<int64_t>(i);
    if (axis < 0) axis += static_cast<int64_t>(in.size());
    const auto at = static_cast<size_t>(axis);
    const int64_t step = steps ? (*steps)[i] : 1;
    int64_t start = (*starts)[i];
    if (start < 0) start += in[at];
    // onnx:Slice starts are clamped to the axis; for a negative step its last index is the largest.
    start = std::clamp<int64_t>(start, 0, step > 0 ? in[at] : in[at] - 1);
    spec.starts[at] = start;
    spec.steps[at] = step;
  }
  return spec;
}

/// The slice in the physical index space, or nothing when it cuts through channel blocks.
std::optional<SliceSpec> BlockedSlice(const SliceSpec& spec, const Shape& in, const Shape& out,
                                      int c0) {
  SliceSpec blocked = spec;
  blocked.starts.push_back(0);
  blocked.steps.push_back(1);
  const bool to_the_end = spec.starts[1] + out[1] == in[1];
  if (spec.steps[1] != 1 || spec.starts[1] % c0 != 0 || (out[1] % c0 != 0 && !to_the_end)) {
    return std::nullopt;
  }
  blocked.starts[1] /= c0;
  return blocked;
}

/// Offset in elements of a slice that is a contiguous piece of the data, or nothing.
std::optional<int64_t> ContiguousOffset(const SliceSpec& spec, const Shape& in, const Shape& out) {
  int64_t offset = 0, stride = 1;
  bool whole = true;  // All inner axes are taken entirely.
  for (size_t i = in.size(); i-- > 0;) {
    if (out[i] != 1 && spec.steps[i] != 1) return std::nullopt;
    if (out[i] != 1 && !whole) return std::nullopt;
    if (out[i] != in[i]) whole = false;
    offset += spec.starts[i] * stride;
    stride *= in[i];
  }
  return offset;
}

void AddSlice(const LowerContext& context, const Node& node, Layout layout, const SliceSpec& spec,
              std::vector<Candidate>& candidates) {
  const Shape in = PhysicalShape(StaticShape(*node.input(0)), layout, context.c0());
  const Shape out = PhysicalShape(StaticShape(*node.output()), layout, context.c0());
  const int bytes = MovableBytes(*node.input(0));
  if (const auto offset = ContiguousOffset(spec, in, out)) {
    AddView(node, layout, static_cast<uint64_t>(*offset * bytes), candidates);
    return;
  }
  if (in.size() > kernels::kMaxNdRank) return;
  AddCopy(context, node, layout,
          kernels::MakeSlice(context.isa, bytes, in, spec.starts, spec.steps, out), candidates);
}

}  // namespace

void LowerTranspose(const LowerContext& context, const Node& node,
                    std::vector<Candidate>& candidates) {
  const Shape in = StaticShape(*node.input(0));
  const int bytes = MovableBytes(*node.input(0));
  Ints given = node.GetInts("perm");
  std::vector<int> perm(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    perm[i] = static_cast<int>(given.empty() ? static_cast<int64_t>(in.size() - 1 - i) : given[i]);
  }
  if (bytes == 0) return;
  if (MovesOnlyOnes(in, perm)) {
    AddView(node, Layout::kPlain, 0, candidates);
    return;
  }
  std::vector<int> to_last(in.size()), from_last(in.size());
  std::iota(to_last.begin(), to_last.end(), 0);
  std::iota(from_last.begin(), from_last.end(), 0);
  if (in.size() >= 3) {
    std::rotate(to_last.begin() + 1, to_last.begin() + 2, to_last.end());
    std::rotate(from_last.begin() + 1, from_last.end() - 1, from_last.end());
    if (perm == to_last) AddChannelsLast(context, node, true, candidates);
    if (perm == from_last) AddChannelsLast(context, node, false, candidates);
  }
  if (in.size() > kernels::kMaxNdRank) return;
  AddCopy(context, node, Layout::kPlain, kernels::MakeTranspose(context.isa, bytes, in, perm),
          candidates);
}

void LowerSlice(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates) {
  const Shape in = StaticShape(*node.input(0)), out = StaticShape(*node.output());
  if (MovableBytes(*node.input(0)) == 0) return;
  const auto spec = ReadSlice(node, in);
  if (!spec) return;
  if (CanBlock(*node.input(0))) {
    if (const auto blocked = BlockedSlice(*spec, in, out, context.c0())) {
      AddSlice(context, node, Layout::kBlocked, *blocked, candidates);
    }
  }
  AddSlice(context, node, Layout::kPlain, *spec, candidates);
}

void LowerExpand(const LowerContext& context, const Node& node,
                 std::vector<Candidate>& candidates) {
  const Shape in = StaticShape(*node.input(0)), out = StaticShape(*node.output());
  const int bytes = MovableBytes(*node.input(0));
  if (bytes == 0 || out.size() > kernels::kMaxNdRank) return;
  if (ElementCount(in) == ElementCount(out)) {
    AddView(node, Layout::kPlain, 0, candidates);
    return;
  }
  AddCopy(context, node, Layout::kPlain, kernels::MakeExpand(context.isa, bytes, in, out),
          candidates);
}

void LowerTile(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates) {
  const Shape in = StaticShape(*node.input(0)), out = StaticShape(*node.output());
  const int bytes = MovableBytes(*node.input(0));
  Ints repeats;
  for (size_t i = 0; i < in.size(); ++i) repeats.push_back(out[i] / in[i]);
  if (bytes == 0 || !kernels::FitsTile(in, repeats)) return;
  AddCopy(context, node, Layout::kPlain, kernels::MakeTile(context.isa, bytes, in, repeats),
          candidates);
}

void LowerDepthSpace(const LowerContext& context, const Node& node,
                     std::vector<Candidate>& candidates) {
  const Shape in = StaticShape(*node.input(0));
  const int bytes = MovableBytes(*node.input(0));
  const int64_t block = node.GetInt("blocksize", 1);
  if (bytes == 0 || in.size() != 4 || block < 1) return;
  const bool crd = node.GetString("mode", "DCR") == "CRD";
  if (crd && node.op() == "SpaceToDepth") return;
  AddCopy(context, node, Layout::kPlain,
          node.op() == "DepthToSpace"
              ? kernels::MakeDepthToSpace(context.isa, bytes, in, block, crd)
              : kernels::MakeSpaceToDepth(context.isa, bytes, in, block),
          candidates);
}

}  // namespace cairn::plan
