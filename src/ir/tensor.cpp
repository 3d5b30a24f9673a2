// SPDX-License-Identifier: Apache-2.0
// Tensor storage and element access.
#include "ir/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "base/half.h"
#include "ir/small_float.h"

namespace cairn {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 62;
constexpr size_t kAlignment = 64;

/// Field of `bits` bits number `index` of a packed array.
uint8_t GetPacked(const std::byte* data, int64_t index, int bits) {
  const int64_t position = index * bits;
  const auto byte = std::to_integer<unsigned>(data[position / 8]);
  return static_cast<uint8_t>((byte >> (position % 8)) & ((1u << bits) - 1));
}

void SetPacked(std::byte* data, int64_t index, int bits, unsigned code) {
  const int64_t position = index * bits;
  const int shift = static_cast<int>(position % 8);
  const unsigned mask = ((1u << bits) - 1) << shift;
  auto byte = std::to_integer<unsigned>(data[position / 8]);
  byte = (byte & ~mask) | ((code << shift) & mask);
  data[position / 8] = static_cast<std::byte>(byte);
}

/// Rounds to nearest even and saturates to T's range; NaN gives 0.
template <class T>
T SaturateTo(double value) {
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  // 2^digits is exact in double and one above the largest T.
  const double limit = std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (rounded >= limit) return std::numeric_limits<T>::max();
  if (rounded <= static_cast<double>(std::numeric_limits<T>::min())) {
    return std::numeric_limits<T>::min();
  }
  return static_cast<T>(rounded);
}

int64_t SaturateBits(double value, int bits, bool is_signed) {
  const int64_t low = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
  const int64_t high = is_signed ? (int64_t{1} << (bits - 1)) - 1 : (int64_t{1} << bits) - 1;
  const auto rounded = SaturateTo<int64_t>(value);
  return rounded < low ? low : rounded > high ? high : rounded;
}

}  // namespace

Result<int64_t> NumElements(std::span<const int64_t> shape) {
  int64_t count = 1;
  bool zero = false;
  for (int64_t dim : shape) {
    if (dim < 0) {
      return Status(Code::kInvalidArgument,
                    StrCat("shape ", ShapeToString(shape), " has a negative dimension"));
    }
    if (dim == 0) {
      zero = true;
    } else if (__builtin_mul_overflow(count, dim, &count) || count > kMaxElements) {
      return Status(Code::kInvalidArgument,
                    StrCat("shape ", ShapeToString(shape), " has too many elements"));
    }
  }
  return zero ? 0 : count;
}

std::string ShapeToString(std::span<const int64_t> shape) {
  return StrCat("[", StrJoin(shape), "]");
}

Shape RowMajorStrides(std::span<const int64_t> shape) {
  Shape strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

Result<Tensor> Tensor::Allocate(ElementType dtype, Shape shape) {
  ASSIGN_OR_RETURN(const int64_t count, NumElements(shape));
  Tensor tensor;
  tensor.dtype_ = dtype;
  tensor.shape_ = std::move(shape);
  tensor.num_elements_ = count;
  if (dtype == ElementType::kString) {
    tensor.strings_ = std::make_shared<std::vector<std::string>>(static_cast<size_t>(count));
    return tensor;
  }
  if (count > (kMaxElements / 16)) {
    return Status(Code::kOutOfMemory,
                  StrCat("a tensor of shape ", ShapeToString(tensor.shape_), " is too large"));
  }
  tensor.num_bytes_ = ElementBytes(dtype, static_cast<size_t>(count));
  const size_t rounded = (tensor.num_bytes_ / kAlignment + 1) * kAlignment;
  void* memory = std::aligned_alloc(kAlignment, rounded);
  if (memory == nullptr) {
    return Status(Code::kOutOfMemory, StrCat("no memory for a tensor of ", rounded, " bytes"));
  }
  std::memset(memory, 0, rounded);
  tensor.owner_ = std::shared_ptr<const void>(memory, [](const void* p) {
    std::free(const_cast<void*>(p));
  });
  tensor.data_ = static_cast<const std::byte*>(memory);
  return tensor;
}

Tensor Tensor::Wrap(ElementType dtype, Shape shape, std::shared_ptr<const void> owner,
                    std::span<const std::byte> bytes) {
  auto count = NumElements(shape);
  CAIRN_CHECK(count.ok() && ElementBytes(dtype, static_cast<size_t>(*count)) <= bytes.size(),
              "the bytes do not hold the tensor");
  Tensor tensor;
  tensor.dtype_ = dtype;
  tensor.shape_ = std::move(shape);
  tensor.num_elements_ = *count;
  tensor.num_bytes_ = ElementBytes(dtype, static_cast<size_t>(*count));
  tensor.owner_ = std::move(owner);
  tensor.data_ = bytes.data();
  return tensor;
}

Tensor Tensor::WrapMutable(ElementType dtype, Shape shape, std::span<std::byte> bytes) {
  return Wrap(dtype, std::move(shape), nullptr, bytes);
}

Tensor Tensor::Sequence(ElementType dtype, std::vector<Tensor> items) {
  Tensor sequence;
  sequence.dtype_ = dtype;
  sequence.kind_ = ValueKind::kSequence;
  sequence.items_ = std::make_shared<const std::vector<Tensor>>(std::move(items));
  return sequence;
}

Tensor Tensor::Optional(Tensor value) {
  Tensor optional = Nothing(TensorType(value.dtype()).As(OptionalOf(value.kind())));
  optional.items_ = std::make_shared<const std::vector<Tensor>>(1, std::move(value));
  return optional;
}

Tensor Tensor::Nothing(const TensorType& type) {
  Tensor optional;
  optional.dtype_ = type.dtype;
  optional.kind_ = type.kind;
  optional.items_ = std::make_shared<const std::vector<Tensor>>();
  return optional;
}

std::string Tensor::TypeToString() const {
  if (is_tensor()) return StrCat(dtype_, ShapeToString(shape_));
  return StrCat(TensorType(dtype_).As(kind_).ToString(), " of ", items_->size());
}

Tensor Tensor::FromInts(const std::vector<int64_t>& values) {
  return FromValues<int64_t>(ElementType::kI64, {static_cast<int64_t>(values.size())}, values);
}

Tensor Tensor::ScalarInt(int64_t value) {
  return FromValues<int64_t>(ElementType::kI64, {}, std::span(&value, 1));
}

Tensor Tensor::ScalarF32(float value) {
  return FromValues<float>(ElementType::kF32, {}, std::span<const float>(&value, 1));
}

Tensor Tensor::Reshaped(Shape shape) const {
  auto count = NumElements(shape);
  CAIRN_CHECK(count.ok() && *count == num_elements_, "a reshape keeps the number of elements");
  Tensor tensor = *this;
  tensor.shape_ = std::move(shape);
  return tensor;
}

bool Tensor::Identical(const Tensor& other) const {
  if (dtype_ != other.dtype_ || shape_ != other.shape_ || kind_ != other.kind_) return false;
  if (!is_tensor()) {
    return std::equal(items_->begin(), items_->end(), other.items_->begin(), other.items_->end(),
                      [](const Tensor& a, const Tensor& b) { return a.Identical(b); });
  }
  if (dtype_ == ElementType::kString) return *strings_ == *other.strings_;
  return num_bytes_ == 0 || std::memcmp(data_, other.data_, num_bytes_) == 0;
}

double Tensor::GetDouble(int64_t i) const {
  switch (dtype_) {
    case ElementType::kF32: return data<float>()[i];
    case ElementType::kF64: return data<double>()[i];
    case ElementType::kF16: return F16ToF32(data<uint16_t>()[i]);
    case ElementType::kBf16: return Bf16ToF32(data<uint16_t>()[i]);
    case ElementType::kU64: return static_cast<double>(data<uint64_t>()[i]);
    case ElementType::kF8E4M3FN:
    case ElementType::kF8E4M3FNUZ:
    case ElementType::kF8E5M2:
    case ElementType::kF8E5M2FNUZ:
    case ElementType::kF8E8M0: return SmallFloatToDouble(dtype_, data<uint8_t>()[i]);
    case ElementType::kF4E2M1: return SmallFloatToDouble(dtype_, GetPacked(data_, i, 4));
    default: return static_cast<double>(GetInt(i));
  }
}

int64_t Tensor::GetInt(int64_t i) const {
  switch (dtype_) {
    case ElementType::kBool:
    case ElementType::kU8: return data<uint8_t>()[i];
    case ElementType::kI8: return data<int8_t>()[i];
    case ElementType::kU16: return data<uint16_t>()[i];
    case ElementType::kI16: return data<int16_t>()[i];
    case ElementType::kU32: return data<uint32_t>()[i];
    case ElementType::kI32: return data<int32_t>()[i];
    case ElementType::kU64: return static_cast<int64_t>(data<uint64_t>()[i]);
    case ElementType::kI64: return data<int64_t>()[i];
    case ElementType::kU4: return GetPacked(data_, i, 4);
    case ElementType::kU2: return GetPacked(data_, i, 2);
    case ElementType::kI4: return static_cast<int8_t>(GetPacked(data_, i, 4) << 4) >> 4;
    case ElementType::kI2: return static_cast<int8_t>(GetPacked(data_, i, 2) << 6) >> 6;
    default: break;
  }
  CAIRN_CHECK(IsFloat(dtype_), "the element type has no integer value");
  return SaturateTo<int64_t>(std::trunc(GetDouble(i)));
}

void Tensor::SetDouble(int64_t i, double value) {
  switch (dtype_) {
    case ElementType::kF32: mutable_data<float>()[i] = static_cast<float>(value); return;
    case ElementType::kF64: mutable_data<double>()[i] = value; return;
    case ElementType::kF16: mutable_data<uint16_t>()[i] = F64ToF16(value); return;
    case ElementType::kBf16: mutable_data<uint16_t>()[i] = F64ToBf16(value); return;
    case ElementType::kU64: mutable_data<uint64_t>()[i] = SaturateTo<uint64_t>(value); return;
    case ElementType::kI64: mutable_data<int64_t>()[i] = SaturateTo<int64_t>(value); return;
    case ElementType::kBool: mutable_data<uint8_t>()[i] = value != 0; return;
    case ElementType::kF8E4M3FN:
    case ElementType::kF8E4M3FNUZ:
    case ElementType::kF8E5M2:
    case ElementType::kF8E5M2FNUZ:
    case ElementType::kF8E8M0:
      mutable_data<uint8_t>()[i] = DoubleToSmallFloat(dtype_, value);
      return;
    case ElementType::kF4E2M1:
      SetPacked(mutable_bytes(), i, 4, DoubleToSmallFloat(dtype_, value));
      return;
    default: break;
  }
  CAIRN_CHECK(IsInteger(dtype_), "the element type has no numeric value");
  SetInt(i, SaturateBits(value, ElementBits(dtype_), IsSignedInteger(dtype_)));
}

void Tensor::SetInt(int64_t i, int64_t value) {
  switch (dtype_) {
    case ElementType::kBool: mutable_data<uint8_t>()[i] = value != 0; return;
    case ElementType::kU8:
    case ElementType::kI8: mutable_data<uint8_t>()[i] = static_cast<uint8_t>(value); return;
    case ElementType::kU16:
    case ElementType::kI16: mutable_data<uint16_t>()[i] = static_cast<uint16_t>(value); return;
    case ElementType::kU32:
    case ElementType::kI32: mutable_data<uint32_t>()[i] = static_cast<uint32_t>(value); return;
    case ElementType::kU64:
    case ElementType::kI64: mutable_data<int64_t>()[i] = value; return;
    case ElementType::kU4:
    case ElementType::kI4: SetPacked(mutable_bytes(), i, 4, static_cast<unsigned>(value)); return;
    case ElementType::kU2:
    case ElementType::kI2: SetPacked(mutable_bytes(), i, 2, static_cast<unsigned>(value)); return;
    default: SetDouble(i, static_cast<double>(value)); return;
  }
}

}  // namespace cairn
