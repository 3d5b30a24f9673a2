// SPDX-License-Identifier: Apache-2.0
// Sequences: making them, reading and changing their items.
#include "ops/sequence/sequences.h"

#include "ops/axes.h"
#include "ops/control/regions.h"
#include "ops/elements.h"

namespace cairn {

TensorType ItemType(InferContext& in, const TensorType& sequence) {
  TensorType type = sequence.As(ValueKind::kTensor);
  for (size_t d = 0; type.dims && d < type.dims->size(); ++d) {
    // A dim that is no number may differ from item to item.
    if (!(*type.dims)[d].is_const()) (*type.dims)[d] = in.NewSymbol();
  }
  return type;
}

Status RequireSequence(const InferContext& in, size_t i) {
  if (in.type(i).kind == ValueKind::kSequence) return OkStatus();
  return Status(Code::kInvalidModel,
                StrCat("input ", i, " is ", in.type(i).ToString(), ", expected a sequence"));
}

Status RequireTensor(const InferContext& in, size_t i) {
  if (!in.has_input(i) || in.type(i).kind == ValueKind::kTensor) return OkStatus();
  return Status(Code::kInvalidModel,
                StrCat("input ", i, " is ", in.type(i).ToString(), ", expected a tensor"));
}

namespace {

/// The position in input `i`, in [-size, size] or one less, counted from the front.
Result<size_t> PositionOf(const EvalContext& in, size_t i, size_t size, bool may_be_end) {
  const auto length = static_cast<int64_t>(size);
  int64_t position = may_be_end ? length : length - 1;
  if (in.has_input(i)) {
    if (in.input(i).num_elements() != 1) {
      return Status(Code::kInvalidArgument, "the position must have one element");
    }
    position = in.input(i).GetInt(0);
  }
  const int64_t from_front = position < 0 ? position + length : position;
  if (from_front < 0 || from_front >= length + (may_be_end ? 1 : 0)) {
    return Status(Code::kInvalidArgument,
                  StrCat("position ", position, " lies outside of a sequence of ", length));
  }
  return static_cast<size_t>(from_front);
}

Status InferSequenceEmpty(InferContext& in) {
  const auto* type = in.node().Get<TensorType>("dtype");
  in.SetOutput(0, TensorType(type ? type->dtype : ElementType::kF32).As(ValueKind::kSequence));
  return OkStatus();
}

Status EvalSequenceEmpty(EvalContext& in) {
  const auto* type = in.node().Get<TensorType>("dtype");
  in.SetOutput(0, Tensor::Sequence(type ? type->dtype : ElementType::kF32, {}));
  return OkStatus();
}

Status InferSequenceConstruct(InferContext& in) {
  if (in.num_inputs() == 0) {
    return Status(Code::kInvalidModel, "has no inputs, expected at least 1");
  }
  TensorType type = in.type(0);
  for (size_t i = 0; i < in.num_inputs(); ++i) {
    RETURN_IF_ERROR(RequireTensor(in, i));
    ASSIGN_OR_RETURN(type, MergeTypes(in, type, in.type(i), StrCat("item ", i)));
  }
  in.SetOutput(0, type.As(ValueKind::kSequence));
  return OkStatus();
}

Status EvalSequenceConstruct(EvalContext& in) {
  in.SetOutput(0, Tensor::Sequence(in.input(0).dtype(), in.inputs()));
  return OkStatus();
}

Status InferSequenceAt(InferContext& in) {
  RETURN_IF_ERROR(RequireSequence(in, 0));
  RETURN_IF_ERROR(RequireIndexType(in, 1));
  in.SetOutput(0, ItemType(in, in.type(0)));
  return OkStatus();
}

Status EvalSequenceAt(EvalContext& in) {
  const std::vector<Tensor>& items = in.input(0).items();
  ASSIGN_OR_RETURN(const size_t position, PositionOf(in, 1, items.size(), false));
  in.SetOutput(0, items[position]);
  return OkStatus();
}

Status InferSequenceInsert(InferContext& in) {
  RETURN_IF_ERROR(RequireSequence(in, 0));
  RETURN_IF_ERROR(RequireTensor(in, 1));
  if (in.has_input(2)) RETURN_IF_ERROR(RequireIndexType(in, 2));
  ASSIGN_OR_RETURN(const TensorType type,
                   MergeTypes(in, in.type(0).As(ValueKind::kTensor), in.type(1), "an item"));
  in.SetOutput(0, type.As(ValueKind::kSequence));
  return OkStatus();
}

Status EvalSequenceInsert(EvalContext& in) {
  std::vector<Tensor> items = in.input(0).items();
  ASSIGN_OR_RETURN(const size_t position, PositionOf(in, 2, items.size(), true));
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(position), in.input(1));
  in.SetOutput(0, Tensor::Sequence(in.input(1).dtype(), std::move(items)));
  return OkStatus();
}

Status InferSequenceErase(InferContext& in) {
  RETURN_IF_ERROR(RequireSequence(in, 0));
  if (in.has_input(1)) RETURN_IF_ERROR(RequireIndexType(in, 1));
  in.SetOutput(0, in.type(0));
  return OkStatus();
}

Status EvalSequenceErase(EvalContext& in) {
  std::vector<Tensor> items = in.input(0).items();
  ASSIGN_OR_RETURN(const size_t position, PositionOf(in, 1, items.size(), false));
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(position));
  in.SetOutput(0, Tensor::Sequence(in.input(0).dtype(), std::move(items)));
  return OkStatus();
}

Status InferSequenceLength(InferContext& in) {
  RETURN_IF_ERROR(RequireSequence(in, 0));
  in.SetOutput(0, TensorType(ElementType::kI64, Dims()));
  return OkStatus();
}

Status EvalSequenceLength(EvalContext& in) {
  in.SetOutput(0, Tensor::ScalarInt(static_cast<int64_t>(in.input(0).items().size())));
  return OkStatus();
}

}  // namespace

OpDef SequenceEmptyOp() {
  return OpDef("SequenceEmpty")
      .Output("output")
      .OptionalAttr("dtype", AttrKind::kType, "Element type of the items; f32 when absent.")
      .Doc("A sequence without items.")
      .Infer(InferSequenceEmpty)
      .Reference(EvalSequenceEmpty);
}

OpDef SequenceConstructOp() {
  return OpDef("SequenceConstruct")
      .VariadicInput("inputs")
      .Output("output_sequence")
      .Doc("The sequence of the inputs, which have one element type.")
      .Infer(InferSequenceConstruct)
      .Reference(EvalSequenceConstruct)
      .Traits(kPure | kAnyDtype);
}

OpDef SequenceAtOp() {
  return OpDef("SequenceAt")
      .Input("input_sequence")
      .Input("position")
      .Output("tensor")
      .Doc("The item at `position`, in [-n, n - 1] for n items; negative counts from the end.")
      .Infer(InferSequenceAt)
      .Reference(EvalSequenceAt)
      .Traits(kPure | kAnyDtype | kAnyKind);
}

OpDef SequenceInsertOp() {
  return OpDef("SequenceInsert")
      .Input("input_sequence")
      .Input("tensor")
      .OptionalInput("position")
      .Output("output_sequence")
      .Doc("The sequence with `tensor` before the item at `position`, in [-n, n]; at the end "
           "without one.")
      .Infer(InferSequenceInsert)
      .Reference(EvalSequenceInsert)
      .Traits(kPure | kAnyDtype | kAnyKind);
}

OpDef SequenceEraseOp() {
  return OpDef("SequenceErase")
      .Input("input_sequence")
      .OptionalInput("position")
      .Output("output_sequence")
      .Doc("The sequence without the item at `position`, in [-n, n - 1]; without the last one when "
           "there is no position.")
      .Infer(InferSequenceErase)
      .Reference(EvalSequenceErase)
      .Traits(kPure | kAnyDtype | kAnyKind);
}

OpDef SequenceLengthOp() {
  return OpDef("SequenceLength")
      .Input("input_sequence")
      .Output("length")
      .Doc("The number of items, i64.")
      .Infer(InferSequenceLength)
      .Reference(EvalSequenceLength)
      .Traits(kPure | kAnyDtype | kAnyKind);
}

}  // namespace cairn
