// SPDX-License-Identifier: Apache-2.0
// ONNX tensors, element types and value types in our terms.
#include "frontend/onnx/tensor_import.h"

#include <cctype>
#include <cstring>
#include <utility>

namespace cairn::onnx {
namespace {

/// Index: the data type number of the standard.
constexpr ElementType kElementTypes[] = {
    ElementType::kUndefined,  ElementType::kF32,    ElementType::kU8,
    ElementType::kI8,         ElementType::kU16,    ElementType::kI16,
    ElementType::kI32,        ElementType::kI64,    ElementType::kString,
    ElementType::kBool,       ElementType::kF16,    ElementType::kF64,
    ElementType::kU32,        ElementType::kU64,    ElementType::kC64,
    ElementType::kC128,       ElementType::kBf16,   ElementType::kF8E4M3FN,
    ElementType::kF8E4M3FNUZ, ElementType::kF8E5M2, ElementType::kF8E5M2FNUZ,
    ElementType::kU4,         ElementType::kI4,     ElementType::kF4E2M1,
    ElementType::kF8E8M0,     ElementType::kU2,     ElementType::kI2,
};

Status WrongCount(std::string_view field, int64_t found, int64_t expected) {
  return Status(Code::kInvalidModel,
                StrCat("'", field, "' has ", found, " values, expected ", expected));
}

/// Copies a repeated field of `count` values of the storage type T.
template <class T, class Field>
Status CopyField(std::string_view name, const Field& field, int64_t count, Tensor& tensor) {
  if (field.size() != count) return WrongCount(name, field.size(), count);
  for (int64_t i = 0; i < count; ++i) {
    tensor.mutable_data<T>()[i] = static_cast<T>(field.Get(static_cast<int>(i)));
  }
  return OkStatus();
}

/// Complex numbers are stored as pairs.
template <class T, class Field>
Status CopyPairs(std::string_view name, const Field& field, int64_t count, Tensor& tensor) {
  if (field.size() != 2 * count) return WrongCount(name, field.size(), 2 * count);
  for (int64_t i = 0; i < 2 * count; ++i) {
    tensor.mutable_data<T>()[i] = field.Get(static_cast<int>(i));
  }
  return OkStatus();
}

/// Sub-byte types keep one packed byte per value of int32_data.
Status CopyPacked(const TensorProto& proto, Tensor& tensor) {
  const auto bytes = static_cast<int64_t>(tensor.num_bytes());
  if (proto.int32_data_size() != bytes) {
    return WrongCount("int32_data", proto.int32_data_size(), bytes);
  }
  for (int64_t i = 0; i < bytes; ++i) {
    tensor.mutable_bytes()[i] = static_cast<std::byte>(proto.int32_data(static_cast<int>(i)));
  }
  return OkStatus();
}

Status CopyTypedFields(const TensorProto& proto, Tensor& tensor) {
  const int64_t count = tensor.num_elements();
  if (ElementBits(tensor.dtype()) < 8) return CopyPacked(proto, tensor);
  switch (tensor.dtype()) {
    case ElementType::kF32:
      return CopyField<float>("float_data", proto.float_data(), count, tensor);
    case ElementType::kF64:
      return CopyField<double>("double_data", proto.double_data(), count, tensor);
    case ElementType::kI64:
      return CopyField<int64_t>("int64_data", proto.int64_data(), count, tensor);
    case ElementType::kU64:
      return CopyField<uint64_t>("uint64_data", proto.uint64_data(), count, tensor);
    case ElementType::kU32:
      return CopyField<uint32_t>("uint64_data", proto.uint64_data(), count, tensor);
    case ElementType::kI32:
      return CopyField<int32_t>("int32_data", proto.int32_data(), count, tensor);
    case ElementType::kC64:
      return CopyPairs<float>("float_data", proto.float_data(), count, tensor);
    case ElementType::kC128:
      return CopyPairs<double>("double_data", proto.double_data(), count, tensor);
    default:
      break;
  }
  return ElementBits(tensor.dtype()) == 16
             ? CopyField<uint16_t>("int32_data", proto.int32_data(), count, tensor)
             : CopyField<uint8_t>("int32_data", proto.int32_data(), count, tensor);
}

Result<Tensor> ImportStrings(const TensorProto& proto, Shape shape, int64_t count) {
  if (proto.string_data_size() != count) {
    return WrongCount("string_data", proto.string_data_size(), count);
  }
  ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(ElementType::kString, std::move(shape)));
  for (int64_t i = 0; i < count; ++i) {
    tensor.mutable_strings()[static_cast<size_t>(i)] = proto.string_data(static_cast<int>(i));
  }
  return tensor;
}

Result<Tensor> ImportRaw(TensorProto& proto, ElementType dtype, Shape shape, int64_t count) {
  const size_t expected = ElementBytes(dtype, static_cast<size_t>(count));
  if (proto.raw_data().size() != expected) {
    return Status(Code::kInvalidModel,
                  StrCat("'raw_data' has ", proto.raw_data().size(), " bytes, ", dtype,
                         ShapeToString(shape), " needs ", expected));
  }
  auto bytes = std::make_shared<const std::string>(std::move(*proto.mutable_raw_data()));
  const std::span<const std::byte> view = std::as_bytes(std::span(bytes->data(), bytes->size()));
  return Tensor::Wrap(dtype, std::move(shape), std::move(bytes), view);
}

}  // namespace

Result<ElementType> ImportElementType(int32_t data_type) {
  constexpr auto kCount = static_cast<int32_t>(std::size(kElementTypes));
  if (data_type > 0 && data_type < kCount) return kElementTypes[data_type];
  if (data_type == 0) return Status(Code::kInvalidModel, "the element type is undefined");
  return Status(Code::kUnsupported, StrCat("element type number ", data_type,
                                           " is unknown (known are 1 to ", kCount - 1, ")"));
}

int32_t ExportElementType(ElementType type) {
  for (size_t i = 0; i < std::size(kElementTypes); ++i) {
    if (kElementTypes[i] == type) return static_cast<int32_t>(i);
  }
  return 0;
}

Result<Tensor> ImportTensor(TensorProto& proto, ExternalData& external) {
  ASSIGN_OR_RETURN(const ElementType dtype, ImportElementType(proto.data_type()));
  Shape shape(proto.dims().begin(), proto.dims().end());
  ASSIGN_OR_RETURN(const int64_t count, NumElements(shape));
  constexpr int64_t kMaxBytes = int64_t{1} << 46;
  if (count > kMaxBytes / 16) {
    return Status(Code::kInvalidModel, StrCat("shape ", ShapeToString(shape), " is too large"));
  }
  if (proto.data_location() == 1) return external.Read(proto, dtype, std::move(shape));
  if (dtype == ElementType::kString) return ImportStrings(proto, std::move(shape), count);
  if (proto.has_raw_data()) return ImportRaw(proto, dtype, std::move(shape), count);
  const int64_t given = proto.float_data_size() + proto.int32_data_size() +
                        proto.int64_data_size() + proto.double_data_size() +
                        proto.uint64_data_size();
  // Before allocating: a short file must not ask for much memory.
  if (count > 0 && given < count / 8) return WrongCount("data", given, count);
  ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(dtype, std::move(shape)));
  RETURN_IF_ERROR(CopyTypedFields(proto, tensor));
  return tensor;
}

Result<Tensor> ImportSparseTensor(SparseTensorProto& proto, ExternalData& external) {
  ASSIGN_OR_RETURN(const Tensor values, ImportTensor(*proto.mutable_values(), external));
  ASSIGN_OR_RETURN(const Tensor indices, ImportTensor(*proto.mutable_indices(), external));
  const Shape shape(proto.dims().begin(), proto.dims().end());
  ASSIGN_OR_RETURN(const int64_t count, NumElements(shape));
  constexpr int64_t kMaxDense = int64_t{1} << 31;
  if (count > kMaxDense) {
    return Status(Code::kInvalidModel,
                  StrCat("sparse shape ", ShapeToString(shape), " is too large to be made dense"));
  }
  const int64_t nnz = values.num_elements();
  const auto rank = static_cast<int64_t>(shape.size());
  const bool linear = indices.rank() == 1;
  if (indices.dtype() != ElementType::kI64 || values.dtype() == ElementType::kString ||
      indices.num_elements() != (linear ? nnz : nnz * rank)) {
    return Status(Code::kInvalidModel,
                  StrCat("sparse tensor: indices ", indices.dtype(), ShapeToString(indices.shape()),
                         " do not fit ", nnz, " values of shape ", ShapeToString(shape)));
  }
  ASSIGN_OR_RETURN(Tensor dense, Tensor::Allocate(values.dtype(), shape));
  const Shape strides = RowMajorStrides(shape);
  for (int64_t i = 0; i < nnz; ++i) {
    int64_t position = linear ? indices.GetInt(i) : 0;
    bool inside = true;
    for (int64_t d = 0; !linear && d < rank; ++d) {
      const int64_t index = indices.GetInt(i * rank + d);
      inside = inside && index >= 0 && index < shape[static_cast<size_t>(d)];
      if (inside) position += index * strides[static_cast<size_t>(d)];
    }
    if (!inside || position < 0 || position >= count) {
      return Status(Code::kInvalidModel, StrCat("sparse tensor: index ", i,
                                                " lies outside of shape ", ShapeToString(shape)));
    }
    if (IsFloat(dense.dtype())) {
      dense.SetDouble(position, values.GetDouble(i));
    } else if (IsInteger(dense.dtype()) || dense.dtype() == ElementType::kBool) {
      dense.SetInt(position, values.GetInt(i));
    } else {
      const size_t bytes = static_cast<size_t>(ElementBits(dense.dtype())) / 8;
      std::memcpy(dense.mutable_bytes() + static_cast<size_t>(position) * bytes,
                  values.bytes() + static_cast<size_t>(i) * bytes, bytes);
    }
  }
  return dense;
}

Dim ImportDimParam(std::string_view text) {
  if (auto dim = Dim::Parse(text); dim.ok() && !dim->overflowed()) {
    if (!dim->is_const() || dim->value() >= 0) return *dim;
  }
  std::string name;
  for (const char c : text) {
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ? c : '_';
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) || name[0] == '.') {
    name.insert(0, "_");
  }
  return Dim::Symbol(std::move(name));
}

namespace {

/// Names that exporters write for "unknown": equal ones do not mean equal dims.
bool IsAnonymous(std::string_view dim_param) {
  return dim_param.empty() || dim_param == "?" || dim_param == "-1" || dim_param == "None" ||
         dim_param == "unk";
}

}  // namespace

Result<TensorType> ImportType(const TypeProto& proto, std::string_view name) {
  switch (proto.value_case()) {
    case TypeProto::kTensorType:
      break;
    case TypeProto::kSequenceType:
    case TypeProto::kOptionalType: {
      const bool sequence = proto.value_case() == TypeProto::kSequenceType;
      const auto& nested = sequence ? proto.sequence_type() : proto.optional_type();
      ASSIGN_OR_RETURN(TensorType element, ImportType(nested.elem_type(), name));
      if (IsOptionalKind(element.kind) || (sequence && element.kind != ValueKind::kTensor)) {
        return Status(Code::kUnsupported, "sequences of sequences are not supported");
      }
      element.kind = sequence ? ValueKind::kSequence : OptionalOf(element.kind);
      return element;
    }
    case TypeProto::kMapType:
      return Status(Code::kUnsupported, "map types are not supported");
    case TypeProto::kSparseTensorType:
      return Status(Code::kUnsupported, "sparse tensor types are not supported");
    case TypeProto::VALUE_NOT_SET:
      return Status(Code::kInvalidModel, "no type is given");
  }
  TensorType type;
  ASSIGN_OR_RETURN(type.dtype, ImportElementType(proto.tensor_type().elem_type()));
  if (!proto.tensor_type().has_shape()) return type;
  Dims dims;
  for (const auto& dim : proto.tensor_type().shape().dim()) {
    if (dim.has_dim_value() && dim.dim_value() >= 0) {
      dims.emplace_back(dim.dim_value());
    } else if (dim.has_dim_param() && !IsAnonymous(dim.dim_param())) {
      dims.push_back(ImportDimParam(dim.dim_param()));
    } else {
      dims.push_back(ImportDimParam(StrCat(name, ".", dims.size())));
    }
  }
  type.dims = std::move(dims);
  return type;
}

}  // namespace cairn::onnx
