// SPDX-License-Identifier: Apache-2.0
// Loads and stores of the element-wise engine for storage types other than f32.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/tile_conversions.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/half.h"
#include "kernels/dispatch.h"
#include "kernels/elementwise/tile_ops.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using DH = hn::Rebind<hwy::float16_t, D>;
using DU16 = hn::Rebind<uint16_t, D>;
using DU32 = hn::RebindToUnsigned<D>;

ptrdiff_t LoadF16Vectors(const uint16_t* src, float* dst, ptrdiff_t count) {
  const D d;
  const auto lanes = static_cast<ptrdiff_t>(hn::Lanes(d));
  ptrdiff_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto bits = hn::LoadU(DU16(), src + i);
    hn::StoreU(hn::PromoteTo(d, hn::BitCast(DH(), bits)), d, dst + i);
  }
  return i;
}
ptrdiff_t StoreF16Vectors(const float* src, uint16_t* dst, ptrdiff_t count) {
  const D d;
  const auto lanes = static_cast<ptrdiff_t>(hn::Lanes(d));
  ptrdiff_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto half = hn::DemoteTo(DH(), hn::LoadU(d, src + i));
    hn::StoreU(hn::BitCast(DU16(), half), DU16(), dst + i);
  }
  return i;
}

// Nearest even by adding half of the last kept bit, minus one when that bit is 0; NaN stays quiet.
ptrdiff_t StoreBf16Vectors(const float* src, uint16_t* dst, ptrdiff_t count) {
  const D d;
  const DU32 du;
  const auto lanes = static_cast<ptrdiff_t>(hn::Lanes(d));
  ptrdiff_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto value = hn::LoadU(d, src + i);
    const auto bits = hn::BitCast(du, value);
    const auto last = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
    const auto rounded = hn::Add(bits, hn::Add(last, hn::Set(du, 0x7fff)));
    const auto quiet = hn::Or(bits, hn::Set(du, 0x400000));
    const auto kept = hn::IfThenElse(hn::RebindMask(du, hn::IsNaN(value)), quiet, rounded);
    hn::StoreU(hn::TruncateTo(DU16(), hn::ShiftRight<16>(kept)), DU16(), dst + i);
  }
  return i;
}

template <class T>
void LoadScalars(const void* src, float* dst, ptrdiff_t count) {
  const T* from = static_cast<const T*>(src);
  for (ptrdiff_t i = 0; i < count; ++i) dst[i] = static_cast<float>(from[i]);
}

template <class T>
void StoreIntegers(const float* src, void* dst, ptrdiff_t count) {
  constexpr T kMin = std::numeric_limits<T>::min(), kMax = std::numeric_limits<T>::max();
  // As a float, kMax of the wide types rounds up to the first value that does not fit.
  constexpr float kUpper = static_cast<float>(kMax);
  constexpr bool kExact = sizeof(T) < 4;
  T* to = static_cast<T*>(dst);
  for (ptrdiff_t i = 0; i < count; ++i) {
    const float x = src[i];
    if (std::isnan(x)) {
      to[i] = 0;
    } else if (kExact ? x > kUpper : x >= kUpper) {
      to[i] = kMax;
    } else if (x <= static_cast<float>(kMin)) {
      to[i] = kMin;
    } else {
      to[i] = static_cast<T>(x);
    }
  }
}

void Load(ElementType type, const void* src, float* dst, ptrdiff_t count) {
  const auto* half = static_cast<const uint16_t*>(src);
  switch (type) {
    case ElementType::kF32:
      std::memcpy(dst, src, sizeof(float) * count);
      return;
    case ElementType::kF16:
      for (ptrdiff_t i = LoadF16Vectors(half, dst, count); i < count; ++i) {
        dst[i] = F16ToF32(half[i]);
      }
      return;
    case ElementType::kBf16:
      for (ptrdiff_t i = 0; i < count; ++i) dst[i] = Bf16ToF32(half[i]);
      return;
    case ElementType::kBool:
      for (ptrdiff_t i = 0; i < count; ++i) {
        dst[i] = static_cast<const uint8_t*>(src)[i] != 0 ? 1.0f : 0.0f;
      }
      return;
    case ElementType::kU8:
      return LoadScalars<uint8_t>(src, dst, count);
    case ElementType::kI8:
      return LoadScalars<int8_t>(src, dst, count);
    case ElementType::kI32:
      return LoadScalars<int32_t>(src, dst, count);
    case ElementType::kI64:
      return LoadScalars<int64_t>(src, dst, count);
    default:
      return;
  }
}

void Store(ElementType type, const float* src, void* dst, ptrdiff_t count) {
  auto* half = static_cast<uint16_t*>(dst);
  switch (type) {
    case ElementType::kF32:
      std::memcpy(dst, src, sizeof(float) * count);
      return;
    case ElementType::kF16:
      for (ptrdiff_t i = StoreF16Vectors(src, half, count); i < count; ++i) {
        half[i] = F32ToF16(src[i]);
      }
      return;
    case ElementType::kBf16:
      for (ptrdiff_t i = StoreBf16Vectors(src, half, count); i < count; ++i) {
        half[i] = F32ToBf16(src[i]);
      }
      return;
    case ElementType::kBool:
      for (ptrdiff_t i = 0; i < count; ++i) static_cast<uint8_t*>(dst)[i] = src[i] != 0;
      return;
    case ElementType::kU8:
      return StoreIntegers<uint8_t>(src, dst, count);
    case ElementType::kI8:
      return StoreIntegers<int8_t>(src, dst, count);
    case ElementType::kI32:
      return StoreIntegers<int32_t>(src, dst, count);
    case ElementType::kI64:
      return StoreIntegers<int64_t>(src, dst, count);
    default:
      return;
  }
}

}  // namespace

TileConversions Conversions() { return {Load, Store}; }

}  // namespace HWY_NAMESPACE
}  // namespace cairn::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::kernels {
namespace {
auto Select(Isa isa) -> TileConversions (*)() { CAIRN_SELECT(isa, Conversions) }
}  // namespace
TileConversions GetTileConversions(Isa isa) {
  const auto get = Select(isa);
  return get ? get() : TileConversions{};
}
}  // namespace cairn::kernels
#endif
