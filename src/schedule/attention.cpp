// SPDX-License-Identifier: Apache-2.0
// Kernel `attention_f32`. Inputs: Q, K, V, mask (optional). Each of Q, K, V and the result is
// [batch, heads, length, dim], or [batch, length, heads * dim] with attributes `heads`, `kv_heads`.
// Attributes: `scale`, `causal`.
#include "kernels/attention/attention.h"

#include "schedule/operands.h"

namespace cairn::schedule {
namespace {

int RunAttentionTask(const void* opaque, void* const* operands, void* scratch, int phase,
                     kernels::Part part) {
  const auto& params = *static_cast<const kernels::AttentionParams*>(opaque);
  const bool masked = params.mask != kernels::AttentionMask::kNone;
  kernels::RunAttention(
      params,
      {static_cast<const float*>(operands[0]), static_cast<const float*>(operands[1]),
       static_cast<const float*>(operands[2]), masked ? operands[3] : nullptr,
       static_cast<float*>(operands[masked ? 4 : 3]), scratch},
      phase, part);
  return kNoFault;
}

/// One of Q, K, V and the result.
struct Heads {
  int64_t batch = 0, heads = 0, length = 0, dim = 0;
  kernels::AttentionStrides strides{};
};

std::optional<Heads> ReadHeads(const ProgramTensor& tensor, int64_t heads) {
  if (!IsPlainF32(tensor)) return std::nullopt;
  const auto& dims = tensor.dims;
  if (dims.size() == 4) {
    return Heads{dims[0],
                 dims[1],
                 dims[2],
                 dims[3],
                 {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3]}};
  }
  if (dims.size() != 3 || heads < 1 || dims[2] % heads != 0) return std::nullopt;
  const int64_t dim = dims[2] / heads;
  return Heads{dims[0], heads, dims[1], dim, {dims[1] * dims[2], dim, dims[2]}};
}

/// Strides of the mask in [batch, heads, queries, keys].
Status SetMask(const BindContext& context, kernels::AttentionParams& params) {
  params.mask = kernels::AttentionMask::kNone;
  if (!context.has_input(3)) return OkStatus();
  const ProgramTensor& mask = context.input(3);
  if (Is(mask, ElementType::kF32, Layout::kPlain)) {
    params.mask = kernels::AttentionMask::kAdditive;
  } else if (Is(mask, ElementType::kBool, Layout::kPlain)) {
    params.mask = kernels::AttentionMask::kBoolean;
  } else {
    return context.Invalid("the mask is plain f32 or bool");
  }
  const int64_t space[4] = {params.batch, params.heads, params.q_len, params.kv_len};
  int64_t strides[4] = {0, 0, 0, 0}, step = 1;
  if (mask.dims.size() > 4) return context.Invalid("the mask has at most four axes");
  for (size_t i = mask.dims.size(), at = 4; i-- > 0;) {
    --at;
    if (mask.dims[i] != 1 && mask.dims[i] != space[at]) {
      return context.Invalid("the mask broadcasts to [batch, heads, queries, keys]");
    }
    if (mask.dims[i] != 1) strides[at] = step;
    step *= mask.dims[i];
  }
  params.mask_batch = strides[0];
  params.mask_head = strides[1];
  params.mask_query = strides[2];
  params.mask_key = strides[3];
  return OkStatus();
}

}  // namespace

Result<BoundTask> BindAttention(const BindContext& context) {
  const size_t num_inputs = context.num_inputs();
  if (num_inputs != 3 && num_inputs != 4) return context.Invalid("there are three or four inputs");
  RETURN_IF_ERROR(CheckPresent(context, num_inputs, 1));
  const int64_t q_heads = context.task.GetInt("heads", 0);
  const int64_t kv_heads = context.task.GetInt("kv_heads", q_heads);
  const auto q = ReadHeads(context.input(0), q_heads), k = ReadHeads(context.input(1), kv_heads);
  const auto v = ReadHeads(context.input(2), kv_heads);
  const auto out = ReadHeads(context.output(0), q_heads);
  if (!q || !k || !v || !out) return context.Invalid("operands are plain f32 with heads");
  if (k->batch != q->batch || v->batch != q->batch || out->batch != q->batch ||
      v->heads != k->heads || out->heads != q->heads || q->heads % k->heads != 0 ||
      k->dim != q->dim || v->length != k->length || out->length != q->length ||
      out->dim != v->dim) {
    return context.Invalid("Q, K, V and the result fit");
  }
  auto params = std::make_shared<kernels::AttentionParams>();
  params->isa = context.isa;
  params->batch = q->batch;
  params->heads = q->heads;
  params->kv_heads = k->heads;
  params->q_len = q->length;
  params->kv_len = k->length;
  params->head_dim = q->dim;
  params->value_dim = v->dim;
  params->q = q->strides;
  params->k = k->strides;
  params->v = v->strides;
  params->out = out->strides;
  params->scale = static_cast<float>(context.task.GetDouble("scale", 1));
  params->causal = context.task.GetInt("causal", 0) != 0;
  params->causal_offset = 0;
  RETURN_IF_ERROR(SetMask(context, *params));
  const int parts = MostParts(context);
  const size_t scratch = kernels::AttentionWorkspaceBytes(*params, parts);
  const int phases = kernels::AttentionPhases(*params);
  return BoundTask{RunAttentionTask, std::move(params), phases, parts, scratch};
}

}  // namespace cairn::schedule
