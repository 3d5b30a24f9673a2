// SPDX-License-Identifier: Apache-2.0
// Kernel `integer`: exact element-wise arithmetic of plain integers with broadcasting. Attribute
// `op`: a kernels::IntegerOp. One input for unary operations, else two.
#include "kernels/integer/integer.h"

#include "schedule/operands.h"
#include "schedule/strided.h"

namespace cairn::schedule {
namespace {

using kernels::IntegerOp;

struct IntegerState {
  kernels::IntegerParams params;
  size_t num_inputs;
};

int RunIntegerTask(const void* opaque, void* const* operands, void*, int phase,
                   kernels::Part part) {
  const auto& state = *static_cast<const IntegerState*>(opaque);
  const bool binary = state.num_inputs == 2;
  return static_cast<int>(kernels::RunInteger(
      state.params, {operands[0], binary ? operands[1] : nullptr, operands[state.num_inputs]},
      phase, part));
}

/// True when the kernel has the operation for the type.
bool Allows(IntegerOp op, ElementType type) {
  if (!kernels::SupportsInteger(type)) return false;
  if (type != ElementType::kBool) return true;
  return op == IntegerOp::kAnd || op == IntegerOp::kOr || op == IntegerOp::kXor ||
         op == IntegerOp::kNot || kernels::IsComparison(op);
}

}  // namespace

Result<BoundTask> BindInteger(const BindContext& context) {
  const int64_t code = context.task.GetInt("op", -1);
  if (code < 0 || code > static_cast<int64_t>(IntegerOp::kNot)) {
    return context.Invalid("the operation is known");
  }
  auto state = std::make_shared<IntegerState>();
  kernels::IntegerParams& params = state->params;
  params.op = static_cast<IntegerOp>(code);
  state->num_inputs = params.op >= IntegerOp::kNeg ? 1 : 2;
  RETURN_IF_ERROR(CheckPresent(context, state->num_inputs, 1));
  const ProgramTensor& dst = context.output(0);
  params.type = context.input(0).dtype;
  const ElementType result = kernels::IsComparison(params.op) ? ElementType::kBool : params.type;
  if (!Allows(params.op, params.type) || !Is(dst, result, Layout::kPlain)) {
    return context.Invalid("the operation has the types");
  }
  std::vector<int64_t> dims = dst.dims;
  std::vector<std::vector<int64_t>> strides = {*BroadcastStrides(dst, dst, context.c0())};
  for (size_t i = 0; i < state->num_inputs; ++i) {
    if (!Is(context.input(i), params.type, Layout::kPlain)) {
      return context.Invalid("inputs are plain and of one type");
    }
    auto list = BroadcastStrides(context.input(i), dst, context.c0());
    if (!list) return context.Invalid(StrCat("input ", i, " broadcasts to the result"));
    strides.push_back(std::move(*list));
  }
  CollapseStrided(dims, strides);
  if (dims.size() > kernels::kMaxNdRank) return context.Invalid("the rank is supported");
  params.shape = {};
  params.shape.rank = static_cast<int32_t>(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    params.shape.dims[i] = dims[i];
    for (size_t k = 0; k < strides.size(); ++k) params.shape.strides[k][i] = strides[k][i];
  }
  const int phases = kernels::IntegerPhases(params);
  return BoundTask{RunIntegerTask, std::move(state), phases, 1 << 16, 0};
}

}  // namespace cairn::schedule
