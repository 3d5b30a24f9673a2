// SPDX-License-Identifier: Apache-2.0
// Activations on vectors, for inclusion once per instruction set.
#if defined(CAIRN_KERNELS_EPILOGUE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_KERNELS_EPILOGUE_INL_H_
#undef CAIRN_KERNELS_EPILOGUE_INL_H_
#else
#define CAIRN_KERNELS_EPILOGUE_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/epilogue.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Min and Max return their second operand when one is NaN, so a NaN in `x` stays.
template <class D, class V>
HWY_INLINE V ClipVector(D d, V x, float low, float high) {
  return hn::Min(hn::Set(d, high), hn::Max(hn::Set(d, low), x));
}

/// Calls `for_each(activate)` once, where activate(V) -> V is the activation of `epilogue`; not at
/// all when there is none.
template <class D, class ForEach>
HWY_INLINE void ApplyActivation(D d, const Epilogue& epilogue, ForEach for_each) {
  using V = hn::Vec<D>;
  if (epilogue.activation == Activation::kClip) {
    const float low = epilogue.clip_low, high = epilogue.clip_high;
    for_each([d, low, high](V x) HWY_ATTR { return ClipVector(d, x, low, high); });
  } else if (epilogue.activation == Activation::kHardSwish) {
    for_each([d](V x) HWY_ATTR {
      const V gate = ClipVector(d, hn::Add(x, hn::Set(d, 3.0f)), 0.0f, 6.0f);
      return hn::Mul(hn::Mul(x, gate), hn::Set(d, 1.0f / 6.0f));
    });
  }
}

}  // namespace cairn::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
