// SPDX-License-Identifier: Apache-2.0
// Scales and zero points of matrices: one for all, or one per row or column.
#include "ops/quant/line_parameter.h"

#include "ops/elements.h"

namespace cairn {

Result<LineParameter> LineParameter::Make(const Tensor& tensor, const Shape& matrix, bool left) {
  LineParameter result;
  if (!tensor.defined()) return result;
  result.values_ = ToDoubles(tensor);
  if (result.values_.size() == 1) return result;
  const size_t rank = matrix.size();
  result.lines_ = left ? matrix[rank - 2] : matrix[rank - 1];
  Shape full = matrix;
  full[rank - (left ? 1 : 2)] = 1;
  result.batched_ = tensor.shape() == full;
  if (!result.batched_ && tensor.shape() != Shape{result.lines_}) {
    return Status(Code::kInvalidArgument,
                  StrCat("a scale or zero point is ", ShapeToString(tensor.shape()),
                         " for an operand ", ShapeToString(matrix), ", expected [], [",
                         result.lines_, "] or ", ShapeToString(full)));
  }
  return result;
}

}  // namespace cairn
