// SPDX-License-Identifier: Apache-2.0
// Attribute and descriptor builders.
#include "modeldef/attributes.h"

namespace cairn::modeldef {
namespace {

using List = ge::AttrDef::ListValue;

// Public format numbers: 0 NCHW, 2 ND.
struct Format {
  const char* name;
  int64_t number;
};

Format FormatOf(const TensorType& type) {
  return type.has_rank() && type.rank() == 4 ? Format{"NCHW", 0} : Format{"ND", 2};
}

}  // namespace

void SetInt(AttrMap& attributes, const std::string& name, int64_t value) {
  attributes[name].set_i(value);
}

void SetBool(AttrMap& attributes, const std::string& name, bool value) {
  attributes[name].set_b(value);
}

void SetText(AttrMap& attributes, const std::string& name, std::string_view value) {
  attributes[name].set_s(std::string(value));
}

void SetInts(AttrMap& attributes, const std::string& name, const std::vector<int64_t>& values) {
  List& list = *attributes[name].mutable_list();
  list.mutable_i()->Assign(values.begin(), values.end());
  list.set_val_type(List::VT_LIST_INT);
}

void SetTexts(AttrMap& attributes, const std::string& name,
              const std::vector<std::string>& values) {
  List& list = *attributes[name].mutable_list();
  list.mutable_s()->Assign(values.begin(), values.end());
  list.set_val_type(List::VT_LIST_STRING);
}

ge::DataType ProtoDataType(ElementType dtype) {
  switch (dtype) {
    case ElementType::kF32:
      return ge::DT_FLOAT;
    case ElementType::kF16:
      return ge::DT_FLOAT16;
    case ElementType::kBf16:
      return ge::DT_BF16;
    case ElementType::kF64:
      return ge::DT_DOUBLE;
    case ElementType::kI8:
      return ge::DT_INT8;
    case ElementType::kU8:
      return ge::DT_UINT8;
    case ElementType::kI16:
      return ge::DT_INT16;
    case ElementType::kU16:
      return ge::DT_UINT16;
    case ElementType::kI32:
      return ge::DT_INT32;
    case ElementType::kU32:
      return ge::DT_UINT32;
    case ElementType::kI64:
      return ge::DT_INT64;
    case ElementType::kU64:
      return ge::DT_UINT64;
    case ElementType::kBool:
      return ge::DT_BOOL;
    case ElementType::kString:
      return ge::DT_STRING;
    case ElementType::kC64:
      return ge::DT_COMPLEX64;
    case ElementType::kC128:
      return ge::DT_COMPLEX128;
    case ElementType::kI4:
      return ge::DT_INT4;
    case ElementType::kF8E5M2:
      return ge::DT_FLOAT8_E5M2;
    case ElementType::kF8E4M3FN:
      return ge::DT_FLOAT8_E4M3FN;
    default:
      return ge::DT_UNDEFINED;
  }
}

std::vector<int64_t> DimsOf(const TensorType& type) {
  std::vector<int64_t> dims;
  if (!type.has_rank()) return dims;
  for (const Dim& dim : *type.dims) dims.push_back(dim.is_const() ? dim.value() : -1);
  return dims;
}

void FillDescriptor(const std::string& name, const TensorType& type, ge::TensorDescriptor& out) {
  const std::vector<int64_t> dims = DimsOf(type);
  const Format format = FormatOf(type);
  out.set_name(name);
  out.set_dtype(ProtoDataType(type.dtype));
  out.mutable_shape()->mutable_dim()->Assign(dims.begin(), dims.end());
  out.set_layout(format.name);
  out.set_device_type("CPU");
  out.set_real_dim_cnt(static_cast<int64_t>(dims.size()));
  if (const auto count = NumElements(dims); type.is_static() && count.ok()) {
    out.set_size(static_cast<int64_t>(ElementBytes(type.dtype, static_cast<size_t>(*count))));
  }
  AttrMap& attributes = *out.mutable_attr();
  SetInt(attributes, "format_for_int", format.number);
  SetText(attributes, "origin_format", format.name);
  SetInt(attributes, "origin_format_for_int", format.number);
  SetInts(attributes, "origin_shape", dims);
  SetBool(attributes, "origin_shape_initialized", type.has_rank());
}

void FillTensor(const Tensor& tensor, ge::TensorDef& out) {
  TensorType type(tensor.dtype(), Dims(tensor.shape().begin(), tensor.shape().end()));
  FillDescriptor("", type, *out.mutable_desc());
  if (tensor.dtype() == ElementType::kString) return;
  out.set_data(tensor.bytes(), tensor.num_bytes());
  out.mutable_desc()->set_weight_size(static_cast<int64_t>(tensor.num_bytes()));
}

}  // namespace cairn::modeldef
