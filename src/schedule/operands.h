// SPDX-License-Identifier: Apache-2.0
// Checks of a task's operands that all binders share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "schedule/kernel_binding.h"

namespace cairn::schedule {

/// There are exactly `num_inputs` inputs and `num_outputs` outputs, all present and not empty.
Status CheckPresent(const BindContext& context, size_t num_inputs, size_t num_outputs);

/// The first `num_inputs` inputs and the only output are present and not empty.
Status CheckFormal(const BindContext& context, size_t num_inputs);

/// Parts that a run of this task can have.
int MostParts(const BindContext& context);

/// The tensor has at least one element.
bool NotEmpty(const ProgramTensor& tensor);
bool Is(const ProgramTensor& tensor, ElementType dtype, Layout layout);
inline bool IsPlainF32(const ProgramTensor& tensor) {
  return Is(tensor, ElementType::kF32, Layout::kPlain);
}
/// Product of the dims; the reader has checked that it fits.
int64_t NumElements(const ProgramTensor& tensor);
/// True when the product of these positive numbers stays below 2^56, so that sizes derived from it
/// cannot overflow.
bool ProductFits(std::initializer_list<int64_t> factors);
/// A packed f32 constant with exactly this many floats.
inline bool IsPacked(const ProgramTensor& tensor, int64_t floats) {
  return Is(tensor, ElementType::kF32, Layout::kPacked) &&
         tensor.bytes == static_cast<uint64_t>(floats) * sizeof(float);
}
/// Bytes of one element when kernels can move it as a whole.
std::optional<int32_t> MovableBytes(ElementType dtype);
/// `axis` counted from the front when it is in [-rank, rank).
std::optional<size_t> NormalAxis(int64_t axis, size_t rank);

/// A task's scratch memory cut into 64-byte aligned pieces. The device's scratch is 64-byte
/// aligned.
inline size_t AlignScratch(size_t bytes) { return (bytes + 63) / 64 * 64; }

}  // namespace cairn::schedule
