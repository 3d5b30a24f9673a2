// SPDX-License-Identifier: Apache-2.0
// Attributes that name an element type by its number.
#pragma once

#include <string>

#include "frontend/onnx/node_import.h"

namespace cairn::onnx {

/// Turns the number in attribute `name` into a type attribute; drops it when it is 0, which stands
/// for none. Nothing when the attribute is absent.
Status NumberToType(NodeImport& node, const std::string& name);

}  // namespace cairn::onnx
