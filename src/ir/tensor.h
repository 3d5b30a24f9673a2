// SPDX-License-Identifier: Apache-2.0
// Tensor: a concrete multi-dimensional array of any element type, with shared storage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/element_type.h"
#include "base/status.h"
#include "ir/type.h"

namespace cairn {

using Shape = std::vector<int64_t>;  ///< Concrete dimensions, outermost first; empty = scalar.

/// The number of elements, or an error for a negative dimension or a product above 2^62.
Result<int64_t> NumElements(std::span<const int64_t> shape);
/// "[1,3,224,224]".
std::string ShapeToString(std::span<const int64_t> shape);
/// Row-major strides in elements.
Shape RowMajorStrides(std::span<const int64_t> shape);

/// Row-major, densely packed (sub-byte types: see ElementType). Copies share the storage; writing
/// through mutable_data() is for the creator, before the tensor is shared.
class Tensor {
 public:
  Tensor() = default;  ///< No tensor: dtype kUndefined, no storage.

  /// New storage, zero-filled (strings empty). Fails when the size overflows or memory is short.
  static Result<Tensor> Allocate(ElementType dtype, Shape shape);
  /// Refers to `bytes` owned by `owner` (for example a mapped file) without a copy.
  static Tensor Wrap(ElementType dtype, Shape shape, std::shared_ptr<const void> owner,
                     std::span<const std::byte> bytes);
  /// As Wrap without ownership: the caller guarantees the lifetime of writable `bytes`.
  static Tensor WrapMutable(ElementType dtype, Shape shape, std::span<std::byte> bytes);

  /// One-element or one-dimensional tensors from values.
  template <class T>
  static Tensor FromValues(ElementType dtype, Shape shape, std::span<const T> values);
  /// A sequence of tensors of `dtype` (type.h).
  static Tensor Sequence(ElementType dtype, std::vector<Tensor> items);
  /// An optional that holds `value`, a tensor or a sequence.
  static Tensor Optional(Tensor value);
  /// An optional of `type` that holds nothing.
  static Tensor Nothing(const TensorType& type);
  static Tensor FromInts(const std::vector<int64_t>& values);  ///< i64[values.size()].
  static Tensor ScalarInt(int64_t value);                      ///< i64[].
  static Tensor ScalarF32(float value);                        ///< f32[].

  bool defined() const { return dtype_ != ElementType::kUndefined || !is_tensor(); }
  /// Sequences and optionals travel where tensors do; they have items instead of elements.
  ValueKind kind() const { return kind_; }
  bool is_tensor() const { return kind_ == ValueKind::kTensor; }
  /// The tensors of a sequence; the one value of an optional, or none.
  const std::vector<Tensor>& items() const { return *items_; }
  /// "f32[2,3]", "seq(f32) of 2", "optional(f32) of 0".
  std::string TypeToString() const;
  ElementType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  int64_t rank() const { return static_cast<int64_t>(shape_.size()); }
  int64_t num_elements() const { return num_elements_; }
  size_t num_bytes() const { return num_bytes_; }

  const std::byte* bytes() const { return data_; }
  std::byte* mutable_bytes() { return const_cast<std::byte*>(data_); }
  /// T must be the storage type of dtype (uint16_t for f16 and bf16, bool as uint8_t).
  template <class T>
  const T* data() const { return reinterpret_cast<const T*>(data_); }
  template <class T>
  T* mutable_data() { return reinterpret_cast<T*>(mutable_bytes()); }
  const std::vector<std::string>& strings() const { return *strings_; }
  std::vector<std::string>& mutable_strings() { return *strings_; }

  /// The same storage under another shape of equal element count.
  Tensor Reshaped(Shape shape) const;
  /// Byte-wise equality of dtype, shape and contents (NaN equals the same NaN).
  bool Identical(const Tensor& other) const;

  /// Element `index` converted to double (float types), exactly to int64 (integers and bool).
  double GetDouble(int64_t index) const;
  int64_t GetInt(int64_t index) const;
  /// Stores with one rounding to dtype: floats to nearest even, integers saturate from double,
  /// SetInt wraps to the width as a conversion in C does; bool becomes 0 or 1.
  void SetDouble(int64_t index, double value);
  void SetInt(int64_t index, int64_t value);

 private:
  ElementType dtype_ = ElementType::kUndefined;
  Shape shape_;
  int64_t num_elements_ = 0;
  size_t num_bytes_ = 0;
  std::shared_ptr<const void> owner_;
  const std::byte* data_ = nullptr;
  std::shared_ptr<std::vector<std::string>> strings_;
  ValueKind kind_ = ValueKind::kTensor;
  std::shared_ptr<const std::vector<Tensor>> items_;  // Null for a tensor.
};

template <class T>
Tensor Tensor::FromValues(ElementType dtype, Shape shape, std::span<const T> values) {
  auto tensor = Allocate(dtype, std::move(shape));
  CAIRN_CHECK(tensor.ok() && tensor->num_bytes() == values.size_bytes(),
              "values do not fill the tensor");
  auto bytes = std::as_bytes(values);
  std::copy(bytes.begin(), bytes.end(), tensor->mutable_bytes());
  return *tensor;
}

}  // namespace cairn
