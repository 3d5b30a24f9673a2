// SPDX-License-Identifier: Apache-2.0
// RegexFullMatch: which strings a regular expression describes.
#include "ops/text/regex.h"
#include "ops/text/strings.h"

namespace cairn {
namespace {

Status InferRegexFullMatch(InferContext& in) {
  RETURN_IF_ERROR(RequireString(in, 0));
  RETURN_IF_ERROR(Regex::Compile(in.node().GetString("pattern", "")).status());
  TensorType type = in.type(0);
  type.dtype = ElementType::kBool;
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalRegexFullMatch(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const Regex regex, Regex::Compile(in.node().GetString("pattern", "")));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kBool, x.shape()));
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    y->SetInt(i, regex.Matches(x.strings()[static_cast<size_t>(i)]) ? 1 : 0);
  }
  return OkStatus();
}

}  // namespace

OpDef RegexFullMatchOp() {
  return OpDef("RegexFullMatch")
      .Input("X")
      .Output("Y")
      .Attr("pattern", AttrKind::kString, "In RE2's syntax, without Unicode classes.")
      .Doc("Whether the pattern matches the whole of each string, in time linear in its length.")
      .Infer(InferRegexFullMatch)
      .Reference(EvalRegexFullMatch)
      .Traits(kPure | kAnyDtype);
}

}  // namespace cairn
