// SPDX-License-Identifier: Apache-2.0
// Axes and element counts: normalising negative axes, products of symbolic dims, walking indices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/dim.h"
#include "base/status.h"
#include "ir/tensor.h"

namespace cairn {

/// `axis` in [-rank, rank) counted from the front; otherwise an error that names `what`.
Result<int64_t> NormalizeAxis(int64_t axis, int64_t rank, std::string_view what = "axis");
/// As above for a list without repetition, in the given order.
Result<std::vector<int64_t>> NormalizeAxes(std::span<const int64_t> axes, int64_t rank);

/// The product of dims [begin, end).
Dim ProductOf(const Dims& dims, size_t begin, size_t end);
inline Dim ProductOf(const Dims& dims) { return ProductOf(dims, 0, dims.size()); }
int64_t ProductOf(const Shape& shape, size_t begin, size_t end);

/// Steps `index` through `shape` in row-major order; false after the last one. An empty shape
/// (scalar) has one index; a shape with a zero has none, which the caller checks first.
bool NextIndex(const Shape& shape, Shape& index);

/// Strides that read a tensor of `shape` broadcast to `to` (0 along broadcast axes), in elements.
Shape BroadcastStrides(const Shape& shape, const Shape& to);

/// A known element that only stands for "unknown": it may have any sign. Elements derived from
/// dimensions are certain: their symbols are non-negative.
Dim UnknownElement(std::string symbol);
/// True when no unknown element takes part in `dim`.
bool IsCertain(const Dim& dim);

}  // namespace cairn
