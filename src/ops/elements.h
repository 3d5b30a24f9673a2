// SPDX-License-Identifier: Apache-2.0
// Copies of elements of any type, and whole tensors as vectors of double or int64.
#pragma once

#include <vector>

#include "base/status.h"
#include "ir/tensor.h"
#include "ops/op_def.h"

namespace cairn {

/// Copies element `from` of `src` to element `to` of `dst`; both have the same element type, any of
/// the standard's, strings and sub-byte types too.
void CopyElement(const Tensor& src, int64_t from, Tensor& dst, int64_t to);

std::vector<double> ToDoubles(const Tensor& tensor);
std::vector<int64_t> ToInts(const Tensor& tensor);
/// Stores with one rounding per element.
void StoreDoubles(const std::vector<double>& values, Tensor& tensor);
void StoreInts(const std::vector<int64_t>& values, Tensor& tensor);

/// Floats are computed in double; integers and bool in 64 bits.
inline bool ComputesInDouble(ElementType type) { return IsFloat(type); }

/// True for types with arithmetic: not string, not complex.
inline bool IsNumeric(ElementType type) {
  return IsFloat(type) || IsInteger(type) || type == ElementType::kBool;
}

/// An error unless the two present inputs have the same element type (unknown types pass).
Status RequireSameDtype(const InferContext& in, size_t a, size_t b);
/// An error unless input `i` is a float (unknown passes).
Status RequireFloat(const InferContext& in, size_t i);
/// An error unless input `i` is i32 or i64 (unknown passes).
Status RequireIndexType(const InferContext& in, size_t i);
/// An error unless input `i` is bool (unknown passes).
Status RequireBool(const InferContext& in, size_t i);
/// An error unless the rank of present input `i` is `rank` (unknown passes).
Status RequireRank(const InferContext& in, size_t i, int64_t rank);

}  // namespace cairn
