// SPDX-License-Identifier: Apache-2.0
// If: one of two regions, chosen at run time.
#include "ops/op_def.h"

namespace cairn {
namespace {

/// What both branches agree on; a dimension in which they differ is unknown.
Result<TensorType> CommonType(InferContext& in, const TensorType& a, const TensorType& b) {
  if (a.dtype != b.dtype || a.kind != b.kind) {
    return Status(Code::kInvalidModel, StrCat("the branches give ", a, " and ", b));
  }
  TensorType type = a;
  if (!a.dims || !b.dims || a.dims->size() != b.dims->size()) {
    type.dims.reset();
    return type;
  }
  for (size_t i = 0; i < a.dims->size(); ++i) {
    if (!((*a.dims)[i] == (*b.dims)[i])) (*type.dims)[i] = in.NewSymbol();
  }
  return type;
}

Status InferIf(InferContext& in) {
  const Node& node = in.node();
  std::vector<TensorType> captures;
  for (size_t i = in.num_inputs(); i < node.inputs().size(); ++i) {
    captures.push_back(node.input(i)->type());
  }
  std::vector<TensorType> types[2];
  for (size_t branch = 0; branch < 2; ++branch) {
    const Region& region = *node.Get<Region>(branch == 0 ? "then_branch" : "else_branch");
    ASSIGN_OR_RETURN(types[branch], in.InferRegion(*region, captures));
    if (types[branch].size() < node.outputs().size()) {
      return Status(Code::kInvalidModel,
                    StrCat("branch '", region->name(), "' has ", types[branch].size(),
                           " outputs, the node ", node.outputs().size()));
    }
  }
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    ASSIGN_OR_RETURN(TensorType type, CommonType(in, types[0][i], types[1][i]));
    in.SetOutput(i, std::move(type));
  }
  return OkStatus();
}

Status EvalIf(EvalContext& in) {
  if (in.input(0).num_elements() != 1) {
    return Status(Code::kInvalidArgument, StrCat("the condition has ", in.input(0).num_elements(),
                                                 " elements, expected 1"));
  }
  const bool condition = in.input(0).GetInt(0) != 0;
  const Region& region = *in.node().Get<Region>(condition ? "then_branch" : "else_branch");
  ASSIGN_OR_RETURN(std::vector<Tensor> results, in.RunRegion(*region, {}));
  for (size_t i = 0; i < results.size(); ++i) in.SetOutput(i, std::move(results[i]));
  return OkStatus();
}

}  // namespace

OpDef IfOp() {
  return OpDef("If")
      .Input("cond")
      .VariadicOutput("outputs")
      .Attr("then_branch", AttrKind::kRegion, "Runs when the condition is true.")
      .Attr("else_branch", AttrKind::kRegion, "Runs when it is false.")
      .Doc("The results of one of two branches. Both see the captured values only.")
      .Infer(InferIf)
      .Reference(EvalIf);
}

}  // namespace cairn
