// SPDX-License-Identifier: Apache-2.0
// Axes and element counts: normalising negative axes, products of symbolic dims, walking indices.
#include "ops/axes.h"

#include <algorithm>

namespace cairn {

Result<int64_t> NormalizeAxis(int64_t axis, int64_t rank, std::string_view what) {
  if (axis < -rank || axis >= rank) {
    return Status(Code::kInvalidModel, StrCat(what, " is ", axis, ", expected a value in [", -rank,
                                              ", ", rank - 1, "] for rank ", rank));
  }
  return axis < 0 ? axis + rank : axis;
}

Result<std::vector<int64_t>> NormalizeAxes(std::span<const int64_t> axes, int64_t rank) {
  std::vector<int64_t> result;
  for (const int64_t axis : axes) {
    ASSIGN_OR_RETURN(const int64_t normal, NormalizeAxis(axis, rank));
    if (std::find(result.begin(), result.end(), normal) != result.end()) {
      return Status(Code::kInvalidModel, StrCat("axis ", axis, " is given twice"));
    }
    result.push_back(normal);
  }
  return result;
}

Dim ProductOf(const Dims& dims, size_t begin, size_t end) {
  Dim product(1);
  for (size_t i = begin; i < end; ++i) product = product * dims[i];
  return product;
}

int64_t ProductOf(const Shape& shape, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t i = begin; i < end; ++i) product *= shape[i];
  return product;
}

bool NextIndex(const Shape& shape, Shape& index) {
  for (size_t d = shape.size(); d-- > 0;) {
    if (++index[d] < shape[d]) return true;
    index[d] = 0;
  }
  return false;
}

Shape BroadcastStrides(const Shape& shape, const Shape& to) {
  const Shape strides = RowMajorStrides(shape);
  Shape result(to.size(), 0);
  const size_t offset = to.size() - shape.size();
  for (size_t d = 0; d < shape.size(); ++d) result[offset + d] = shape[d] == 1 ? 0 : strides[d];
  return result;
}

Dim UnknownElement(std::string symbol) {
  if (symbol.starts_with("?")) symbol.insert(1, "v");
  return Dim::Symbol(std::move(symbol));
}

bool IsCertain(const Dim& dim) {
  const std::vector<std::string> symbols = dim.Symbols();
  return std::none_of(symbols.begin(), symbols.end(),
                      [](const std::string& name) { return name.starts_with("?v"); });
}

}  // namespace cairn
