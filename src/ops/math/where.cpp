// SPDX-License-Identifier: Apache-2.0
// Where: chooses between two tensors by a condition.
#include "ops/elementwise.h"

namespace cairn {
namespace {

Status InferWhere(InferContext& in) {
  RETURN_IF_ERROR(RequireBool(in, 0));
  RETURN_IF_ERROR(RequireSameDtype(in, 1, 2));
  const ElementType dtype = in.type(1).dtype;
  if (!in.dims(0) || !in.dims(1) || !in.dims(2)) {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  const auto fresh = [&in] { return in.NewSymbol(); };
  ASSIGN_OR_RETURN(const Dims both, BroadcastDims(*in.dims(1), *in.dims(2), fresh));
  ASSIGN_OR_RETURN(Dims dims, BroadcastDims(*in.dims(0), both, fresh));
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  PropagateElements(in, [](const std::vector<Dim>& x) -> std::optional<Dim> {
    if (x[0].is_const()) return x[0].value() != 0 ? x[1] : x[2];
    return x[1] == x[2] ? std::optional(x[1]) : std::nullopt;
  });
  return OkStatus();
}

Status EvalWhere(EvalContext& in) {
  const Tensor &condition = in.input(0), &x = in.input(1), &y = in.input(2);
  ASSIGN_OR_RETURN(const Shape shape, BroadcastInputShapes(in));
  ASSIGN_OR_RETURN(Tensor * out, in.NewOutput(0, x.dtype(), shape));
  std::vector<uint8_t> choice(static_cast<size_t>(out->num_elements()));
  ForEachPair(condition.shape(), condition.shape(), shape, [&](int64_t i, int64_t p, int64_t) {
    choice[static_cast<size_t>(i)] = condition.GetInt(p) != 0;
  });
  ForEachPair(x.shape(), y.shape(), shape, [&](int64_t i, int64_t px, int64_t py) {
    const bool first = choice[static_cast<size_t>(i)] != 0;
    CopyElement(first ? x : y, first ? px : py, *out, i);
  });
  return OkStatus();
}

}  // namespace

OpDef WhereOp() {
  return OpDef("Where")
      .Input("condition")
      .Input("X")
      .Input("Y")
      .Output("output")
      .Doc("x where the condition holds, else y, with broadcasting of all three. All types.")
      .Infer(InferWhere)
      .Reference(EvalWhere)
      .Traits(kPure | kElementwise | kDataMovement);
}

}  // namespace cairn
