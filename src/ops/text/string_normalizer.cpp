// SPDX-License-Identifier: Apache-2.0
// StringNormalizer: removes stop words and changes letter case.
#include <set>

#include "ops/text/strings.h"

namespace cairn {
namespace {

Status InferStringNormalizer(InferContext& in) {
  RETURN_IF_ERROR(RequireString(in, 0));
  const std::string action = in.node().GetString("case_change_action", "NONE");
  if (action != "NONE" && action != "LOWER" && action != "UPPER") {
    return Status(Code::kInvalidModel, StrCat("case_change_action is '", action,
                                              "', expected NONE, LOWER or UPPER"));
  }
  TensorType type(ElementType::kString);
  if (in.dims(0)) {
    const Dims& dims = *in.dims(0);
    const bool fits =
        dims.size() == 1 || (dims.size() == 2 && (!dims[0].is_const() || dims[0].value() == 1));
    if (!fits) {
      return Status(Code::kInvalidModel, StrCat("input 0 is ", in.type(0).ToString(),
                                                ", expected [C] or [1,C]"));
    }
    type.dims = dims;
    type.dims->back() = in.NewSymbol();
    if (dims.size() == 2) (*type.dims)[0] = Dim(1);
  }
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalStringNormalizer(EvalContext& in) {
  const Tensor& x = in.input(0);
  const bool sensitive = in.node().GetInt("is_case_sensitive", 0) != 0;
  const std::string action = in.node().GetString("case_change_action", "NONE");
  const auto key = [&](const std::string& word) {
    return sensitive ? word : ChangeCase(word, false);
  };
  std::set<std::string> stop_words;
  if (const auto* words = in.node().Get<Strings>("stopwords")) {
    for (const std::string& word : *words) stop_words.insert(key(word));
  }
  std::vector<std::string> kept;
  for (const std::string& word : x.strings()) {
    if (stop_words.count(key(word)) != 0) continue;
    kept.push_back(action == "NONE" ? word : ChangeCase(word, action == "UPPER"));
  }
  // Nothing left is one empty string.
  if (kept.empty()) kept.emplace_back();
  Shape shape(x.shape().size(), 1);
  shape.back() = static_cast<int64_t>(kept.size());
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kString, shape));
  y->mutable_strings() = std::move(kept);
  return OkStatus();
}

}  // namespace

OpDef StringNormalizerOp() {
  return OpDef("StringNormalizer")
      .Input("X")
      .Output("Y")
      .DefaultAttr("case_change_action", AttrKind::kString, std::string("NONE"),
                   "NONE, LOWER or UPPER.")
      .DefaultAttr("is_case_sensitive", AttrKind::kInt, int64_t{0},
                   "1: stop words match by case too.")
      .OptionalAttr("locale", AttrKind::kString, "Without effect: case is that of Unicode.")
      .OptionalAttr("stopwords", AttrKind::kStrings, "Words to remove.")
      .Doc("The strings of X, [C] or [1,C], that are no stop words, in lower or upper case; one "
           "empty string when none is left. Case is changed letter by letter for Latin, Greek and "
           "Cyrillic.")
      .Infer(InferStringNormalizer)
      .Reference(EvalStringNormalizer)
      .Traits(kPure | kAnyDtype);
}

}  // namespace cairn
