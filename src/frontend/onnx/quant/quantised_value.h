// SPDX-License-Identifier: Apache-2.0
// Quantised operands of com.microsoft operators: a tensor, its scale and its zero point.
#pragma once

#include "frontend/onnx/node_import.h"

namespace cairn::onnx {

/// The real numbers of the operand in the inputs `first` (tensor), `first` + 1 (scale) and `first` +
/// 2 (zero point, may be absent).
Result<Value*> Dequantized(NodeImport& node, size_t first);

/// Emits the node's output: `value` quantised by the inputs `first` (scale) and `first` + 1 (zero
/// point, may be absent).
Status FinishQuantized(NodeImport& node, Value* value, size_t first);

}  // namespace cairn::onnx
