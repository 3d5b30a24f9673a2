// SPDX-License-Identifier: Apache-2.0
// If: runs one of two regions.
#include "ops/control/regions.h"
#include "ops/elements.h"

namespace cairn {
namespace {

Status CheckOutputs(const Node& node, const Graph& branch) {
  if (branch.outputs().size() >= node.outputs().size()) return OkStatus();
  return Status(Code::kInvalidModel,
                StrCat("region '", branch.name(), "' has ", branch.outputs().size(),
                       " outputs, the node ", node.outputs().size()));
}

Status InferIf(InferContext& in) {
  RETURN_IF_ERROR(RequireBool(in, 0));
  Graph& then_branch = RegionOf(in.node(), "then_branch");
  Graph& else_branch = RegionOf(in.node(), "else_branch");
  RETURN_IF_ERROR(CheckOutputs(in.node(), then_branch));
  RETURN_IF_ERROR(CheckOutputs(in.node(), else_branch));
  const std::vector<TensorType> captures = CaptureTypes(in.node());
  ASSIGN_OR_RETURN(const std::vector<TensorType> a, in.InferRegion(then_branch, captures));
  ASSIGN_OR_RETURN(const std::vector<TensorType> b, in.InferRegion(else_branch, captures));
  const Tensor* condition = in.constant(0);
  for (size_t i = 0; i < in.node().outputs().size(); ++i) {
    if (condition && condition->num_elements() == 1) {
      in.SetOutput(i, condition->GetInt(0) != 0 ? a[i] : b[i]);
      continue;
    }
    ASSIGN_OR_RETURN(TensorType type, MergeTypes(in, a[i], b[i], StrCat("output ", i)));
    in.SetOutput(i, std::move(type));
  }
  return OkStatus();
}

Status EvalIf(EvalContext& in) {
  if (in.input(0).num_elements() != 1) {
    return Status(
        Code::kInvalidArgument,
        StrCat("the condition is ", ShapeToString(in.input(0).shape()), ", expected one element"));
  }
  const char* branch = in.input(0).GetInt(0) != 0 ? "then_branch" : "else_branch";
  ASSIGN_OR_RETURN(std::vector<Tensor> outputs, in.RunRegion(RegionOf(in.node(), branch), {}));
  for (size_t i = 0; i < outputs.size(); ++i) in.SetOutput(i, std::move(outputs[i]));
  return OkStatus();
}

}  // namespace

OpDef IfOp() {
  return OpDef("If")
      .Input("cond")
      .VariadicOutput("outputs")
      .Attr("else_branch", AttrKind::kRegion, "Runs when cond is false.")
      .Attr("then_branch", AttrKind::kRegion, "Runs when cond is true.")
      .Doc("The outputs of one of two regions, which have the same number and element types.")
      .Infer(InferIf)
      .Reference(EvalIf)
      .Traits(kPure | kAnyDtype | kAnyKind);
}

}  // namespace cairn
