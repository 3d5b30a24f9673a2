// SPDX-License-Identifier: Apache-2.0
// Operators that map each row along one axis to a row of the same length.
#pragma once

#include <functional>
#include <vector>

#include "ops/op_def.h"

namespace cairn {

/// Output 0 has the type of input 0, a float; attribute `axis` must name one of its axes.
Status InferAlongAxis(InferContext& in);

/// Replaces a row by its result, in place.
using RowFn = std::function<void(std::vector<double>& row)>;
/// y = f(row) for every row of input 0 along attribute `axis`.
Status EvalAlongAxis(EvalContext& in, const RowFn& f);

}  // namespace cairn
