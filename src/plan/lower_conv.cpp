// SPDX-License-Identifier: Apache-2.0
// Lowers Conv and ConvTranspose to their kernels; candidates differ in algorithm and source layout.
#include <algorithm>

#include "kernels/conv/conv.h"
#include "kernels/conv_transpose/conv_transpose.h"
#include "kernels/depthwise/depthwise.h"
#include "kernels/winograd/winograd.h"
#include "plan/conv_geometry.h"
#include "plan/cost.h"
#include "plan/emitter.h"
#include "plan/epilogue.h"
#include "plan/lowerings.h"
#include "plan/movement.h"
#include "plan/split_epilogue.h"

namespace cairn::plan {
namespace {

using kernels::ConvParams;

/// One algorithm: how it packs and what its task is called.
struct ConvKernel {
  const char* kernel;
  const char* algorithm;
  int64_t (*packed_floats)(const ConvParams&);
  void (*pack)(const ConvParams&, const float*, float*);
  int64_t tile = 0;  ///< Of Winograd.
};

struct ConvWork {
  ConvParams params;
  WindowAttributes window;
  EpiloguePlan epilogue;
};

constexpr ConvKernel kDirect = {"conv_f32", "direct", kernels::ConvPackedFloats, kernels::PackConv};

template <int kTile>
int64_t WinogradPackedFloats(const ConvParams& params) {
  return kernels::WinogradPackedFloats({params, kTile});
}
template <int kTile>
void PackWinograd(const ConvParams& params, const float* weights, float* packed) {
  kernels::PackWinograd({params, kTile}, weights, packed);
}
constexpr ConvKernel kWinograd2 = {"winograd_f32", "winograd2", WinogradPackedFloats<2>,
                                   PackWinograd<2>, 2};
constexpr ConvKernel kWinograd4 = {"winograd_f32", "winograd4", WinogradPackedFloats<4>,
                                   PackWinograd<4>, 4};
constexpr ConvKernel kTransposed = {"conv_transpose_f32", "direct",
                                    kernels::ConvTransposePackedFloats, kernels::PackConvTranspose};
constexpr ConvKernel kDepthwise = {"depthwise_f32", "depthwise", kernels::DepthwisePackedFloats,
                                   kernels::PackDepthwise};

std::optional<ConvWork> Analyse(const LowerContext& context, const Node& node) {
  const Value *x = node.input(0), *w = node.input(1), *y = node.output();
  if (!CanBlock(*x) || !CanBlock(*y) || !w->is_constant() || w->type().dtype != ElementType::kF32) {
    return std::nullopt;
  }
  const Shape in = StaticShape(*x), weights = StaticShape(*w), out = StaticShape(*y);
  if (in.size() > 5) return std::nullopt;
  const size_t spatial = in.size() - 2;
  ConvWork work;
  const Shape kernel(weights.begin() + 2, weights.end());
  auto window = node.op() == "ConvTranspose" ? ReadTransposedWindow(node, in, out, kernel)
                                             : ReadWindowAttributes(node, in, kernel);
  if (!window) return std::nullopt;
  auto epilogue = MatchEpilogue(node, node.num_formal_inputs() > 2 ? 2 : -1, 1);
  if (!epilogue) return std::nullopt;
  work.window = std::move(*window);
  work.epilogue = std::move(*epilogue);
  ConvParams& p = work.params;
  p.isa = context.isa;
  p.batch = in[0];
  p.in_channels = in[1];
  p.out_channels = out[1];
  p.group = node.GetInt("group", 1);
  p.in = ToSpatial(in, 2, spatial, 1);
  p.out = ToSpatial(out, 2, spatial, 1);
  p.kernel = ToSpatial(work.window.kernel, 0, spatial, 1);
  p.stride = ToSpatial(work.window.strides, 0, spatial, 1);
  p.dilation = ToSpatial(work.window.dilations, 0, spatial, 1);
  p.pad_begin = ToSpatial(work.window.pads, 0, spatial, 0);
  return work;
}

/// Packs the weights and appends the convolution's task; `y` is its result.
Status EmitConvTask(Emitter& emit, const ConvWork& work, const ConvKernel& kernel,
                    const Tensor& weights, TensorId x, TensorId y) {
  const auto floats = static_cast<size_t>(kernel.packed_floats(work.params));
  const TensorId w = emit.Packed(
      StrCat(kernel.kernel, ":", kernel.tile), weights.shape(), floats * sizeof(float),
      [&](std::byte* packed) {
        kernel.pack(work.params, weights.data<float>(), reinterpret_cast<float*>(packed));
      });
  std::vector<TensorId> inputs = {x, w};
  TaskAttributes attributes;
  SetWindow(work.window, false, attributes);
  if (work.params.group != 1) attributes["group"] = work.params.group;
  if (kernel.tile != 0) attributes["tile"] = kernel.tile;
  std::vector<uint32_t> reusable;
  RETURN_IF_ERROR(EmitEpilogue(emit, work.epilogue, Layout::kBlocked, work.params.out_channels,
                               inputs, attributes, reusable));
  DraftTask& task = emit.AddTask(kernel.kernel, std::move(inputs), {y});
  task.task.attributes = std::move(attributes);
  task.task.flops = NodeFlops(emit.node());
  task.cycles = emit.candidate().cycles;
  task.reusable_inputs = std::move(reusable);
  return OkStatus();
}

Status EmitConv(Emitter& emit, const ConvWork& work, const ConvKernel& kernel) {
  ASSIGN_OR_RETURN(TensorId x, emit.In(0));
  ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
  return EmitConvTask(emit, work, kernel, emit.node().input(1)->constant(), x, y);
}

/// The epilogue's program runs as a task of its own.
Status EmitSplitConv(Emitter& emit, const ConvWork& work, const ConvKernel& kernel) {
  ConvWork fixed = work;
  fixed.epilogue = WithoutProgram(work.epilogue);
  ASSIGN_OR_RETURN(TensorId x, emit.In(0));
  ASSIGN_OR_RETURN(TensorId sums, emit.Temporary(ElementType::kF32, Layout::kBlocked,
                                                 StaticShape(*emit.node().output())));
  RETURN_IF_ERROR(EmitConvTask(emit, fixed, kernel, emit.node().input(1)->constant(), x, sums));
  return EmitProgram(emit, work.epilogue, sums, Layout::kBlocked);
}

/// How the source arrives, which the kernels' estimates leave out: few channels in wide blocks
/// cost.
double SourceCycles(const LowerContext& context, const ConvParams& params) {
  const int64_t c0 = context.c0(), channels = params.in_channels;
  const int64_t stored = params.plain_src ? channels : (channels + c0 - 1) / c0 * c0;
  return TrafficCycles(context, static_cast<double>(params.batch * stored * params.in[0] *
                                                    params.in[1] * params.in[2] * 4));
}

void AddCandidate(const LowerContext& context, const Node& node, const ConvWork& work,
                  const ConvKernel& kernel, double cycles, std::vector<Candidate>& candidates) {
  Candidate candidate;
  candidate.kernel = kernel.kernel;
  candidate.algorithm = kernel.algorithm;
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.inputs[0] = work.params.plain_src ? Layout::kPlain : Layout::kBlocked;
  candidate.outputs = AllIn(Layout::kBlocked, node.outputs().size());
  candidate.packed_bytes = static_cast<uint64_t>(kernel.packed_floats(work.params)) * sizeof(float);
  const int64_t channels = work.params.out_channels;
  const auto rows = static_cast<double>(ElementCount(StaticShape(*node.output())) / channels);
  const double sums = cycles + SourceCycles(context, work.params);
  const double padded =
      static_cast<double>((channels + context.c0() - 1) / context.c0() * context.c0());
  if (channels % context.c0() != 0 &&
      CanSplitProgram(work.epilogue, *node.output(), Layout::kBlocked)) {
    Candidate split = candidate;
    split.algorithm += ", epilogue apart";
    SetEpilogueLayouts(WithoutProgram(work.epilogue), Layout::kBlocked, split);
    SetProgramLayouts(work.epilogue, Layout::kBlocked, split);
    split.cycles = sums + ProgramCycles(context, work.epilogue, rows * padded);
    split.emit = [work, kernel](Emitter& emit) { return EmitSplitConv(emit, work, kernel); };
    candidates.push_back(std::move(split));
  }
  SetEpilogueLayouts(work.epilogue, Layout::kBlocked, candidate);
  candidate.cycles = sums + HookCycles(context, work.epilogue, rows, channels);
  candidate.emit = [work, kernel](Emitter& emit) { return EmitConv(emit, work, kernel); };
  candidates.push_back(std::move(candidate));
}

/// A transposed convolution whose windows do not overlap, as a 1x1 convolution to one channel per
/// output channel and place in the window (all in one block), and a copy that spreads them over the
/// pixels.
struct SpreadWork {
  ConvWork conv;          ///< The 1x1 convolution; its epilogue without the program.
  EpiloguePlan epilogue;  ///< The node's.
  Tensor weights;         ///< [out * window, in, 1...]
  kernels::StridedCopyParams copy;
};

bool CanSpread(const LowerContext& context, const ConvWork& work) {
  const ConvParams& p = work.params;
  int64_t window = 1;
  for (size_t i = 0; i < 3; ++i) {
    if (p.kernel[i] != p.stride[i] || p.pad_begin[i] != 0 || p.dilation[i] != 1 ||
        p.out[i] != p.in[i] * p.stride[i]) {
      return false;
    }
    window *= p.kernel[i];
  }
  const bool plain_operands = std::none_of(
      work.epilogue.operands.begin(), work.epilogue.operands.end(),
      [](const auto& operand) { return operand.kind == kernels::EpilogueOperandKind::kPerColumn; });
  return p.group == 1 && p.out_channels * window <= context.c0() && !work.epilogue.residual &&
         plain_operands;
}

/// Copies [n, (o, kd, kh, kw), (d, h, w)] in one channel block to plain [n, o, (d, kd), (h, kh),
/// (w, kw)].
kernels::StridedCopyParams SpreadCopy(const LowerContext& context, const ConvParams& p) {
  kernels::StridedCopyParams copy{};
  copy.isa = context.isa;
  copy.element_bytes = 4;
  const int64_t c0 = context.c0();
  const int64_t out_hw = p.out[1] * p.out[2], in_hw = p.in[1] * p.in[2];
  const int64_t window = p.kernel[0] * p.kernel[1] * p.kernel[2];
  auto add = [&copy](int64_t dim, int64_t dst, int64_t src) {
    const auto at = static_cast<size_t>(copy.shape.rank++);
    copy.shape.dims[at] = dim;
    copy.shape.strides[0][at] = dst;
    copy.shape.strides[1][at] = src;
  };
  add(p.batch, p.out_channels * p.out[0] * out_hw, p.in[0] * in_hw * c0);
  add(p.out_channels, p.out[0] * out_hw, window);
  add(p.in[0], p.kernel[0] * out_hw, in_hw * c0);
  add(p.kernel[0], out_hw, p.kernel[1] * p.kernel[2]);
  add(p.in[1], p.kernel[1] * p.out[2], p.in[2] * c0);
  add(p.kernel[1], p.out[2], p.kernel[2]);
  add(p.in[2], p.kernel[2], c0);
  add(p.kernel[2], 1, 1);
  copy.shape.Collapse();
  return copy;
}

/// [in, out, kernel...] to [out * window, in, 1...].
Tensor SpreadWeights(const Tensor& weights, size_t rank) {
  const Shape& dims = weights.shape();
  const int64_t window = weights.num_elements() / (dims[0] * dims[1]), rows = dims[1] * window;
  Shape shape(rank, 1);
  shape[0] = rows;
  shape[1] = dims[0];
  Tensor result = *Tensor::Allocate(ElementType::kF32, shape);
  for (int64_t i = 0; i < dims[0]; ++i) {
    for (int64_t row = 0; row < rows; ++row) {
      result.mutable_data<float>()[row * dims[0] + i] = weights.data<float>()[i * rows + row];
    }
  }
  return result;
}

Status EmitSpread(Emitter& emit, const SpreadWork& work) {
  const Node& node = emit.node();
  ASSIGN_OR_RETURN(TensorId x, emit.In(0));
  Shape dims = StaticShape(*node.input(0));
  dims[1] = work.conv.params.out_channels;
  ASSIGN_OR_RETURN(TensorId sums, emit.Temporary(ElementType::kF32, Layout::kBlocked, dims));
  RETURN_IF_ERROR(EmitConvTask(emit, work.conv, kDirect, work.weights, x, sums));
  if (!work.epilogue.program) {
    ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
    EmitStridedCopy(emit, sums, y, work.copy);
    return OkStatus();
  }
  ASSIGN_OR_RETURN(TensorId spread,
                   emit.Temporary(ElementType::kF32, Layout::kPlain, StaticShape(*node.output())));
  EmitStridedCopy(emit, sums, spread, work.copy);
  return EmitProgram(emit, work.epilogue, spread, Layout::kPlain);
}

void AddSpread(const LowerContext& context, const Node& node, const ConvWork& work,
               std::vector<Candidate>& candidates) {
  if (!CanSpread(context, work)) return;
  SpreadWork spread{work, work.epilogue,
                    SpreadWeights(node.input(1)->constant(), StaticShape(*node.input(0)).size()),
                    SpreadCopy(context, work.params)};
  ConvParams& p = spread.conv.params;
  const int64_t window = p.kernel[0] * p.kernel[1] * p.kernel[2];
  spread.conv.window = {Ints(StaticShape(*node.input(0)).size() - 2, 1), {}, {}, {}};
  spread.conv.epilogue = WithoutProgram(work.epilogue);
  spread.conv.epilogue.channel_repeats = window;
  p.out_channels *= window;
  p.out = p.in;
  p.kernel = p.stride = {1, 1, 1};
  Candidate candidate;
  candidate.kernel = kDirect.kernel;
  candidate.algorithm = "1x1 and spread";
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.inputs[0] = Layout::kBlocked;
  SetProgramLayouts(work.epilogue, Layout::kPlain, candidate);
  candidate.outputs = AllIn(Layout::kPlain, node.outputs().size());
  candidate.packed_bytes = static_cast<uint64_t>(kernels::ConvPackedFloats(p)) * sizeof(float);
  const auto results = static_cast<double>(ElementCount(StaticShape(*node.output())));
  candidate.cycles = kernels::EstimateConvCycles(p) + SourceCycles(context, p) +
                     CopyCycles(context, results, 4, 2) +
                     (work.epilogue.program ? ProgramCycles(context, work.epilogue, results) : 0.0);
  candidate.emit = [spread](Emitter& emit) { return EmitSpread(emit, spread); };
  candidates.push_back(std::move(candidate));
}

}  // namespace

void LowerConv(const LowerContext& context, const Node& node, std::vector<Candidate>& candidates) {
  auto work = Analyse(context, node);
  if (!work) return;
  if (kernels::DepthwiseSupports(work->params)) {
    AddCandidate(context, node, *work, kDepthwise, kernels::EstimateDepthwiseCycles(work->params),
                 candidates);
  }
  if (kernels::WinogradSupports(work->params)) {
    AddCandidate(context, node, *work, kWinograd2,
                 kernels::EstimateWinogradCycles({work->params, 2}), candidates);
    if (!context.options.exact.Wants(node)) {
      AddCandidate(context, node, *work, kWinograd4,
                   kernels::EstimateWinogradCycles({work->params, 4}), candidates);
    }
  }
  for (bool plain : {false, true}) {
    work->params.plain_src = plain;
    AddCandidate(context, node, *work, kDirect, kernels::EstimateConvCycles(work->params),
                 candidates);
  }
}

void LowerConvTranspose(const LowerContext& context, const Node& node,
                        std::vector<Candidate>& candidates) {
  const auto work = Analyse(context, node);
  if (!work) return;
  AddSpread(context, node, *work, candidates);
  AddCandidate(context, node, *work, kTransposed,
               kernels::EstimateConvTransposeCycles(work->params), candidates);
}

}  // namespace cairn::plan
