// SPDX-License-Identifier: Apache-2.0
// Resize and Upsample: asymmetric coordinates before operator set 11.
#include "frontend/onnx/op_registry.h"

namespace cairn::onnx {
namespace {

constexpr int64_t kWithCoordinateModes = 11;

/// Asymmetric resampling by `scales`. The nearest element is the one below where an axis grows,
/// the one above where it shrinks.
Status FinishAsymmetric(NodeImport& node, Value* scales) {
  ASSIGN_OR_RETURN(std::string mode, node.String("mode", "nearest"));
  if (mode == "bilinear" || mode == "trilinear") mode = "linear";
  std::string nearest = "floor";
  if (mode == "nearest" && node.op_type() == "Resize") {
    if (!scales->is_constant()) {
      return Status(Code::kUnsupported, "before operator set 11, 'scales' must be constant");
    }
    bool grows = false, shrinks = false;
    for (int64_t i = 0; i < scales->constant().num_elements(); ++i) {
      grows = grows || scales->constant().GetDouble(i) > 1;
      shrinks = shrinks || scales->constant().GetDouble(i) < 1;
    }
    if (grows && shrinks) {
      return Status(Code::kUnsupported,
                    "before operator set 11, one Resize cannot both grow and shrink axes");
    }
    if (shrinks) nearest = "ceil";
  }
  return node.Finish("Resize", {node.input(0), nullptr, scales},
                     {{"mode", mode},
                      {"coordinate_transformation_mode", std::string("asymmetric")},
                      {"nearest_mode", nearest}});
}

}  // namespace

Status ConvertResize(NodeImport& node) {
  if (node.opset() >= kWithCoordinateModes) return node.PassThrough();
  if (!node.input(1)) return Status(Code::kInvalidModel, "input 'scales' is missing");
  return FinishAsymmetric(node, node.input(1));
}

Status ConvertUpsample(NodeImport& node) {
  if (node.input(1)) return FinishAsymmetric(node, node.input(1));
  if (node.opset() < 7) {
    ASSIGN_OR_RETURN(const float height, node.Float("height_scale", 1));
    ASSIGN_OR_RETURN(const float width, node.Float("width_scale", 1));
    node.attributes.erase("height_scale");
    node.attributes.erase("width_scale");
    node.attributes["scales"] = Floats{1, 1, height, width};
  }
  const auto it = node.attributes.find("scales");
  const Floats* scales = it == node.attributes.end() ? nullptr : std::get_if<Floats>(&it->second);
  if (!scales) return Status(Code::kInvalidModel, "attribute 'scales' is missing");
  const auto count = static_cast<int64_t>(scales->size());
  return FinishAsymmetric(node, node.Constant(Tensor::FromValues<float>(
                                    ElementType::kF32, {count}, std::span<const float>(*scales))));
}

}  // namespace cairn::onnx
