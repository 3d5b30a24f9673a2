// SPDX-License-Identifier: Apache-2.0
// ArgMax, ArgMin, TopK: positions of extreme elements.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/elementwise.h"

namespace cairn {
namespace {

Status InferArg(InferContext& in) {
  if (!in.dims(0)) {
    in.SetOutput(0, TensorType(ElementType::kI64));
    return OkStatus();
  }
  Dims dims = *in.dims(0);
  ASSIGN_OR_RETURN(const int64_t axis,
                   NormalizeAxis(in.node().GetInt("axis", 0), in.type(0).rank()));
  if (dims[static_cast<size_t>(axis)] == Dim(0)) {
    return Status(Code::kInvalidModel,
                  StrCat("axis ", axis, " of ", in.type(0).ToString(), " is empty"));
  }
  if (in.node().GetInt("keepdims", 1) != 0) {
    dims[static_cast<size_t>(axis)] = Dim(1);
  } else {
    dims.erase(dims.begin() + axis);
  }
  in.SetOutput(0, TensorType(ElementType::kI64, std::move(dims)));
  return OkStatus();
}

/// Whether a comes strictly before b in descending (largest) or ascending order; NaN is the
/// largest.
template <class T>
bool Before(T a, T b, bool largest) {
  if constexpr (std::is_same_v<T, double>) {
    if (std::isnan(a) || std::isnan(b))
      return largest ? std::isnan(a) && !std::isnan(b) : std::isnan(b) && !std::isnan(a);
  }
  return largest ? a > b : a < b;
}

template <bool kLargest>
Status EvalArg(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(in.node().GetInt("axis", 0), x.rank()));
  const bool last = in.node().GetInt("select_last_index", 0) != 0;
  const auto a = static_cast<size_t>(axis);
  Shape shape = x.shape();
  const int64_t size = shape[a], inner = ProductOf(shape, a + 1, shape.size());
  if (size == 0) return Status(Code::kInvalidArgument, "the axis is empty");
  if (in.node().GetInt("keepdims", 1) != 0) {
    shape[a] = 1;
  } else {
    shape.erase(shape.begin() + axis);
  }
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kI64, shape));
  return DispatchArithmetic(x.dtype(), [&]<class T>(T) {
    for (int64_t i = 0; i < y->num_elements(); ++i) {
      const int64_t base = i / inner * size * inner + i % inner;
      int64_t best = 0;
      for (int64_t k = 1; k < size; ++k) {
        const T value = GetAs<T>(x, base + k * inner), top = GetAs<T>(x, base + best * inner);
        if (Before(value, top, kLargest) || (last && !Before(top, value, kLargest))) best = k;
      }
      y->SetInt(i, best);
    }
    return OkStatus();
  });
}

OpDef ArgOp(const char* name, const char* doc, EvalFn eval) {
  return OpDef(name)
      .Input("data")
      .Output("reduced")
      .DefaultAttr("axis", AttrKind::kInt, int64_t{0}, "The axis that is searched.")
      .DefaultAttr("keepdims", AttrKind::kInt, int64_t{1}, "1: the axis stays with size 1.")
      .DefaultAttr("select_last_index", AttrKind::kInt, int64_t{0},
                   "1: the last of equal elements.")
      .Doc(doc)
      .Infer(InferArg)
      .Reference(eval);
}

Status InferTopK(InferContext& in) {
  const ElementType dtype = in.type(0).dtype;
  if (!in.dims(0)) {
    in.SetOutput(0, TensorType(dtype));
    in.SetOutput(1, TensorType(ElementType::kI64));
    return OkStatus();
  }
  Dims dims = *in.dims(0);
  ASSIGN_OR_RETURN(const int64_t axis,
                   NormalizeAxis(in.node().GetInt("axis", -1), in.type(0).rank()));
  Dim& size = dims[static_cast<size_t>(axis)];
  const auto k = in.Elements(1);
  const bool known = k && k->size() == 1 && IsCertain((*k)[0]);
  if (known && (*k)[0].is_const() &&
      ((*k)[0].value() < 0 || (size.is_const() && (*k)[0].value() > size.value()))) {
    return Status(Code::kInvalidModel, StrCat("K is ", (*k)[0], ", axis ", axis, " of ",
                                              in.type(0).ToString(), " has ", size));
  }
  size = known ? (*k)[0] : in.NewSymbol();
  in.SetOutput(0, TensorType(dtype, dims));
  in.SetOutput(1, TensorType(ElementType::kI64, std::move(dims)));
  return OkStatus();
}

Status EvalTopK(EvalContext& in) {
  const Tensor& x = in.input(0);
  const int64_t count = in.input(1).GetInt(0);
  const bool largest = in.node().GetInt("largest", 1) != 0;
  ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(in.node().GetInt("axis", -1), x.rank()));
  const auto a = static_cast<size_t>(axis);
  Shape shape = x.shape();
  const int64_t size = shape[a], inner = ProductOf(shape, a + 1, shape.size());
  if (count < 0 || count > size)
    return Status(Code::kInvalidArgument, StrCat("K is ", count, " of ", size));
  shape[a] = count;
  ASSIGN_OR_RETURN(Tensor * values, in.NewOutput(0, x.dtype(), shape));
  ASSIGN_OR_RETURN(Tensor * indices, in.NewOutput(1, ElementType::kI64, shape));
  return DispatchArithmetic(x.dtype(), [&]<class T>(T) {
    const int64_t lines = size == 0 ? 0 : x.num_elements() / size;
    for (int64_t line = 0; line < lines; ++line) {
      const int64_t outer = line / inner, i = line % inner;
      std::vector<int64_t> order(static_cast<size_t>(size));
      std::iota(order.begin(), order.end(), 0);
      // Equal elements keep their order: the lower index comes first.
      std::stable_sort(order.begin(), order.end(), [&](int64_t p, int64_t q) {
        return Before(GetAs<T>(x, (outer * size + p) * inner + i),
                      GetAs<T>(x, (outer * size + q) * inner + i), largest);
      });
      for (int64_t k = 0; k < count; ++k) {
        const int64_t from = order[static_cast<size_t>(k)], to = (outer * count + k) * inner + i;
        CopyElement(x, (outer * size + from) * inner + i, *values, to);
        indices->SetInt(to, from);
      }
    }
    return OkStatus();
  });
}

}  // namespace

OpDef ArgMaxOp() {
  return ArgOp("ArgMax", "The index of the largest element along the axis; NaN is the largest.",
               EvalArg<true>);
}

OpDef ArgMinOp() {
  return ArgOp("ArgMin", "The index of the smallest element along the axis; NaN is the largest.",
               EvalArg<false>);
}

OpDef TopKOp() {
  return OpDef("TopK")
      .Input("X")
      .Input("K")
      .Output("Values")
      .Output("Indices")
      .DefaultAttr("axis", AttrKind::kInt, int64_t{-1}, "The axis that is searched.")
      .DefaultAttr("largest", AttrKind::kInt, int64_t{1},
                   "1: the largest, 0: the smallest elements.")
      .DefaultAttr("sorted", AttrKind::kInt, int64_t{1}, "Results are in order in any case.")
      .Doc(
          "The K extreme elements along the axis and their indices, in order; of equal elements "
          "the "
          "lower index first; NaN is the largest.")
      .Infer(InferTopK)
      .Reference(EvalTopK);
}

}  // namespace cairn
