// SPDX-License-Identifier: Apache-2.0
// Attribute access of tasks, and the size rule of layouts.
#include "executable/program.h"

#include <algorithm>

namespace cairn {
namespace {

template <class T>
const T* Find(const TaskAttributes& attributes, std::string_view name) {
  auto it = attributes.find(name);
  return it == attributes.end() ? nullptr : std::get_if<T>(&it->second);
}

}  // namespace

int64_t Task::GetInt(std::string_view key, int64_t fallback) const {
  const auto* value = Find<int64_t>(attributes, key);
  return value ? *value : fallback;
}

double Task::GetDouble(std::string_view key, double fallback) const {
  const auto* value = Find<double>(attributes, key);
  return value ? *value : fallback;
}

std::string Task::GetString(std::string_view key, std::string_view fallback) const {
  const auto* value = Find<std::string>(attributes, key);
  return value ? *value : std::string(fallback);
}

std::vector<int64_t> Task::GetInts(std::string_view key) const {
  const auto* value = Find<std::vector<int64_t>>(attributes, key);
  return value ? *value : std::vector<int64_t>();
}

size_t Program::LargestGear() const {
  size_t largest = 0;
  double most = -1;
  for (size_t i = 0; i < gears.size(); ++i) {
    double product = 1;
    for (int64_t dim : gears[i].input_dims) product *= static_cast<double>(dim);
    if (product > most) largest = i;
    most = std::max(most, product);
  }
  return largest;
}

Result<uint64_t> StorageBytes(ElementType dtype, Layout layout, std::span<const int64_t> dims,
                              int c0) {
  const int bits = ElementBits(dtype);
  if (bits == 0) {
    return Status(Code::kInvalidArgument,
                  StrCat("element type ", dtype, " has no fixed size"));
  }
  if (layout == Layout::kPacked || (layout == Layout::kBlocked && dims.size() < 2)) {
    return Status(Code::kInvalidArgument, "the layout has no size rule for these dims");
  }
  uint64_t count = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0) return Status(Code::kInvalidArgument, "a dimension is negative");
    auto extent = static_cast<uint64_t>(dims[i]);
    if (layout == Layout::kBlocked && i == 1) {
      const auto block = static_cast<uint64_t>(c0);
      extent = (extent + block - 1) / block * block;
    }
    if (__builtin_mul_overflow(count, extent, &count) || count > (uint64_t{1} << 56)) {
      return Status(Code::kInvalidArgument, StrCat("a tensor of shape [", StrJoin(dims, ","),
                                                   "] has more than 2^56 elements"));
    }
  }
  return ElementBytes(dtype, count);
}

}  // namespace cairn
