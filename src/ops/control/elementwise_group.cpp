// SPDX-License-Identifier: Apache-2.0
// ElementwiseGroup: several element-wise operators as one node; made by passes, not in ONNX.
#include "ops/op_def.h"

namespace cairn {
namespace {

Status InferElementwiseGroup(InferContext& in) {
  const Region& body = *in.node().Get<Region>("body");
  std::vector<TensorType> types;
  for (size_t i = 0; i < in.num_inputs(); ++i) {
    if (!in.has_input(i)) return Status(Code::kInvalidModel, StrCat("input ", i, " is absent"));
    types.push_back(in.type(i));
  }
  ASSIGN_OR_RETURN(const std::vector<TensorType> outputs, in.InferRegion(*body, types));
  if (outputs.size() != in.node().outputs().size()) {
    return Status(Code::kInvalidModel, StrCat("the body has ", outputs.size(),
                                              " outputs, the node ", in.node().outputs().size()));
  }
  for (size_t i = 0; i < outputs.size(); ++i) in.SetOutput(i, outputs[i]);
  return OkStatus();
}

Status EvalElementwiseGroup(EvalContext& in) {
  const Region& body = *in.node().Get<Region>("body");
  ASSIGN_OR_RETURN(std::vector<Tensor> outputs, in.RunRegion(*body, in.inputs()));
  for (size_t i = 0; i < outputs.size(); ++i) in.SetOutput(i, std::move(outputs[i]));
  return OkStatus();
}

}  // namespace

OpDef ElementwiseGroupOp() {
  return OpDef("ElementwiseGroup")
      .VariadicInput("inputs")
      .VariadicOutput("outputs")
      .Attr("body", AttrKind::kRegion,
            "Element-wise operators from the node's inputs to its outputs.")
      .Doc(
          "A chain or tree of element-wise operators computed in one go; the result is that of the "
          "body.")
      .Infer(InferElementwiseGroup)
      .Reference(EvalElementwiseGroup);
}

}  // namespace cairn
