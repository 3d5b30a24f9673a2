// SPDX-License-Identifier: Apache-2.0
// Scatters: a shared copy of the data, then the updates in order on one thread.
#include <cmath>
#include <cstring>
#include <type_traits>

#include "kernels/movement/gather.h"
#include "kernels/movement/indices.h"

namespace cairn::kernels {
namespace {

void CopyData(const IndexedBuffers& b, int64_t bytes, Part part) {
  if (b.dst == b.data) return;
  const Range range = PartRange(bytes, 4096, part);
  if (range.size() <= 0) return;
  std::memcpy(static_cast<char*>(b.dst) + range.begin,
              static_cast<const char*>(b.data) + range.begin, range.size());
}

// Applies `count` consecutive updates.
using CombineFn = void (*)(void* dst, const void* updates, int64_t count);

template <class T, ScatterReduction kReduction>
T Reduce(T a, T b) {
  using R = ScatterReduction;
  if constexpr (std::is_integral_v<T>) {
    // Wraps around like the hardware.
    using U = std::make_unsigned_t<T>;
    if (kReduction == R::kAdd) return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    if (kReduction == R::kMul) return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
  } else {
    if (kReduction == R::kAdd) return a + b;
    if (kReduction == R::kMul) return a * b;
    if (a != a) return a;
  }
  if (kReduction == R::kMin) return b < a || b != b ? b : a;
  return b > a || b != b ? b : a;
}

template <class T, ScatterReduction kReduction>
void Combine(void* dst, const void* updates, int64_t count) {
  T* to = static_cast<T*>(dst);
  const T* from = static_cast<const T*>(updates);
  for (int64_t i = 0; i < count; ++i) to[i] = Reduce<T, kReduction>(to[i], from[i]);
}

template <class T>
CombineFn CombineOf(ScatterReduction reduction) {
  switch (reduction) {
    case ScatterReduction::kAdd:
      return Combine<T, ScatterReduction::kAdd>;
    case ScatterReduction::kMul:
      return Combine<T, ScatterReduction::kMul>;
    case ScatterReduction::kMin:
      return Combine<T, ScatterReduction::kMin>;
    case ScatterReduction::kMax:
      return Combine<T, ScatterReduction::kMax>;
    case ScatterReduction::kNone:
      return nullptr;
  }
  return nullptr;
}

CombineFn CombineOf(ElementType type, ScatterReduction reduction) {
  switch (type) {
    case ElementType::kF32:
      return CombineOf<float>(reduction);
    case ElementType::kF64:
      return CombineOf<double>(reduction);
    case ElementType::kI32:
      return CombineOf<int32_t>(reduction);
    case ElementType::kI64:
      return CombineOf<int64_t>(reduction);
    default:
      return nullptr;
  }
}

// Null `combine` overwrites.
void Apply(CombineFn combine, char* dst, const char* updates, int64_t count, int64_t bytes) {
  if (combine != nullptr) {
    combine(dst, updates, count);
  } else {
    std::memcpy(dst, updates, count * bytes);
  }
}

}  // namespace

bool SupportsScatter(ElementType type, ScatterReduction reduction) {
  if (reduction == ScatterReduction::kNone)
    return ElementBits(type) % 8 == 0 && ElementBits(type) > 0;
  return CombineOf(type, reduction) != nullptr;
}

Fault RunScatterNd(const ScatterNdParams& p, const IndexedBuffers& b, int phase, Part part) {
  const auto bytes = static_cast<int64_t>(ElementBytes(p.type, 1));
  int64_t slices = 1;
  for (int d = 0; d < p.depth; ++d) slices *= p.dims[d];
  if (phase == 0) {
    CopyData(b, p.batch * slices * p.slice * bytes, part);
    return Fault::kNone;
  }
  if (part.index != 0) return Fault::kNone;
  const IndexReader indices(b.indices, p.wide_indices);
  const CombineFn combine = CombineOf(p.type, p.reduction);
  const int64_t slice_bytes = p.slice * bytes;
  auto* dst = static_cast<char*>(b.dst);
  const auto* updates = static_cast<const char*>(b.updates);
  for (int64_t i = 0; i < p.batch * p.num_indices; ++i) {
    const int64_t slice = ReadSlice(indices, i * p.depth, p.depth, p.dims);
    if (slice < 0) return Fault::kIndexOutOfRange;
    Apply(combine, dst + (i / p.num_indices * slices + slice) * slice_bytes,
          updates + i * slice_bytes, p.slice, bytes);
  }
  return Fault::kNone;
}

Fault RunScatterElements(const ScatterElementsParams& p, const IndexedBuffers& b, int phase,
                         Part part) {
  const auto bytes = static_cast<int64_t>(ElementBytes(p.type, 1));
  if (phase == 0) {
    int64_t total = bytes;
    for (int i = 0; i < p.rank; ++i) total *= p.data_dims[i];
    CopyData(b, total, part);
    return Fault::kNone;
  }
  if (part.index != 0) return Fault::kNone;
  const IndexReader indices(b.indices, p.wide_indices);
  const CombineFn combine = CombineOf(p.type, p.reduction);
  int64_t axis_stride = 1;
  const NdShape<2> shape = ElementsShape(p.rank, p.axis, p.data_dims, p.index_dims, axis_stride);
  const int64_t axis = p.data_dims[p.axis], step = shape.strides[0][p.rank - 1];
  auto* dst = static_cast<char*>(b.dst);
  const auto* updates = static_cast<const char*>(b.updates);
  Fault fault = Fault::kNone;
  ForEachRow(shape, Part{0, 1}, [&](const std::array<int64_t, 2>& start, int64_t count) {
    for (int64_t i = 0; i < count && fault == Fault::kNone; ++i) {
      int64_t at;
      if (!indices.Read(start[1] + i, axis, at)) {
        fault = Fault::kIndexOutOfRange;
        return;
      }
      Apply(combine, dst + (start[0] + i * step + at * axis_stride) * bytes,
            updates + (start[1] + i) * bytes, 1, bytes);
    }
  });
  return fault;
}

}  // namespace cairn::kernels
