// SPDX-License-Identifier: Apache-2.0
// The last step of quantization: rounding to a quantized type.
#pragma once

#include <cstdint>

#include "ir/tensor.h"

namespace cairn {

/// Stores `scaled` + `zero_point` as element `i`: integers round half to even, then saturate; small
/// floats round, and saturate unless told not to (then NaN, or infinity where the type has one).
void StoreQuantized(double scaled, double zero_point, bool saturate, int64_t i, Tensor& y);

/// `value` rounded to the precision of `type` (f32, f16, bf16); other types keep double.
double RoundTo(ElementType type, double value);

}  // namespace cairn
