// SPDX-License-Identifier: Apache-2.0
// SequenceMap: runs a region on each item of a sequence.
#include "ops/control/regions.h"
#include "ops/sequence/sequences.h"

namespace cairn {
namespace {

Status InferSequenceMap(InferContext& in) {
  RETURN_IF_ERROR(RequireSequence(in, 0));
  Graph& body = RegionOf(in.node(), "body");
  std::vector<TensorType> types;
  for (size_t i = 0; i < in.num_inputs(); ++i) {
    const bool sequence = in.type(i).kind == ValueKind::kSequence;
    types.push_back(sequence ? ItemType(in, in.type(i)) : in.type(i));
  }
  for (TensorType& type : CaptureTypes(in.node())) types.push_back(std::move(type));
  ASSIGN_OR_RETURN(const std::vector<TensorType> outputs, in.InferRegion(body, types));
  if (outputs.size() < in.node().outputs().size()) {
    return Status(Code::kInvalidModel, StrCat("the body has ", outputs.size(),
                                              " outputs, the node ", in.node().outputs().size()));
  }
  for (size_t i = 0; i < in.node().outputs().size(); ++i) {
    in.SetOutput(i, outputs[i].As(ValueKind::kSequence));
  }
  return OkStatus();
}

Status EvalSequenceMap(EvalContext& in) {
  Graph& body = RegionOf(in.node(), "body");
  const size_t count = in.input(0).items().size();
  std::vector<std::vector<Tensor>> results(in.num_outputs());
  for (size_t k = 0; k < count; ++k) {
    std::vector<Tensor> arguments;
    for (size_t i = 0; i < in.num_inputs(); ++i) {
      const Tensor& input = in.input(i);
      if (input.kind() == ValueKind::kSequence && input.items().size() != count) {
        return Status(Code::kInvalidArgument, StrCat("input ", i, " has ", input.items().size(),
                                                     " items, input 0 has ", count));
      }
      arguments.push_back(input.kind() == ValueKind::kSequence ? input.items()[k] : input);
    }
    ASSIGN_OR_RETURN(std::vector<Tensor> items, in.RunRegion(body, std::move(arguments)));
    for (size_t i = 0; i < results.size(); ++i) results[i].push_back(std::move(items[i]));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const ElementType dtype = body.outputs()[i]->type().dtype;
    in.SetOutput(i, Tensor::Sequence(dtype, std::move(results[i])));
  }
  return OkStatus();
}

}  // namespace

OpDef SequenceMapOp() {
  return OpDef("SequenceMap")
      .Input("input_sequence")
      .VariadicInput("additional_inputs")
      .VariadicOutput("out_sequence")
      .Attr("body", AttrKind::kRegion, "(item, additional items or tensors...) -> (items...).")
      .Doc("The sequences of what the body gives for each item. Additional sequences have as many "
           "items; additional tensors are the same for all.")
      .Infer(InferSequenceMap)
      .Reference(EvalSequenceMap)
      .Traits(kPure | kAnyDtype | kAnyKind);
}

}  // namespace cairn
