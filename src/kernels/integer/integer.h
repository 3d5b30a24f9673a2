// SPDX-License-Identifier: Apache-2.0
// Exact element-wise arithmetic and comparison of integer tensors with broadcasting.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/element_type.h"
#include "kernels/fault.h"
#include "kernels/movement/nd_shape.h"
#include "kernels/part.h"

namespace cairn::kernels {

/// Arithmetic wraps around. Values are part of the file format; append only.
enum class IntegerOp : uint8_t {
  kAdd = 0,
  kSub = 1,
  kMul = 2,
  kDiv = 3,   ///< Truncates; by zero: Fault::kDivisionByZero.
  kMod = 4,   ///< Sign of the divisor, as Python; by zero: Fault::kDivisionByZero.
  kFmod = 5,  ///< Sign of the dividend, as C; by zero: Fault::kDivisionByZero.
  kMin = 6,
  kMax = 7,
  kPow = 8,  ///< A negative exponent gives 0 unless the base is 1 or -1.
  kAnd = 9,  ///< Bitwise.
  kOr = 10,
  kXor = 11,
  kShiftLeft = 12,   ///< By the type's width or more: 0.
  kShiftRight = 13,  ///< The sign is extended.
  kEqual = 14,       ///< Comparisons write one byte, 0 or 1.
  kNotEqual = 15,
  kLess = 16,
  kLessEqual = 17,
  kGreater = 18,
  kGreaterEqual = 19,
  kNeg = 20,  ///< Of a alone from here on.
  kAbs = 21,
  kSign = 22,
  kNot = 23,  ///< Bitwise.
};
inline bool IsComparison(IntegerOp op) {
  return op >= IntegerOp::kEqual && op <= IntegerOp::kGreaterEqual;
}

struct IntegerParams {
  IntegerOp op;
  ElementType type;  ///< Of a and b: i8 to u64, or bool for bitwise operations and comparisons.
  NdShape<3> shape;  ///< Operands dst, a, b; b's strides are ignored for unary operations.
};

struct IntegerBuffers {
  const void* a;
  const void* b;  ///< Unary operations: not used.
  void* dst;      ///< May be a or b where type and strides are the same.
};

inline size_t IntegerWorkspaceBytes(const IntegerParams&, int /*num_parts*/) { return 0; }
inline int IntegerPhases(const IntegerParams&) { return 1; }
bool SupportsInteger(ElementType type);
Fault RunInteger(const IntegerParams& params, const IntegerBuffers& buffers, int phase, Part part);

}  // namespace cairn::kernels
