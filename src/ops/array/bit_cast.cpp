// SPDX-License-Identifier: Apache-2.0
// BitCast: the bits of a tensor as another element type of the same width.
#include <cstring>

#include "ops/elements.h"

namespace cairn {
namespace {

Status InferBitCast(InferContext& in) {
  const ElementType from = in.type(0).dtype;
  const ElementType to = in.node().Get<TensorType>("to")->dtype;
  if (from != ElementType::kUndefined &&
      (ElementBits(from) != ElementBits(to) || ElementBits(to) == 0)) {
    return Status(Code::kInvalidModel, StrCat("input 0 is ", from, ", which has no bits of ", to));
  }
  TensorType type = in.type(0);
  type.dtype = to;
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalBitCast(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(Tensor * y,
                   in.NewOutput(0, in.node().Get<TensorType>("to")->dtype, x.shape()));
  if (x.num_bytes() > 0) std::memcpy(y->mutable_bytes(), x.bytes(), x.num_bytes());
  return OkStatus();
}

}  // namespace

OpDef BitCastOp() {
  return OpDef("BitCast")
      .Input("input")
      .Output("output")
      .Attr("to", AttrKind::kType, "Element type of the output, as wide as that of the input.")
      .Doc("The same bits as another element type.")
      .Infer(InferBitCast)
      .Reference(EvalBitCast)
      .Traits(kPure | kAnyDtype);
}

}  // namespace cairn
