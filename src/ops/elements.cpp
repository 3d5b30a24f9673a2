// SPDX-License-Identifier: Apache-2.0
// Copies of elements of any type, and checks of operand types.
#include "ops/elements.h"

#include <cstring>

namespace cairn {
namespace {

Status WrongDtype(const InferContext& in, size_t i, std::string_view expected) {
  return Status(Code::kInvalidModel, StrCat("input ", i, " ('", in.node().input(i)->name(),
                                            "') is ", in.type(i).dtype, ", expected ", expected));
}

bool Known(const InferContext& in, size_t i) {
  return in.has_input(i) && in.type(i).dtype != ElementType::kUndefined;
}

}  // namespace

void CopyElement(const Tensor& src, int64_t from, Tensor& dst, int64_t to) {
  if (src.dtype() == ElementType::kString) {
    dst.mutable_strings()[static_cast<size_t>(to)] = src.strings()[static_cast<size_t>(from)];
    return;
  }
  const int bits = ElementBits(src.dtype());
  if (bits < 8) {
    if (src.dtype() == ElementType::kF4E2M1) {
      dst.SetDouble(to, src.GetDouble(from));
    } else {
      dst.SetInt(to, src.GetInt(from));
    }
    return;
  }
  const auto size = static_cast<size_t>(bits / 8);
  std::memcpy(dst.mutable_bytes() + static_cast<size_t>(to) * size,
              src.bytes() + static_cast<size_t>(from) * size, size);
}

std::vector<double> ToDoubles(const Tensor& tensor) {
  std::vector<double> values(static_cast<size_t>(tensor.num_elements()));
  for (size_t i = 0; i < values.size(); ++i) values[i] = tensor.GetDouble(static_cast<int64_t>(i));
  return values;
}

std::vector<int64_t> ToInts(const Tensor& tensor) {
  std::vector<int64_t> values(static_cast<size_t>(tensor.num_elements()));
  for (size_t i = 0; i < values.size(); ++i) values[i] = tensor.GetInt(static_cast<int64_t>(i));
  return values;
}

void StoreDoubles(const std::vector<double>& values, Tensor& tensor) {
  for (size_t i = 0; i < values.size(); ++i) tensor.SetDouble(static_cast<int64_t>(i), values[i]);
}

void StoreInts(const std::vector<int64_t>& values, Tensor& tensor) {
  for (size_t i = 0; i < values.size(); ++i) tensor.SetInt(static_cast<int64_t>(i), values[i]);
}

Status RequireSameDtype(const InferContext& in, size_t a, size_t b) {
  if (!Known(in, a) || !Known(in, b) || in.type(a).dtype == in.type(b).dtype) return OkStatus();
  return WrongDtype(in, b, StrCat(in.type(a).dtype, " as input ", a));
}

Status RequireFloat(const InferContext& in, size_t i) {
  if (!Known(in, i) || IsFloat(in.type(i).dtype)) return OkStatus();
  return WrongDtype(in, i, "a floating-point type");
}

Status RequireIndexType(const InferContext& in, size_t i) {
  if (!Known(in, i) || in.type(i).dtype == ElementType::kI64 ||
      in.type(i).dtype == ElementType::kI32) {
    return OkStatus();
  }
  return WrongDtype(in, i, "i32 or i64");
}

Status RequireBool(const InferContext& in, size_t i) {
  if (!Known(in, i) || in.type(i).dtype == ElementType::kBool) return OkStatus();
  return WrongDtype(in, i, "bool");
}

Status RequireRank(const InferContext& in, size_t i, int64_t rank) {
  if (!in.dims(i) || static_cast<int64_t>(in.dims(i)->size()) == rank) return OkStatus();
  return Status(Code::kInvalidModel,
                StrCat("input ", i, " ('", in.node().input(i)->name(), "') is ",
                       in.type(i).ToString(), ", expected rank ", rank));
}

}  // namespace cairn
