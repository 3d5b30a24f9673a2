// SPDX-License-Identifier: Apache-2.0
// Kernel `matmul_f32`: numpy matrix product with an epilogue. Inputs: A, B (plain, or constant and
// packed), then the epilogue's operands. Attributes `trans_a`, `trans_b` swap the last two axes of
// a plain operand; a packed B with a batch has its matrices one after the other. A of three axes
// that are swapped may lie in channel blocks: its rows are then read in place.
#include "kernels/matmul/matmul.h"

#include <algorithm>
#include <limits>

#include "schedule/epilogue.h"
#include "schedule/operands.h"
#include "schedule/strided.h"

namespace cairn::schedule {
namespace {

struct MatmulState {
  kernels::MatmulParams params;
  BoundEpilogue epilogue;
};

int RunMatmulTask(const void* opaque, void* const* operands, void* scratch, int phase,
                  kernels::Part part) {
  const auto& state = *static_cast<const MatmulState*>(opaque);
  const size_t num_inputs = state.epilogue.num_task_inputs();
  kernels::MatmulBuffers buffers;
  buffers.a = static_cast<const float*>(operands[0]);
  buffers.b = static_cast<const float*>(operands[1]);
  buffers.bias = state.epilogue.bias(operands);
  buffers.residual = state.epilogue.residual(operands);
  buffers.c = static_cast<float*>(operands[num_inputs]);
  buffers.workspace = scratch;
  RunWithEpilogue(state.epilogue, state.params, operands, buffers.c,
                  [&](const kernels::MatmulParams& params) {
                    kernels::RunMatmul(params, buffers, phase, part);
                  });
  return kNoFault;
}

/// One operand as matrices with a batch in front.
struct Matrices {
  std::vector<int64_t> batch;
  int64_t rows = 1, columns = 1;
};

Matrices SplitMatrices(std::vector<int64_t> dims, bool transposed) {
  Matrices result;
  result.columns = dims.back();
  result.rows = dims[dims.size() - 2];
  if (transposed) std::swap(result.rows, result.columns);
  dims.resize(dims.size() - 2);
  result.batch = std::move(dims);
  return result;
}

/// Strides of `batch` matrices of `size` elements in the batch space `out`, or nothing.
std::optional<std::vector<int64_t>> BatchStrides(const std::vector<int64_t>& batch, int64_t size,
                                                 const std::vector<int64_t>& out) {
  if (batch.size() > out.size()) return std::nullopt;
  std::vector<int64_t> strides(out.size(), 0);
  for (size_t i = batch.size(), o = out.size(); i-- > 0;) {
    --o;
    if (batch[i] != 1 && batch[i] != out[o]) return std::nullopt;
    if (batch[i] != 1) strides[o] = size;
    size *= batch[i];
  }
  return strides;
}

/// Moves batch dims that A and C step through as further rows, under one B, into the rows.
void FoldBatchIntoRows(kernels::MatmulParams& params, std::vector<int64_t>& batch,
                       std::vector<std::vector<int64_t>>& strides) {
  while (!batch.empty() && strides[1].back() == 0 &&
         (params.m == 1 || (strides[0].back() == params.m * params.a.row &&
                            strides[2].back() == params.m * params.c.row))) {
    if (params.m == 1) {
      params.a.row = strides[0].back();
      params.c.row = strides[2].back();
    }
    params.m *= batch.back();
    batch.pop_back();
    for (auto& list : strides) list.pop_back();
  }
}

Result<kernels::MatmulParams> MakeParams(const BindContext& context) {
  const ProgramTensor &a = context.input(0), &b = context.input(1), &c = context.output(0);
  const bool blocked_a = a.layout == Layout::kBlocked;
  if (!(blocked_a ? a.dtype == ElementType::kF32 : IsPlainF32(a)) || !IsPlainF32(c)) {
    return context.Invalid("A is plain or blocked f32, the result plain f32");
  }
  const bool packed = b.layout == Layout::kPacked;
  if (b.dtype != ElementType::kF32 || b.layout == Layout::kBlocked) {
    return context.Invalid("B is plain or packed f32");
  }
  std::vector<int64_t> a_dims = a.dims, b_dims = b.dims, c_dims = c.dims;
  if (a_dims.empty() || b_dims.empty()) return context.Invalid("operands are not scalars");
  const size_t lost = (a_dims.size() == 1 ? 1u : 0u) + (b_dims.size() == 1 ? 1u : 0u);
  if (c_dims.size() + lost < 2) return context.Invalid("the result has two axes");
  // onnx:MatMul a one-dimensional operand gets an axis that the result does not have.
  if (b_dims.size() == 1) {
    b_dims.push_back(1);
    c_dims.push_back(1);
  }
  if (a_dims.size() == 1) {
    a_dims.insert(a_dims.begin(), 1);
    c_dims.insert(c_dims.end() - 1, 1);
  }
  const bool trans_a = context.task.GetInt("trans_a", 0) != 0;
  const bool trans_b = !packed && context.task.GetInt("trans_b", 0) != 0;
  if (blocked_a && (!trans_a || a_dims.size() != 3)) {
    return context.Invalid("a blocked A has three axes, the last two swapped");
  }
  const Matrices am = SplitMatrices(a_dims, trans_a), bm = SplitMatrices(b_dims, trans_b);
  const Matrices cm = SplitMatrices(c_dims, false);
  if (am.columns != bm.rows || cm.rows != am.rows || cm.columns != bm.columns) {
    return context.Invalid("the shapes of A, B and the result fit");
  }
  kernels::MatmulParams params;
  params.isa = context.isa;
  params.m = am.rows;
  params.n = bm.columns;
  params.k = am.columns;
  params.b_packed = packed;
  if (!ProductFits({params.k, params.n})) return context.Invalid("B is not too large");
  const int64_t packed_floats = kernels::MatmulPackedFloats(context.isa, params.k, params.n);
  if (packed) {
    int64_t matrices = 1;
    for (int64_t dim : bm.batch) {
      if (dim < 1 || __builtin_mul_overflow(matrices, dim, &matrices)) {
        return context.Invalid("the batch of B is positive");
      }
    }
    int64_t floats = 0;
    if (__builtin_mul_overflow(matrices, packed_floats, &floats) || !IsPacked(b, floats)) {
      return context.Invalid("packed B has its size");
    }
  }
  params.a.row = trans_a ? 1 : params.k;
  params.a.column = trans_a ? params.m : 1;
  params.b.row = trans_b ? 1 : params.n;
  params.b.column = trans_b ? params.k : 1;
  params.c.row = params.n;
  int64_t a_floats = params.m * params.k;
  if (blocked_a) {
    const int64_t c0 = kernels::VectorFloats(context.isa);
    params.a.row = params.a_block = c0;
    params.a.column = 1;
    params.a_block_step = params.m * c0;
    a_floats = (params.k + c0 - 1) / c0 * params.a_block_step;
  }
  auto a_batch = BatchStrides(am.batch, a_floats, cm.batch);
  auto b_batch = BatchStrides(bm.batch, packed ? packed_floats : params.k * params.n, cm.batch);
  auto c_batch = BatchStrides(cm.batch, params.m * params.n, cm.batch);
  if (!a_batch || !b_batch) return context.Invalid("the batch dims broadcast to the result's");
  std::vector<int64_t> batch = cm.batch;
  std::vector<std::vector<int64_t>> strides = {*a_batch, *b_batch, *c_batch};
  if (!batch.empty()) {
    CollapseStrided(batch, strides);
    FoldBatchIntoRows(params, batch, strides);
  }
  if (batch.size() > kernels::kMatmulBatchDims) return context.Invalid("the batch has few dims");
  for (size_t i = 0; i < batch.size(); ++i) {
    const size_t at = kernels::kMatmulBatchDims - batch.size() + i;
    params.batch[at] = batch[i];
    params.a.batch[at] = strides[0][i];
    params.b.batch[at] = strides[1][i];
    params.c.batch[at] = strides[2][i];
  }
  return params;
}

}  // namespace

Result<BoundTask> BindMatmul(const BindContext& context) {
  RETURN_IF_ERROR(CheckFormal(context, 2));
  auto state = std::make_shared<MatmulState>();
  ASSIGN_OR_RETURN(state->params, MakeParams(context));
  const int64_t cols = state->params.n;
  ASSIGN_OR_RETURN(state->epilogue,
                   BoundEpilogue::Bind(context, 2, {NumElements(context.output(0)) / cols, cols}));
  const int parts = MostParts(context);
  const size_t scratch = kernels::MatmulWorkspaceBytes(state->params, parts);
  const int phases = kernels::MatmulPhases(state->params);
  return BoundTask{RunMatmulTask, std::move(state), phases, parts, scratch};
}

}  // namespace cairn::schedule
