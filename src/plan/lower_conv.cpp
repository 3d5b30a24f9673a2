// SPDX-License-Identifier: Apache-2.0
// Lowers Conv and ConvTranspose to their kernels; candidates differ in algorithm and source layout.
#include "kernels/conv/conv.h"
#include "kernels/conv_transpose/conv_transpose.h"
#include "kernels/depthwise/depthwise.h"
#include "kernels/winograd/winograd.h"
#include "plan/conv_geometry.h"
#include "plan/emitter.h"
#include "plan/epilogue.h"
#include "plan/lowerings.h"

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
                                    kernels::ConvTransposePackedFloats,
                                    kernels::PackConvTranspose};
constexpr ConvKernel kDepthwise = {"depthwise_f32", "depthwise", kernels::DepthwisePackedFloats,
                                   kernels::PackDepthwise};

std::optional<ConvWork> Analyse(const LowerContext& context, const Node& node) {
  const Value *x = node.input(0), *w = node.input(1), *y = node.output();
  if (!CanBlock(*x) || !CanBlock(*y) || !w->is_constant() ||
      w->type().dtype != ElementType::kF32) {
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

Status EmitConv(Emitter& emit, const ConvWork& work, const ConvKernel& kernel) {
  const Node& node = emit.node();
  const Tensor& weights = node.input(1)->constant();
  std::vector<float> packed(static_cast<size_t>(kernel.packed_floats(work.params)));
  kernel.pack(work.params, weights.data<float>(), packed.data());
  ASSIGN_OR_RETURN(TensorId x, emit.In(0));
  const TensorId w = emit.Constant(ElementType::kF32, Layout::kPacked, weights.shape(),
                                   std::as_bytes(std::span<const float>(packed)));
  std::vector<TensorId> inputs = {x, w};
  TaskAttributes attributes;
  SetWindow(work.window, false, attributes);
  if (work.params.group != 1) attributes["group"] = work.params.group;
  if (kernel.tile != 0) attributes["tile"] = kernel.tile;
  std::vector<uint32_t> reusable;
  RETURN_IF_ERROR(EmitEpilogue(emit, work.epilogue, Layout::kBlocked, work.params.out_channels,
                               inputs, attributes, reusable));
  ASSIGN_OR_RETURN(TensorId y, emit.Out(0));
  DraftTask& task = emit.AddTask(std::move(inputs), {y});
  task.task.attributes = std::move(attributes);
  task.reusable_inputs = std::move(reusable);
  return OkStatus();
}

void AddCandidate(const LowerContext& context, const Node& node, const ConvWork& work,
                  const ConvKernel& kernel, double cycles, std::vector<Candidate>& candidates) {
  Candidate candidate;
  candidate.kernel = kernel.kernel;
  candidate.algorithm = kernel.algorithm;
  candidate.inputs = AllIn(Layout::kPlain, node.inputs().size());
  candidate.inputs[0] = work.params.plain_src ? Layout::kPlain : Layout::kBlocked;
  SetEpilogueLayouts(work.epilogue, Layout::kBlocked, candidate);
  candidate.outputs = AllIn(Layout::kBlocked, node.outputs().size());
  const auto results = static_cast<double>(ElementCount(StaticShape(*node.output())));
  // The kernels' estimates leave out how the source arrives: few channels in wide blocks cost here.
  const int64_t c0 = context.c0(), channels = work.params.in_channels;
  const auto source = static_cast<double>(ElementCount(StaticShape(*node.input(0))) / channels *
                                          (work.params.plain_src ? channels : (channels + c0 - 1) / c0 * c0));
  candidate.cycles = cycles + TrafficCycles(context, source * 4) +
                     work.epilogue.cycles_per_vector * results / static_cast<double>(c0);
  candidate.packed_bytes = static_cast<uint64_t>(kernel.packed_floats(work.params)) * sizeof(float);
  candidate.emit = [work, kernel](Emitter& emit) { return EmitConv(emit, work, kernel); };
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
    if (!context.options.high_precision) {
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
  AddCandidate(context, node, *work, kTransposed,
               kernels::EstimateConvTransposeCycles(work->params), candidates);
}

}  // namespace cairn::plan
