// SPDX-License-Identifier: Apache-2.0
// Scales and zero points of matrices: one for all, or one per row or column.
#pragma once

#include <vector>

#include "ir/tensor.h"

namespace cairn {

/// A parameter of each row (left operands) or column (right operands) of a batch of matrices: one
/// value for all, one per line, or that per batch (the matrix's shape with a 1 for the other axis).
class LineParameter {
 public:
  /// `matrix`: shape of the operand, rank 2 at least. An undefined tensor gives no parameter.
  static Result<LineParameter> Make(const Tensor& tensor, const Shape& matrix, bool left);
  double At(int64_t batch, int64_t line, double absent) const {
    if (values_.empty()) return absent;
    if (lines_ == 0) return values_[0];
    return values_[static_cast<size_t>((batched_ ? batch * lines_ : 0) + line)];
  }

 private:
  std::vector<double> values_;
  int64_t lines_ = 0;  ///< 0: one value for all.
  bool batched_ = false;
};

}  // namespace cairn
