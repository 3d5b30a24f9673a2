// SPDX-License-Identifier: Apache-2.0
// Einsum: sums of products written with index letters.
#include <algorithm>
#include <cctype>
#include <map>

#include "ops/elementwise.h"

namespace cairn {
namespace {

constexpr char kEllipsis = '.';

/// Index letters per operand and of the result; kEllipsis stands for "...".
struct Equation {
  std::vector<std::string> operands;
  std::string output;
};

Result<std::string> ParseTerm(std::string_view text) {
  std::string term;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "...") {
      if (term.find(kEllipsis) != std::string::npos) {
        return Status(Code::kInvalidModel, StrCat("equation: '", text, "' has two ellipses"));
      }
      term += kEllipsis;
      i += 2;
    } else if (std::isalpha(static_cast<unsigned char>(text[i]))) {
      term += text[i];
    } else {
      return Status(Code::kInvalidModel, StrCat("equation: unexpected '", text[i], "'"));
    }
  }
  return term;
}

Result<Equation> ParseEquation(std::string text, size_t num_operands) {
  std::erase(text, ' ');
  Equation equation;
  const size_t arrow = text.find("->");
  std::string_view left = std::string_view(text).substr(0, arrow);
  while (true) {
    const size_t comma = left.find(',');
    ASSIGN_OR_RETURN(std::string term, ParseTerm(left.substr(0, comma)));
    equation.operands.push_back(std::move(term));
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  if (equation.operands.size() != num_operands) {
    return Status(Code::kInvalidModel,
                  StrCat("equation '", text, "' has ", equation.operands.size(),
                         " operands, the node ", num_operands));
  }
  if (arrow != std::string::npos) {
    ASSIGN_OR_RETURN(equation.output, ParseTerm(std::string_view(text).substr(arrow + 2)));
    return equation;
  }
  // Without "->": the ellipsis, then the letters that occur once, in alphabetical order.
  std::map<char, int> counts;
  for (const std::string& term : equation.operands) {
    for (const char letter : term) ++counts[letter];
  }
  if (counts.count(kEllipsis)) equation.output += kEllipsis;
  for (const auto& [letter, count] : counts) {
    if (letter != kEllipsis && count == 1) equation.output += letter;
  }
  return equation;
}

/// Letters of one operand with the ellipsis written out as digits '0'.. counted from its end.
Result<std::string> Expand(const std::string& term, size_t rank) {
  const size_t dots = term.find(kEllipsis);
  if (dots == std::string::npos) {
    if (term.size() == rank) return term;
    return Status(Code::kInvalidModel,
                  StrCat("equation: '", term, "' names ", term.size(), " axes of rank ", rank));
  }
  if (term.size() - 1 > rank) {
    return Status(Code::kInvalidModel, StrCat("equation: too many indices for rank ", rank));
  }
  std::string expanded = term.substr(0, dots);
  // '~' downwards: position counted from the end of the ellipsis, so that operands align there.
  for (size_t i = rank - (term.size() - 1); i-- > 0;) expanded += static_cast<char>(0x80 + i);
  return expanded + term.substr(dots + 1);
}

struct Indices {
  std::vector<std::string> operands;
  std::string output;
};

Result<Indices> ResolveIndices(const Equation& equation, const std::vector<size_t>& ranks) {
  Indices indices;
  size_t broadcast = 0;
  for (size_t k = 0; k < ranks.size(); ++k) {
    ASSIGN_OR_RETURN(std::string letters, Expand(equation.operands[k], ranks[k]));
    if (equation.operands[k].find(kEllipsis) != std::string::npos) {
      broadcast = std::max(broadcast, ranks[k] + 1 - equation.operands[k].size());
    }
    indices.operands.push_back(std::move(letters));
  }
  const bool dots = equation.output.find(kEllipsis) != std::string::npos;
  ASSIGN_OR_RETURN(indices.output,
                   Expand(equation.output,
                          dots ? equation.output.size() - 1 + broadcast : equation.output.size()));
  for (const char letter : indices.output) {
    const bool known =
        std::any_of(indices.operands.begin(), indices.operands.end(),
                    [&](const auto& o) { return o.find(letter) != std::string::npos; });
    if (!known) {
      return Status(Code::kInvalidModel,
                    StrCat("equation: the output index '", letter, "' is in no operand"));
    }
    if (std::count(indices.output.begin(), indices.output.end(), letter) != 1) {
      return Status(Code::kInvalidModel, StrCat("equation: the output repeats '", letter, "'"));
    }
  }
  return indices;
}

Status InferEinsum(InferContext& in) {
  ASSIGN_OR_RETURN(const Equation equation,
                   ParseEquation(in.node().GetString("equation", ""), in.num_inputs()));
  std::vector<size_t> ranks;
  for (size_t k = 0; k < in.num_inputs(); ++k) {
    RETURN_IF_ERROR(RequireSameDtype(in, 0, k));
    if (!in.dims(k)) {
      in.SetOutput(0, TensorType(in.type(0).dtype));
      return OkStatus();
    }
    ranks.push_back(in.dims(k)->size());
  }
  ASSIGN_OR_RETURN(const Indices indices, ResolveIndices(equation, ranks));
  std::map<char, Dim> sizes;
  for (size_t k = 0; k < ranks.size(); ++k) {
    for (size_t axis = 0; axis < ranks[k]; ++axis) {
      const Dim& dim = (*in.dims(k))[axis];
      const auto [it, inserted] = sizes.try_emplace(indices.operands[k][axis], dim);
      if (inserted) continue;
      ASSIGN_OR_RETURN(const Dims both,
                       BroadcastDims({it->second}, {dim}, [&] { return it->second; }));
      it->second = both[0];
    }
  }
  Dims dims;
  for (const char letter : indices.output) dims.push_back(sizes.at(letter));
  in.SetOutput(0, TensorType(in.type(0).dtype, std::move(dims)));
  return OkStatus();
}

/// Strides of an operand per index letter; letters it lacks and broadcast axes have stride 0.
std::map<char, int64_t> LetterStrides(const std::string& letters, const Shape& shape) {
  const Shape strides = RowMajorStrides(shape);
  std::map<char, int64_t> result;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] != 1) result[letters[axis]] += strides[axis];
  }
  return result;
}

Status EvalEinsum(EvalContext& in) {
  ASSIGN_OR_RETURN(const Equation equation,
                   ParseEquation(in.node().GetString("equation", ""), in.num_inputs()));
  std::vector<size_t> ranks;
  for (const Tensor& x : in.inputs()) ranks.push_back(x.shape().size());
  ASSIGN_OR_RETURN(const Indices indices, ResolveIndices(equation, ranks));
  std::map<char, int64_t> sizes;
  std::string order = indices.output;  // Output letters first, then those summed over.
  for (size_t k = 0; k < ranks.size(); ++k) {
    for (size_t axis = 0; axis < ranks[k]; ++axis) {
      const char letter = indices.operands[k][axis];
      int64_t& size = sizes.try_emplace(letter, 1).first->second;
      const int64_t own = in.input(k).shape()[axis];
      if (size != 1 && own != 1 && own != size) {
        return Status(Code::kInvalidArgument,
                      StrCat("index '", letter, "' has sizes ", size, " and ", own));
      }
      if (own != 1) size = own;
      if (order.find(letter) == std::string::npos) order += letter;
    }
  }
  Shape space, shape;
  for (const char letter : order) space.push_back(sizes.at(letter));
  shape.assign(space.begin(), space.begin() + static_cast<std::ptrdiff_t>(indices.output.size()));
  std::vector<std::vector<double>> values;
  std::vector<Shape> strides;
  for (size_t k = 0; k < ranks.size(); ++k) {
    values.push_back(ToDoubles(in.input(k)));
    auto by_letter = LetterStrides(indices.operands[k], in.input(k).shape());
    Shape own;
    for (const char letter : order) own.push_back(by_letter.count(letter) ? by_letter[letter] : 0);
    strides.push_back(std::move(own));
  }
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, in.input(0).dtype(), shape));
  std::vector<double> result(static_cast<size_t>(y->num_elements()));
  const int64_t total = ProductOf(space, 0, space.size());
  const int64_t summed = ProductOf(space, shape.size(), space.size());
  Shape index(space.size(), 0);
  for (int64_t i = 0; i < total; ++i) {
    double product = 1;
    for (size_t k = 0; k < values.size(); ++k) {
      int64_t position = 0;
      for (size_t d = 0; d < index.size(); ++d) position += index[d] * strides[k][d];
      product *= values[k][static_cast<size_t>(position)];
    }
    result[static_cast<size_t>(i / summed)] += product;
    NextIndex(space, index);
  }
  StoreDoubles(result, *y);
  return OkStatus();
}

}  // namespace

OpDef EinsumOp() {
  return OpDef("Einsum")
      .VariadicInput("Inputs")
      .Output("Output")
      .Attr("equation", AttrKind::kString, "Index letters per operand, e.g. \"bij,bjk->bik\".")
      .Doc(
          "Sum of products over the indices that are not in the output; '...' broadcasts. Without "
          "'->' the output has the indices that occur once, in alphabetical order.")
      .Infer(InferEinsum)
      .Reference(EvalEinsum);
}

}  // namespace cairn
