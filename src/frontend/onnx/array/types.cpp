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

/// Before operator set 6 types had names: those of the enumeration in ONNX's message definition.
Result<ElementType> TypeByName(const std::string& name) {
  static const std::pair<const char*, ElementType> kNames[] = {
      {"FLOAT", ElementType::kF32},   {"UINT8", ElementType::kU8},   {"INT8", ElementType::kI8},
      {"UINT16", ElementType::kU16},  {"INT16", ElementType::kI16},  {"INT32", ElementType::kI32},
      {"INT64", ElementType::kI64},   {"STRING", ElementType::kString},
      {"BOOL", ElementType::kBool},   {"FLOAT16", ElementType::kF16}, {"DOUBLE", ElementType::kF64},
      {"UINT32", ElementType::kU32},  {"UINT64", ElementType::kU64}};
  for (const auto& [known, type] : kNames) {
    if (name == known) return type;
  }
  return Status(Code::kInvalidModel, StrCat("'to' is '", name, "', which is no element type"));
}

}  // namespace

Status ConvertCast(NodeImport& node) {
  if (node.opset() < 6) {
    ASSIGN_OR_RETURN(const std::string name, node.String("to", ""));
    ASSIGN_OR_RETURN(const ElementType dtype, TypeByName(name));
    node.attributes["to"] = TensorType(dtype);
    return node.PassThrough();
  }
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
