// SPDX-License-Identifier: Apache-2.0
// One loop per pair of types.
#include "kernels/movement/cast.h"

#include <limits>
#include <type_traits>

#include "base/half.h"
#include "kernels/elementwise/tile_ops.h"

namespace cairn::kernels {
namespace {

// Storage with its own conversions.
struct F16 {
  uint16_t bits;
};
struct Bf16 {
  uint16_t bits;
};
struct Bool {
  uint8_t value;
};

template <class T>
auto Load(const T& x) {
  if constexpr (std::is_same_v<T, F16>) {
    return F16ToF32(x.bits);
  } else if constexpr (std::is_same_v<T, Bf16>) {
    return Bf16ToF32(x.bits);
  } else if constexpr (std::is_same_v<T, Bool>) {
    return static_cast<uint8_t>(x.value != 0);
  } else {
    return x;
  }
}

template <class T, class S>
T FloatToInteger(S x) {
  using Limits = std::numeric_limits<T>;
  // The first value above the range is a power of two, so exact in both floating-point types.
  const S above = static_cast<S>(2) * static_cast<S>(Limits::max() / 2 + 1);
  if (!(x < above)) return x != x ? T{0} : Limits::max();
  if (x < static_cast<S>(Limits::min())) return Limits::min();
  return static_cast<T>(x);
}

template <class T, class S>
T Convert(S x) {
  if constexpr (std::is_same_v<T, F16>) {
    if constexpr (std::is_same_v<S, float>) return {F32ToF16(x)};
    return {F64ToF16(static_cast<double>(x))};
  } else if constexpr (std::is_same_v<T, Bf16>) {
    if constexpr (std::is_same_v<S, float>) return {F32ToBf16(x)};
    return {F64ToBf16(static_cast<double>(x))};
  } else if constexpr (std::is_same_v<T, Bool>) {
    return {static_cast<uint8_t>(x != 0)};
  } else if constexpr (std::is_integral_v<T> && std::is_floating_point_v<S>) {
    return FloatToInteger<T>(x);
  } else {
    return static_cast<T>(x);
  }
}

template <class S, class T>
void Cast(const void* src, void* dst, Range range) {
  const S* from = static_cast<const S*>(src);
  T* to = static_cast<T*>(dst);
  for (int64_t i = range.begin; i < range.end; ++i) {
    to[i] = Convert<T, decltype(Load(from[i]))>(Load(from[i]));
  }
}

// Calls visit(tag) with a value of the storage type of `type`; false when it has none here.
template <class Visit>
bool WithStorage(ElementType type, const Visit& visit) {
  switch (type) {
    case ElementType::kF32:
      visit(float{});
      return true;
    case ElementType::kF64:
      visit(double{});
      return true;
    case ElementType::kF16:
      visit(F16{});
      return true;
    case ElementType::kBf16:
      visit(Bf16{});
      return true;
    case ElementType::kI8:
      visit(int8_t{});
      return true;
    case ElementType::kU8:
      visit(uint8_t{});
      return true;
    case ElementType::kI16:
      visit(int16_t{});
      return true;
    case ElementType::kU16:
      visit(uint16_t{});
      return true;
    case ElementType::kI32:
      visit(int32_t{});
      return true;
    case ElementType::kU32:
      visit(uint32_t{});
      return true;
    case ElementType::kI64:
      visit(int64_t{});
      return true;
    case ElementType::kU64:
      visit(uint64_t{});
      return true;
    case ElementType::kBool:
      visit(Bool{});
      return true;
    default:
      return false;
  }
}

bool IsHalf(ElementType type) { return type == ElementType::kF16 || type == ElementType::kBf16; }

}  // namespace

bool SupportsCast(ElementType type) {
  return WithStorage(type, [](auto) {});
}

void RunCast(const CastParams& p, const CastBuffers& buffers, int /*phase*/, Part part) {
  const Range range = PartRange(p.count, 64, part);
  const TileConversions vectors = GetTileConversions(p.isa);
  if (p.dst_type == ElementType::kF32 && IsHalf(p.src_type)) {
    return vectors.load(p.src_type, static_cast<const uint16_t*>(buffers.src) + range.begin,
                        static_cast<float*>(buffers.dst) + range.begin, range.size());
  }
  if (p.src_type == ElementType::kF32 && IsHalf(p.dst_type)) {
    return vectors.store(p.dst_type, static_cast<const float*>(buffers.src) + range.begin,
                         static_cast<uint16_t*>(buffers.dst) + range.begin, range.size());
  }
  WithStorage(p.src_type, [&](auto src) {
    WithStorage(p.dst_type, [&](auto dst) {
      Cast<decltype(src), decltype(dst)>(buffers.src, buffers.dst, range);
    });
  });
}

}  // namespace cairn::kernels
