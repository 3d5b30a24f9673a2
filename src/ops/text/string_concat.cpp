// SPDX-License-Identifier: Apache-2.0
// StringConcat, StringSplit: joining strings pairwise, cutting them at delimiters.
#include "ops/elementwise.h"
#include "ops/text/strings.h"

namespace cairn {

Status RequireString(const InferContext& in, size_t i) {
  const ElementType dtype = in.type(i).dtype;
  if (dtype == ElementType::kString || dtype == ElementType::kUndefined) return OkStatus();
  return Status(Code::kInvalidModel,
                StrCat("input ", i, " is ", in.type(i).ToString(), ", expected strings"));
}

namespace {

Status InferStringConcat(InferContext& in) {
  RETURN_IF_ERROR(RequireString(in, 0));
  RETURN_IF_ERROR(RequireString(in, 1));
  return InferBroadcast(in);
}

Status EvalStringConcat(EvalContext& in) {
  const Tensor &a = in.input(0), &b = in.input(1);
  ASSIGN_OR_RETURN(const Shape shape, BroadcastShapes(a.shape(), b.shape()));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kString, shape));
  ForEachPair(a.shape(), b.shape(), shape, [&](int64_t i, int64_t pa, int64_t pb) {
    y->mutable_strings()[static_cast<size_t>(i)] =
        a.strings()[static_cast<size_t>(pa)] + b.strings()[static_cast<size_t>(pb)];
  });
  return OkStatus();
}

constexpr std::string_view kWhitespace = " \t\n\r\v\f";

/// Pieces between runs of whitespace; the last one keeps what `max_splits` leaves uncut.
std::vector<std::string> SplitAtWhitespace(const std::string& text, int64_t max_splits) {
  std::vector<std::string> parts;
  size_t begin = text.find_first_not_of(kWhitespace);
  while (begin != std::string::npos) {
    const bool is_rest = max_splits >= 0 && static_cast<int64_t>(parts.size()) == max_splits;
    size_t end = is_rest ? text.find_last_not_of(kWhitespace) + 1
                         : text.find_first_of(kWhitespace, begin);
    if (end == std::string::npos) end = text.size();
    parts.push_back(text.substr(begin, end - begin));
    begin = is_rest ? std::string::npos : text.find_first_not_of(kWhitespace, end);
  }
  return parts;
}

/// Pieces between delimiters, empty ones too.
std::vector<std::string> SplitAt(const std::string& text, const std::string& delimiter,
                                 int64_t max_splits) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  size_t begin = 0;
  while (max_splits < 0 || static_cast<int64_t>(parts.size()) < max_splits) {
    const size_t end = text.find(delimiter, begin);
    if (end == std::string::npos) break;
    parts.push_back(text.substr(begin, end - begin));
    begin = end + delimiter.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

Status InferStringSplit(InferContext& in) {
  RETURN_IF_ERROR(RequireString(in, 0));
  TensorType parts = in.type(0), counts(ElementType::kI64);
  parts.dtype = ElementType::kString;
  counts.dims = parts.dims;
  if (parts.dims) parts.dims->push_back(in.NewSymbol());
  in.SetOutput(0, std::move(parts));
  in.SetOutput(1, std::move(counts));
  return OkStatus();
}

Status EvalStringSplit(EvalContext& in) {
  const Tensor& x = in.input(0);
  const std::string delimiter = in.node().GetString("delimiter", "");
  const int64_t max_splits = in.node().GetInt("maxsplit", -1);
  std::vector<std::vector<std::string>> parts;
  size_t longest = 0;
  for (const std::string& text : x.strings()) {
    parts.push_back(delimiter.empty() ? SplitAtWhitespace(text, max_splits)
                                      : SplitAt(text, delimiter, max_splits));
    longest = std::max(longest, parts.back().size());
  }
  Shape shape = x.shape();
  shape.push_back(static_cast<int64_t>(longest));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kString, shape));
  ASSIGN_OR_RETURN(Tensor * counts, in.NewOutput(1, ElementType::kI64, x.shape()));
  for (size_t i = 0; i < parts.size(); ++i) {
    counts->SetInt(static_cast<int64_t>(i), static_cast<int64_t>(parts[i].size()));
    for (size_t k = 0; k < parts[i].size(); ++k) {
      y->mutable_strings()[i * longest + k] = std::move(parts[i][k]);
    }
  }
  return OkStatus();
}

}  // namespace

OpDef StringConcatOp() {
  return OpDef("StringConcat")
      .Input("X")
      .Input("Y")
      .Output("Z")
      .Doc("Each string of X followed by that of Y, with broadcasting.")
      .Infer(InferStringConcat)
      .Reference(EvalStringConcat)
      .Traits(kPure | kAnyDtype);
}

OpDef StringSplitOp() {
  return OpDef("StringSplit")
      .Input("X")
      .Output("Y")
      .Output("Z")
      .DefaultAttr("delimiter", AttrKind::kString, std::string(),
                   "Empty: runs of whitespace, those at the ends dropped.")
      .OptionalAttr("maxsplit", AttrKind::kInt, "Most cuts of a string; no limit when absent.")
      .Doc("The pieces of each string between delimiters, along a new last axis that is as long as "
           "the most pieces; what is missing is \"\". Z: the number of pieces of each string.")
      .Infer(InferStringSplit)
      .Reference(EvalStringSplit)
      .Traits(kPure | kAnyDtype);
}

}  // namespace cairn
