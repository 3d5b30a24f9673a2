// SPDX-License-Identifier: Apache-2.0
// Shared pieces of element-wise operators: broadcasting, type functions, reference loops.
#pragma once

#include "ops/axes.h"
#include "ops/elements.h"
#include "ops/op_def.h"

namespace cairn {

/// Numpy broadcasting of symbolic shapes. A symbol against 1 gives the symbol; a symbol against a
/// constant other than 1 gives the constant (the only legal outcome unless the symbol is 1, which
/// gives the constant too); two different symbols give a new symbol from `new_symbol`.
/// An impossible pair of constants is an error naming both shapes.
Result<Dims> BroadcastDims(const Dims& a, const Dims& b, const std::function<Dim()>& new_symbol);
/// Broadcasting of concrete shapes.
Result<Shape> BroadcastShapes(const Shape& a, const Shape& b);
/// The common shape of all present inputs.
Result<Shape> BroadcastInputShapes(const EvalContext& in);

/// Output 0 has the type of input 0.
Status InferSameAsFirst(InferContext& in);
/// As above; input 0 must be a float.
Status InferFloatSameAsFirst(InferContext& in);
/// Output 0: dtype of input 0, which all inputs have; shape broadcast over all inputs.
Status InferBroadcast(InferContext& in);
/// Output 0: bool, shape broadcast over all inputs, which have one dtype.
Status InferBroadcastBool(InferContext& in);

/// A function of known elements; nullopt when the result is unknown.
using ElementFn = std::optional<Dim> (*)(const std::vector<Dim>& operands);
/// Records known elements of output 0, broadcasting those of all inputs; nothing when any input's
/// elements or any shape are unknown. Unknown results become unknown elements.
void PropagateElements(InferContext& in, ElementFn f);

/// y[i] = f(x[i]) in double, one rounding; dtype of the output = dtype of the input.
Status EvalUnary(EvalContext& in, const std::function<double(double)>& f);
template <auto F>
Status EvalUnaryBy(EvalContext& in) {
  return EvalUnary(in, F);
}

/// Calls `body(T())` with the arithmetic type for elements of `dtype`: double, int64_t, uint64_t.
template <class Body>
Status DispatchArithmetic(ElementType dtype, const Body& body) {
  if (IsFloat(dtype)) return body(double());
  if (dtype == ElementType::kU64) return body(uint64_t());
  return body(int64_t());
}

template <class T>
T GetAs(const Tensor& tensor, int64_t i) {
  if constexpr (std::is_same_v<T, double>) {
    return tensor.GetDouble(i);
  } else {
    return static_cast<T>(tensor.GetInt(i));
  }
}

template <class T>
void SetAs(Tensor& tensor, int64_t i, T value) {
  if constexpr (std::is_same_v<T, double>) {
    tensor.SetDouble(i, value);
  } else {
    tensor.SetInt(i, static_cast<int64_t>(value));
  }
}

/// a + b and a * b; integers wrap.
template <class T>
T AddWrapping(T a, T b) {
  if constexpr (std::is_same_v<T, double>) {
    return a + b;
  } else {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  }
}
template <class T>
T MultiplyWrapping(T a, T b) {
  if constexpr (std::is_same_v<T, double>) {
    return a * b;
  } else {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }
}

/// y[i] = f(x[i]) with f over double, int64_t and uint64_t: integers exactly.
template <class F>
Status EvalUnaryExact(EvalContext& in, const F& f) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), x.shape()));
  return DispatchArithmetic(x.dtype(), [&]<class T>(T) {
    for (int64_t i = 0; i < x.num_elements(); ++i) SetAs<T>(*y, i, f(GetAs<T>(x, i)));
    return OkStatus();
  });
}

/// Calls `visit(out, a, b)` with the flat index of every output element and of the operands a and b
/// that it is computed from under broadcasting to `shape`.
template <class Visit>
void ForEachPair(const Shape& a, const Shape& b, const Shape& shape, const Visit& visit) {
  const int64_t count = ProductOf(shape, 0, shape.size());
  if (count == 0) return;
  const Shape sa = BroadcastStrides(a, shape), sb = BroadcastStrides(b, shape);
  Shape index(shape.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    int64_t pa = 0, pb = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      pa += index[d] * sa[d];
      pb += index[d] * sb[d];
    }
    visit(i, pa, pb);
    NextIndex(shape, index);
  }
}

/// y = f(a, b) with broadcasting; f over double, int64_t and uint64_t. Output: `dtype`.
template <class F>
Status EvalBinaryAs(EvalContext& in, ElementType dtype, const F& f) {
  const Tensor &a = in.input(0), &b = in.input(1);
  ASSIGN_OR_RETURN(const Shape shape, BroadcastShapes(a.shape(), b.shape()));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, dtype, shape));
  return DispatchArithmetic(a.dtype(), [&]<class T>(T) {
    ForEachPair(a.shape(), b.shape(), shape, [&](int64_t i, int64_t pa, int64_t pb) {
      const auto value = f(GetAs<T>(a, pa), GetAs<T>(b, pb));
      SetAs<std::remove_const_t<decltype(value)>>(*y, i, value);
    });
    return OkStatus();
  });
}

/// As above with the dtype of input 0.
template <class F>
Status EvalBinary(EvalContext& in, const F& f) {
  return EvalBinaryAs(in, in.input(0).dtype(), f);
}

}  // namespace cairn
