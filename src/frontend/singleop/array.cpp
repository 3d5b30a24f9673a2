// SPDX-License-Identifier: Apache-2.0
// Shapes, order, concatenation, reductions, TopK.
#include <algorithm>

#include "frontend/singleop/builder.h"

namespace cairn::singleop {
namespace {

/// A list that newer operators take as input `i` and older ones ("...D") as an attribute.
Result<Ints> ListOf(const Builder& b, size_t i, const char* attribute) {
  if (b.Has(i)) return b.ConstantInts(i);
  return b.IntList(attribute);
}

Status LowerReduction(Builder& b, const char* op) {
  ASSIGN_OR_RETURN(Value * x, b.Wide(0));
  ASSIGN_OR_RETURN(const Ints axes, ListOf(b, 1, "axes"));
  std::vector<Value*> inputs = {x};
  if (!axes.empty()) inputs.push_back(b.ConstantInts64(axes));
  ASSIGN_OR_RETURN(Value * y, b.Make(op, std::move(inputs), {{"keepdims", b.Int("keep_dims", 0)}}));
  return b.AddOutput(y);
}

}  // namespace

Status LowerReduceMax(Builder& b) { return LowerReduction(b, "ReduceMax"); }
Status LowerReduceMean(Builder& b) { return LowerReduction(b, "ReduceMean"); }
Status LowerReduceMin(Builder& b) { return LowerReduction(b, "ReduceMin"); }
Status LowerReduceSum(Builder& b) { return LowerReduction(b, "ReduceSum"); }

// The output's shape says it all when it is known.
Status LowerReshape(Builder& b) {
  ASSIGN_OR_RETURN(Value * x, b.In(0));
  if (b.op().outputs.size() == 1 && b.op().outputs[0].shape) return b.AddOutput(x);
  ASSIGN_OR_RETURN(const Ints shape, ListOf(b, 1, "shape"));
  ASSIGN_OR_RETURN(Value * y, b.Make("Reshape", {x, b.ConstantInts64(shape)}));
  return b.AddOutput(y);
}

Status LowerTranspose(Builder& b) {
  ASSIGN_OR_RETURN(Value * x, b.In(0));
  ASSIGN_OR_RETURN(const Ints perm, ListOf(b, 1, "perm"));
  ASSIGN_OR_RETURN(Value * y, b.Make("Transpose", {x}, {{"perm", perm}}));
  return b.AddOutput(y);
}

Status LowerBroadcastTo(Builder& b) {
  ASSIGN_OR_RETURN(Value * x, b.In(0));
  ASSIGN_OR_RETURN(const Ints shape, ListOf(b, 1, "shape"));
  ASSIGN_OR_RETURN(Value * y, b.Make("Expand", {x, b.ConstantInts64(shape)}));
  return b.AddOutput(y);
}

// Concat has the axis as input 0, ConcatD as the attribute concat_dim.
Status LowerConcat(Builder& b) {
  const bool axis_is_input = b.op().type == "Concat";
  int64_t axis = b.Int("concat_dim", 0);
  if (axis_is_input) {
    ASSIGN_OR_RETURN(const Ints values, b.ConstantInts(0));
    if (values.size() != 1)
      return Status(Code::kInvalidArgument, "input 0 (concat_dim) must have one element");
    axis = values[0];
  }
  std::vector<Value*> inputs;
  for (size_t i = axis_is_input ? 1 : 0; i < b.num_inputs(); ++i) {
    ASSIGN_OR_RETURN(Value * input, b.In(i));
    inputs.push_back(input);
  }
  ASSIGN_OR_RETURN(Value * y, b.Make("Concat", std::move(inputs), {{"axis", axis}}));
  return b.AddOutput(y);
}

Status LowerTopK(Builder& b) {
  ASSIGN_OR_RETURN(Value * x, b.In(0));
  Ints k;
  // TopKD takes a helper tensor as input 1 and k as an attribute.
  if (b.op().type == "TopKD") {
    k = b.IntList("k");
  } else {
    ASSIGN_OR_RETURN(k, ListOf(b, 1, "k"));
  }
  if (k.size() != 1) return Status(Code::kInvalidArgument, "'k' must be one number");
  ASSIGN_OR_RETURN(Node * node, b.MakeNode("TopK", {x, b.ConstantInts64(k)}, 2,
                                           {{"axis", b.Int("dim", -1)},
                                            {"largest", b.Int("largest", 1)}}));
  RETURN_IF_ERROR(b.AddOutput(node->output(0)));
  return b.AddOutput(node->output(1));
}

}  // namespace cairn::singleop
