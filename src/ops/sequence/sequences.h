// SPDX-License-Identifier: Apache-2.0
// What operators over sequences share.
#pragma once

#include "ops/op_def.h"

namespace cairn {

/// The type of an item taken out of a value of type `sequence`: dims that are no numbers are new
/// symbols, since items may differ in them.
TensorType ItemType(InferContext& in, const TensorType& sequence);

/// An error unless input `i` is a sequence.
Status RequireSequence(const InferContext& in, size_t i);
/// An error unless input `i` is absent or a tensor.
Status RequireTensor(const InferContext& in, size_t i);

}  // namespace cairn
