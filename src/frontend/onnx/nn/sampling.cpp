// SPDX-License-Identifier: Apache-2.0
// GridSample, RoiAlign: names and defaults of older operator sets.
#include "frontend/onnx/node_import.h"

namespace cairn::onnx {

Status ConvertGridSample(NodeImport& node) {
  ASSIGN_OR_RETURN(std::string mode, node.String("mode", "linear"));
  if (mode == "bilinear") mode = "linear";
  if (mode == "bicubic") mode = "cubic";
  node.attributes["mode"] = mode;
  return node.PassThrough();
}

Status ConvertRoiAlign(NodeImport& node) {
  // Before operator set 16 regions were not shifted.
  if (node.opset() < 16) {
    node.attributes["coordinate_transformation_mode"] = std::string("output_half_pixel");
  }
  return node.PassThrough();
}

}  // namespace cairn::onnx
