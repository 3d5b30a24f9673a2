// SPDX-License-Identifier: Apache-2.0
// Operand checks.
#include "schedule/operands.h"

#include <algorithm>

namespace cairn::schedule {

Status CheckPresent(const BindContext& context, size_t num_inputs, size_t num_outputs) {
  if (context.num_inputs() != num_inputs) {
    return context.Invalid(
        StrCat("there are ", num_inputs, " inputs, found ", context.num_inputs()));
  }
  if (context.num_outputs() != num_outputs) {
    return context.Invalid(
        StrCat("there are ", num_outputs, " outputs, found ", context.num_outputs()));
  }
  for (size_t i = 0; i < num_inputs; ++i) {
    if (!context.has_input(i)) return context.Invalid(StrCat("input ", i, " is present"));
    if (!NotEmpty(context.input(i))) return context.Invalid(StrCat("input ", i, " is not empty"));
  }
  for (size_t i = 0; i < num_outputs; ++i) {
    if (!context.has_output(i)) return context.Invalid(StrCat("output ", i, " is present"));
    if (!NotEmpty(context.output(i))) return context.Invalid(StrCat("output ", i, " is not empty"));
  }
  return OkStatus();
}

Status CheckFormal(const BindContext& context, size_t num_inputs) {
  for (size_t i = 0; i < num_inputs; ++i) {
    if (!context.has_input(i)) return context.Invalid(StrCat("input ", i, " is present"));
    if (!NotEmpty(context.input(i))) return context.Invalid(StrCat("input ", i, " is not empty"));
  }
  if (context.num_outputs() != 1 || !context.has_output(0)) {
    return context.Invalid("there is one output");
  }
  if (!NotEmpty(context.output(0))) return context.Invalid("the output is not empty");
  return OkStatus();
}

int MostParts(const BindContext& context) {
  const uint32_t wanted = std::min<uint32_t>(context.task.max_parts, 1u << 16);
  return std::clamp(static_cast<int>(wanted), 1, std::max(context.num_threads, 1));
}

bool NotEmpty(const ProgramTensor& tensor) {
  return std::all_of(tensor.dims.begin(), tensor.dims.end(), [](int64_t dim) { return dim > 0; }) &&
         tensor.bytes > 0;
}

bool Is(const ProgramTensor& tensor, ElementType dtype, Layout layout) {
  return tensor.dtype == dtype && tensor.layout == layout;
}

int64_t NumElements(const ProgramTensor& tensor) {
  int64_t count = 1;
  for (int64_t dim : tensor.dims) count *= dim;
  return count;
}

bool ProductFits(std::initializer_list<int64_t> factors) {
  int64_t product = 1;
  for (int64_t factor : factors) {
    if (factor < 1 || __builtin_mul_overflow(product, factor, &product)) return false;
    if (product > int64_t{1} << 56) return false;
  }
  return true;
}

std::optional<int32_t> MovableBytes(ElementType dtype) {
  const int bits = ElementBits(dtype);
  if (bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128) return bits / 8;
  return std::nullopt;
}

std::optional<size_t> NormalAxis(int64_t axis, size_t rank) {
  const auto signed_rank = static_cast<int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) return std::nullopt;
  return static_cast<size_t>(axis < 0 ? axis + signed_rank : axis);
}

}  // namespace cairn::schedule
