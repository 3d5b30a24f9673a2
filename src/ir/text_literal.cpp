// SPDX-License-Identifier: Apache-2.0
// Tensor literals: listed, repeated, random, or raw bytes.
#include "ir/text_literal.h"

#include <cmath>
#include <numbers>

namespace cairn {
namespace {

/// One element as text gives it.
struct Element {
  TextNumber number;
  std::string text;  ///< For string tensors.
};

Result<Element> ReadElement(TextCursor& cursor, ElementType dtype) {
  Element element;
  if (dtype == ElementType::kString) {
    ASSIGN_OR_RETURN(element.text, cursor.ReadString());
  } else {
    ASSIGN_OR_RETURN(element.number, cursor.ReadNumber());
  }
  return element;
}

void Store(Tensor& tensor, int64_t i, const Element& element) {
  if (tensor.dtype() == ElementType::kString) {
    tensor.mutable_strings()[static_cast<size_t>(i)] = element.text;
  } else if (element.number.is_float || IsFloat(tensor.dtype())) {
    tensor.SetDouble(i, element.number.real);
  } else {
    tensor.SetInt(i, element.number.integer);
  }
}

/// Standard normal numbers from a 64-bit counter generator and the Box-Muller transform.
class NormalSource {
 public:
  explicit NormalSource(uint64_t seed) : state_(seed) {}
  double Next() {
    const double u = Uniform(), v = Uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

 private:
  double Uniform() {
    // splitmix64, the 53 high bits, never 0.
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (static_cast<double>(z >> 11) + 0.5) * 0x1p-53;
  }
  uint64_t state_;
};

/// Storage for values that the text does not list one by one.
Result<Tensor> AllocateWithin(const TextCursor& cursor, ElementType dtype, const Shape& shape,
                              int64_t& budget_bytes) {
  auto count = NumElements(shape);
  if (!count.ok()) return cursor.Fail(count.status().message());
  const int64_t bytes_each = dtype == ElementType::kString ? 64 : 16;
  if (*count > budget_bytes / bytes_each) return cursor.Fail("the constants are too large");
  budget_bytes -= *count * bytes_each;
  return Tensor::Allocate(dtype, shape);
}

Result<Tensor> ReadListed(TextCursor& cursor, ElementType dtype, const Shape& shape) {
  std::vector<Element> elements;
  while (!cursor.Take("]")) {
    if (!elements.empty()) RETURN_IF_ERROR(cursor.Expect(","));
    ASSIGN_OR_RETURN(Element element, ReadElement(cursor, dtype));
    elements.push_back(std::move(element));
  }
  const auto count = NumElements(shape);
  if (!count.ok()) return cursor.Fail(count.status().message());
  if (*count != static_cast<int64_t>(elements.size())) {
    return cursor.Fail(StrCat("shape ", ShapeToString(shape), " needs ", *count,
                              " elements, found ", elements.size()));
  }
  ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(dtype, shape));
  for (size_t i = 0; i < elements.size(); ++i) {
    Store(tensor, static_cast<int64_t>(i), elements[i]);
  }
  return tensor;
}

Result<Tensor> ReadDense(TextCursor& cursor, ElementType dtype, const Shape& shape,
                         int64_t& budget_bytes) {
  if (cursor.Take("...")) return cursor.Fail("the elements of this constant were left out");
  if (dtype == ElementType::kC64 || dtype == ElementType::kC128) {
    return cursor.Fail("complex constants are written as hex<\"...\">");
  }
  if (cursor.Take("[")) return ReadListed(cursor, dtype, shape);
  ASSIGN_OR_RETURN(const Element element, ReadElement(cursor, dtype));
  ASSIGN_OR_RETURN(Tensor tensor, AllocateWithin(cursor, dtype, shape, budget_bytes));
  for (int64_t i = 0; i < tensor.num_elements(); ++i) Store(tensor, i, element);
  return tensor;
}

Result<Tensor> ReadRandom(TextCursor& cursor, ElementType dtype, const Shape& shape,
                          int64_t& budget_bytes) {
  ASSIGN_OR_RETURN(const int64_t seed, cursor.ReadInt());
  if (!IsFloat(dtype) && !IsInteger(dtype)) return cursor.Fail("random<> is for numbers");
  ASSIGN_OR_RETURN(Tensor tensor, AllocateWithin(cursor, dtype, shape, budget_bytes));
  NormalSource source(static_cast<uint64_t>(seed));
  for (int64_t i = 0; i < tensor.num_elements(); ++i) tensor.SetDouble(i, source.Next());
  return tensor;
}

Result<Tensor> ReadHex(TextCursor& cursor, ElementType dtype, const Shape& shape) {
  ASSIGN_OR_RETURN(const std::string digits, cursor.ReadString());
  const auto count = NumElements(shape);
  if (!count.ok()) return cursor.Fail(count.status().message());
  const bool sized =
      *count <= static_cast<int64_t>(digits.size()) * 4 && dtype != ElementType::kString;
  if (!sized || ElementBytes(dtype, static_cast<size_t>(*count)) * 2 != digits.size()) {
    return cursor.Fail("the hex digits do not fill the tensor");
  }
  ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(dtype, shape));
  for (size_t i = 0; i < digits.size(); ++i) {
    const char c = digits[i];
    const bool letter = c >= 'a' && c <= 'f';
    if (!letter && !(c >= '0' && c <= '9')) return cursor.Fail("not a hex digit");
    const int digit = letter ? c - 'a' + 10 : c - '0';
    tensor.mutable_bytes()[i / 2] |= static_cast<std::byte>(i % 2 ? digit : digit << 4);
  }
  return tensor;
}

}  // namespace

Result<Tensor> ReadTensorLiteral(TextCursor& cursor, const TensorType& type,
                                 int64_t& budget_bytes) {
  if (!type.is_static() || type.kind != ValueKind::kTensor ||
      type.dtype == ElementType::kUndefined) {
    return cursor.Fail("a constant needs an element type and numbers as shape");
  }
  const Shape shape = *ConstDims(*type.dims);
  Result<Tensor> tensor = Status(Code::kInternal, "unread");
  if (cursor.Take("dense")) {
    RETURN_IF_ERROR(cursor.Expect("<"));
    tensor = ReadDense(cursor, type.dtype, shape, budget_bytes);
  } else if (cursor.Take("random")) {
    RETURN_IF_ERROR(cursor.Expect("<"));
    tensor = ReadRandom(cursor, type.dtype, shape, budget_bytes);
  } else if (cursor.Take("hex")) {
    RETURN_IF_ERROR(cursor.Expect("<"));
    tensor = ReadHex(cursor, type.dtype, shape);
  } else {
    return cursor.Fail("expected dense<, random< or hex<");
  }
  if (tensor.ok()) RETURN_IF_ERROR(cursor.Expect(">"));
  return tensor;
}

}  // namespace cairn
