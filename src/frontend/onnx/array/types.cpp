// SPDX-License-Identifier: Apache-2.0
// Element types given as attribute numbers: Cast, CastLike, EyeLike; and renamed or reduced forms:
// Scatter, Range.
#include "frontend/onnx/node_import.h"
#include "frontend/onnx/tensor_import.h"

namespace cairn::onnx {
namespace {

/// Turns the type number in attribute `name`, when present, into a type attribute.
Status NumberToType(NodeImport& node, const std::string& name) {
  if (!node.Has(name)) return OkStatus();
  ASSIGN_OR_RETURN(const int64_t number, node.Int(name, 0));
  ASSIGN_OR_RETURN(const ElementType dtype, ImportElementType(static_cast<int32_t>(number)));
  node.attributes[name] = TensorType(dtype);
  return OkStatus();
}

}  // namespace

Status ConvertCast(NodeImport& node) {
  RETURN_IF_ERROR(NumberToType(node, "to"));
  return node.PassThrough();
}

Status ConvertCastLike(NodeImport& node) {
  const Value* like = node.input(1);
  if (!like || like->type().dtype == ElementType::kUndefined) {
    return Status(Code::kUnsupported, "the element type of the second input is not known");
  }
  node.attributes["to"] = TensorType(like->type().dtype);
  return node.Finish("Cast", {node.input(0)}, node.attributes);
}

Status ConvertEyeLike(NodeImport& node) {
  RETURN_IF_ERROR(NumberToType(node, "dtype"));
  return node.PassThrough();
}

Status ConvertScatter(NodeImport& node) {
  return node.Finish("ScatterElements", node.inputs(), node.attributes);
}

Status ConvertRange(NodeImport& node) {
  // The reference computes in double whatever stash_type says.
  node.attributes.erase("stash_type");
  return node.PassThrough();
}

}  // namespace cairn::onnx
