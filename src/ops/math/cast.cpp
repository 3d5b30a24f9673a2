// SPDX-License-Identifier: Apache-2.0
// Cast: conversion between element types.
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "ir/small_float.h"
#include "ops/elementwise.h"

namespace cairn {
namespace {

Result<ElementType> TargetType(const Node& node) {
  const auto* type = node.Get<TensorType>("to");
  if (!type || type->dtype == ElementType::kUndefined) {
    return Status(Code::kInvalidModel, "attribute 'to' is no element type");
  }
  return type->dtype;
}

Status InferCast(InferContext& in) {
  ASSIGN_OR_RETURN(const ElementType to, TargetType(in.node()));
  TensorType type = in.type(0);
  const ElementType from = type.dtype;
  for (const ElementType end : {from, to}) {
    if (end != ElementType::kUndefined && end != ElementType::kString && !IsNumeric(end)) {
      return Status(Code::kUnsupported, StrCat("casting ", from, " to ", to, " is not supported"));
    }
  }
  type.dtype = to;
  in.SetOutput(0, std::move(type));
  const bool wide = to == ElementType::kI64 || to == ElementType::kI32;
  if (wide && (IsInteger(from) || from == ElementType::kBool)) {
    if (auto elements = in.Elements(0)) in.SetElements(0, *std::move(elements));
  }
  return OkStatus();
}

/// The largest finite value of an 8-bit float plus half its last step, and whether that tie itself
/// rounds out of range (an odd mantissa).
bool Overflows(ElementType type, double magnitude) {
  switch (type) {
    case ElementType::kF8E4M3FN:
      return magnitude > 464;
    case ElementType::kF8E4M3FNUZ:
      return magnitude >= 248;
    case ElementType::kF8E5M2:
    case ElementType::kF8E5M2FNUZ:
      return magnitude >= 61440;
    default:
      return false;
  }
}

/// Without saturation, what is out of range becomes infinite where the type has that, else NaN.
double WithoutSaturation(ElementType type, double value) {
  if (!Overflows(type, std::fabs(value))) return value;
  return type == ElementType::kF8E5M2 ? std::copysign(INFINITY, value) : std::nan("");
}

double WithSaturation(ElementType type, double value) {
  if (!std::isinf(value)) return value;
  switch (type) {
    case ElementType::kF8E4M3FN:
      return std::copysign(448, value);
    case ElementType::kF8E4M3FNUZ:
      return std::copysign(240, value);
    case ElementType::kF8E5M2:
    case ElementType::kF8E5M2FNUZ:
      return std::copysign(57344, value);
    case ElementType::kF4E2M1:
      return std::copysign(6, value);
    default:
      return value;
  }
}

/// f8e8m0 holds powers of two from 2^-127 to 2^127; `round_mode` decides between neighbours.
double ToPowerOfTwo(double value, const std::string& round_mode, bool saturate) {
  constexpr int kMinExponent = -127, kMaxExponent = 127;
  const double low = std::ldexp(1.0, kMinExponent), high = std::ldexp(1.0, kMaxExponent);
  if (std::isnan(value)) return value;
  const double magnitude = std::fabs(value);
  if (magnitude < low || magnitude > high) {
    if (!saturate) return std::nan("");
    return magnitude < low ? low : high;
  }
  int exponent = 0;
  const double fraction = std::frexp(magnitude, &exponent);  // magnitude = fraction * 2^exponent
  const bool exact = fraction == 0.5;
  const bool up = !exact && (round_mode == "up" || (round_mode == "nearest" && fraction >= 0.75));
  const int power = up ? exponent : exponent - 1;
  if (power > kMaxExponent) return saturate ? high : std::nan("");
  return std::ldexp(1.0, power);
}

/// False for values outside of an integer type of less than 8 bits: those become 0.
bool FitsNarrow(ElementType type, double value) {
  const int bits = ElementBits(type);
  if (bits >= 8) return true;
  const double limit = std::ldexp(1.0, IsSignedInteger(type) ? bits - 1 : bits);
  return value < limit && value >= (IsSignedInteger(type) ? -limit : 0);
}

void CastNumber(const Tensor& x, int64_t i, bool saturate, Tensor& y) {
  const bool from_float = IsFloat(x.dtype()), to_float = IsFloat(y.dtype());
  if (!from_float && !to_float) {
    y.SetInt(i, x.GetInt(i));
    return;
  }
  double value = x.GetDouble(i);
  if (y.dtype() == ElementType::kBool) {
    y.SetInt(i, value != 0);
  } else if (!to_float) {
    value = std::trunc(value);
    y.SetDouble(i, FitsNarrow(y.dtype(), value) ? value : 0);
  } else {
    value = saturate ? WithSaturation(y.dtype(), value) : WithoutSaturation(y.dtype(), value);
    y.SetDouble(i, value);
  }
}

/// The shortest decimal text that reads back as the same value.
std::string FloatText(double value, bool single) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "INF" : "-INF";
  char buffer[64];
  const auto end = single ? std::to_chars(buffer, buffer + 64, static_cast<float>(value)).ptr
                          : std::to_chars(buffer, buffer + 64, value).ptr;
  return std::string(buffer, end);
}

std::string NumberText(const Tensor& x, int64_t i) {
  if (IsFloat(x.dtype())) return FloatText(x.GetDouble(i), x.dtype() != ElementType::kF64);
  if (x.dtype() == ElementType::kU64) return StrCat(static_cast<uint64_t>(x.GetInt(i)));
  return StrCat(x.GetInt(i));
}

Status ParseNumber(const std::string& text, int64_t i, Tensor& y) {
  const bool to_float = IsFloat(y.dtype());
  char* end = nullptr;
  if (to_float) {
    y.SetDouble(i, std::strtod(text.c_str(), &end));
  } else {
    y.SetInt(i, y.dtype() == ElementType::kU64
                    ? static_cast<int64_t>(std::strtoull(text.c_str(), &end, 10))
                    : std::strtoll(text.c_str(), &end, 10));
  }
  if (text.empty() || *end != '\0') {
    return Status(Code::kInvalidArgument, StrCat("'", text, "' is no number"));
  }
  return OkStatus();
}

Status EvalCast(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const ElementType to, TargetType(in.node()));
  const bool saturate = in.node().GetInt("saturate", 1) != 0;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, to, x.shape()));
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    if (x.dtype() == to) {
      CopyElement(x, i, *y, i);
    } else if (to == ElementType::kString) {
      y->mutable_strings()[static_cast<size_t>(i)] = NumberText(x, i);
    } else if (x.dtype() == ElementType::kString) {
      RETURN_IF_ERROR(ParseNumber(x.strings()[static_cast<size_t>(i)], i, *y));
    } else if (to == ElementType::kF8E8M0) {
      y->SetDouble(i,
                   ToPowerOfTwo(x.GetDouble(i), in.node().GetString("round_mode", "up"), saturate));
    } else {
      CastNumber(x, i, saturate, *y);
    }
  }
  return OkStatus();
}

}  // namespace

OpDef CastOp() {
  return OpDef("Cast")
      .Input("input")
      .Output("output")
      .Attr("to", AttrKind::kType, "The element type of the result.")
      .DefaultAttr("saturate", AttrKind::kInt, int64_t{1},
                   "8-bit floats: 1 limits to the largest finite value, 0 gives infinity or NaN.")
      .DefaultAttr("round_mode", AttrKind::kString, std::string("up"),
                   "Rounding to f8e8m0; other types round to nearest even.")
      .Doc(
          "Converts element types: float to integer truncates and saturates (NaN, and what 2 or 4 bits do not hold, give 0), integer "
          "to integer wraps, to float rounds to nearest even, to bool tests against 0, to string "
          "writes the shortest decimal text.")
      .Infer(InferCast)
      .Reference(EvalCast)
      .Traits(kPure | kElementwise | kAnyDtype);
}

}  // namespace cairn
