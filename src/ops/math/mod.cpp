// SPDX-License-Identifier: Apache-2.0
// Mod: remainder with the sign of the divisor, or of the dividend (fmod).
#include <cmath>

#include "ops/elementwise.h"

namespace cairn {
namespace {

template <class T>
T Modulo(T a, T b, bool fmod) {
  if constexpr (std::is_same_v<T, double>) {
    if (fmod) return std::fmod(a, b);
    const double rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(0.0, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
  } else {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    const T rest = static_cast<T>(a % b);
    return !fmod && rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
  }
}

Status InferMod(InferContext& in) {
  RETURN_IF_ERROR(InferBroadcast(in));
  PropagateElements(in, [](const std::vector<Dim>& x) -> std::optional<Dim> {
    const bool simple =
        x[1].is_const() && x[1].value() > 0 && IsCertain(x[0]) && Dim::Max(x[0], Dim(0)) == x[0];
    return simple ? std::optional(Dim::Mod(x[0], x[1])) : std::nullopt;
  });
  return OkStatus();
}

Status EvalMod(EvalContext& in) {
  const bool fmod = in.node().GetInt("fmod", 0) != 0;
  return EvalBinary(in, [fmod]<class T>(T a, T b) { return Modulo(a, b, fmod); });
}

}  // namespace

OpDef ModOp() {
  return OpDef("Mod")
      .Input("A")
      .Input("B")
      .Output("C")
      .DefaultAttr("fmod", AttrKind::kInt, int64_t{0}, "1: the sign of the dividend, as C's fmod.")
      .Doc("Remainder of a / b with broadcasting, with the sign of b. Integer x mod 0 is 0.")
      .Infer(InferMod)
      .Reference(EvalMod)
      .Traits(kPure | kElementwise);
}

}  // namespace cairn
