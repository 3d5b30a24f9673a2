// SPDX-License-Identifier: Apache-2.0
// InterpretedGroup: operators that the reference runs as one node; made by passes, not in ONNX.
#include "ops/control/regions.h"

namespace cairn {
namespace {

Status InferInterpretedGroup(InferContext& in) {
  std::vector<TensorType> types;
  for (size_t i = 0; i < in.num_inputs(); ++i) {
    if (!in.has_input(i)) return Status(Code::kInvalidModel, StrCat("input ", i, " is absent"));
    types.push_back(in.type(i));
  }
  ASSIGN_OR_RETURN(const std::vector<TensorType> outputs,
                   in.InferRegion(RegionOf(in.node(), "body"), types));
  if (outputs.size() != in.node().outputs().size()) {
    return Status(Code::kInvalidModel, StrCat("the body has ", outputs.size(),
                                              " outputs, the node ", in.node().outputs().size()));
  }
  for (size_t i = 0; i < outputs.size(); ++i) in.SetOutput(i, outputs[i]);
  return OkStatus();
}

Status EvalInterpretedGroup(EvalContext& in) {
  ASSIGN_OR_RETURN(std::vector<Tensor> outputs,
                   in.RunRegion(RegionOf(in.node(), "body"), in.inputs()));
  for (size_t i = 0; i < outputs.size(); ++i) in.SetOutput(i, std::move(outputs[i]));
  return OkStatus();
}

}  // namespace

OpDef InterpretedGroupOp() {
  return OpDef("InterpretedGroup")
      .VariadicInput("inputs")
      .VariadicOutput("outputs")
      .Attr("body", AttrKind::kRegion, "Operators from the node's inputs to its outputs.")
      .Doc("Operators that pass strings, sequences or optionals among each other, as one node; the "
           "result is that of the body.")
      .Infer(InferInterpretedGroup)
      .Reference(EvalInterpretedGroup)
      .Traits(kAnyDtype | kAnyKind);
}

}  // namespace cairn
