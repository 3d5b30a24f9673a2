// SPDX-License-Identifier: Apache-2.0
// Shared pieces of element-wise operators: broadcasting, type functions, reference loops.
#pragma once

#include "ops/op_def.h"

namespace cairn {

/// Numpy broadcasting of symbolic shapes. A symbol against 1 gives the symbol; a symbol against a
/// constant other than 1 gives the constant (the only legal outcome unless the symbol is 1, which
/// gives the constant too); two different symbols give a new symbol from `new_symbol`.
/// An impossible pair of constants is an error naming both shapes.
Result<Dims> BroadcastDims(const Dims& a, const Dims& b, const std::function<Dim()>& new_symbol);
/// Broadcasting of concrete shapes.
Result<Shape> BroadcastShapes(const Shape& a, const Shape& b);

/// Output 0 has the type of input 0.
Status InferSameAsFirst(InferContext& in);
/// Output 0: dtype of input 0, shape broadcast over all inputs.
Status InferBroadcast(InferContext& in);
/// Output 0: bool, shape broadcast over all inputs.
Status InferBroadcastBool(InferContext& in);

/// y[i] = f(x[i]) in double, one rounding; dtype of the output = dtype of the input.
Status EvalUnary(EvalContext& in, const std::function<double(double)>& f);

}  // namespace cairn
