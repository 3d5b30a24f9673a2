// SPDX-License-Identifier: Apache-2.0
// Loops of where, fill and range by element size.
#include "kernels/movement/select.h"

#include <cstring>
#include <type_traits>

namespace cairn::kernels {
namespace {

struct Bytes16 {
  uint64_t low, high;
};

template <class T>
void Where(const WhereParams& p, const WhereBuffers& buffers, Part part) {
  const int last = p.shape.rank - 1;
  std::array<int64_t, 4> step{};
  for (int k = 0; k < 4 && last >= 0; ++k) step[k] = p.shape.strides[k][last];
  const bool dense = step == std::array<int64_t, 4>{1, 1, 1, 1};
  ForEachRow(p.shape, part, [&](const std::array<int64_t, 4>& at, int64_t count) {
    T* dst = static_cast<T*>(buffers.dst) + at[0];
    const uint8_t* condition = buffers.condition + at[1];
    const T* a = static_cast<const T*>(buffers.a) + at[2];
    const T* b = static_cast<const T*>(buffers.b) + at[3];
    if (dense) {
      for (int64_t i = 0; i < count; ++i) dst[i] = condition[i] ? a[i] : b[i];
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      dst[i * step[0]] = condition[i * step[1]] ? a[i * step[2]] : b[i * step[3]];
    }
  });
}

template <class T>
void Fill(int64_t count, const void* value, void* dst, Part part) {
  const Range range = PartRange(count, 64, part);
  T element;
  std::memcpy(&element, value, sizeof(T));
  std::fill(static_cast<T*>(dst) + range.begin, static_cast<T*>(dst) + range.end, element);
}

template <class T>
void FillRange(int64_t count, const void* start, const void* delta, void* dst, Part part) {
  const Range range = PartRange(count, 64, part);
  T first, step;
  std::memcpy(&first, start, sizeof(T));
  std::memcpy(&step, delta, sizeof(T));
  for (int64_t i = range.begin; i < range.end; ++i) {
    if constexpr (std::is_integral_v<T>) {
      const uint64_t at =
          static_cast<uint64_t>(first) + static_cast<uint64_t>(i) * static_cast<uint64_t>(step);
      static_cast<T*>(dst)[i] = static_cast<T>(at);
    } else {
      static_cast<T*>(dst)[i] = first + static_cast<T>(i) * step;
    }
  }
}

}  // namespace

void RunWhere(const WhereParams& params, const WhereBuffers& buffers, int /*phase*/, Part part) {
  if (params.shape.Count() == 0) return;
  switch (params.element_bytes) {
    case 1:
      return Where<uint8_t>(params, buffers, part);
    case 2:
      return Where<uint16_t>(params, buffers, part);
    case 4:
      return Where<uint32_t>(params, buffers, part);
    case 8:
      return Where<uint64_t>(params, buffers, part);
    case 16:
      return Where<Bytes16>(params, buffers, part);
    default:
      return;
  }
}

void RunFill(const FillParams& params, const void* value, void* dst, Part part) {
  switch (params.element_bytes) {
    case 1:
      return Fill<uint8_t>(params.count, value, dst, part);
    case 2:
      return Fill<uint16_t>(params.count, value, dst, part);
    case 4:
      return Fill<uint32_t>(params.count, value, dst, part);
    case 8:
      return Fill<uint64_t>(params.count, value, dst, part);
    case 16:
      return Fill<Bytes16>(params.count, value, dst, part);
    default:
      return;
  }
}

void RunRange(const RangeParams& params, const void* start, const void* delta, void* dst,
              Part part) {
  switch (params.type) {
    case ElementType::kF32:
      return FillRange<float>(params.count, start, delta, dst, part);
    case ElementType::kF64:
      return FillRange<double>(params.count, start, delta, dst, part);
    case ElementType::kI16:
      return FillRange<int16_t>(params.count, start, delta, dst, part);
    case ElementType::kI32:
      return FillRange<int32_t>(params.count, start, delta, dst, part);
    case ElementType::kI64:
      return FillRange<int64_t>(params.count, start, delta, dst, part);
    default:
      return;
  }
}

}  // namespace cairn::kernels
