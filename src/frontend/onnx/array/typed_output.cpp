// SPDX-License-Identifier: Apache-2.0
// Operators whose output type is an attribute: random numbers, windows, empty sequences, BitCast.
#include "frontend/onnx/type_attribute.h"

namespace cairn::onnx {

Status ConvertTypedOutput(NodeImport& node) {
  for (const char* name : {"dtype", "output_datatype", "to"}) {
    if (node.Has(name)) RETURN_IF_ERROR(NumberToType(node, name));
  }
  return node.PassThrough();
}

}  // namespace cairn::onnx
