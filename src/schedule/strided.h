// SPDX-License-Identifier: Apache-2.0
// Tensors as strided arrays: the physical index space of a layout and broadcast strides in it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "executable/program.h"

namespace cairn::schedule {

/// The index space in which a tensor is row-major: its dims, or [N, ceil(C/c0), spatial..., c0].
std::vector<int64_t> PhysicalDims(const ProgramTensor& tensor, int c0);

/// Strides in elements with which `operand` is read at each index of the physical space of `result`
/// under numpy broadcasting of the logical dims; nothing when dims or layouts do not allow it. In
/// the space of a blocked result an operand is blocked with the same rank and all channels, or
/// plain with one channel.
std::optional<std::vector<int64_t>> BroadcastStrides(const ProgramTensor& operand,
                                                     const ProgramTensor& result, int c0);

/// Merges neighbouring dims that all stride lists step through as one, and drops dims of 1, from
/// `first` on. `strides`: one list per operand, each as long as `dims`.
void CollapseStrided(std::vector<int64_t>& dims, std::vector<std::vector<int64_t>>& strides);

}  // namespace cairn::schedule
