// SPDX-License-Identifier: Apache-2.0
// Tensor literals of the graph's text form.
#pragma once

#include "ir/tensor.h"
#include "ir/text_cursor.h"

namespace cairn {

/// Reads `dense<...>`, `hex<"...">` or `random<seed>` for a tensor of static `type`. Literals that
/// repeat or generate values take their bytes from `budget_bytes`; beyond it they fail.
Result<Tensor> ReadTensorLiteral(TextCursor& cursor, const TensorType& type, int64_t& budget_bytes);

}  // namespace cairn
