// SPDX-License-Identifier: Apache-2.0
// Conversions of 8-bit and 4-bit floating-point storage formats.
#pragma once

#include <cstdint>

#include "base/element_type.h"

namespace cairn {

/// Value of one code of an fp8 or fp4 type (`type` is one of those).
double SmallFloatToDouble(ElementType type, uint8_t code);
/// Nearest code, ties to even; beyond the largest finite value: the largest finite value for types
/// without infinity (ONNX "saturate"), infinity for f8e5m2 only when `value` is infinite.
uint8_t DoubleToSmallFloat(ElementType type, double value);

}  // namespace cairn
