// SPDX-License-Identifier: Apache-2.0
// MatMulInteger, QLinearMatMul: matrix products of quantized operands.
#include <algorithm>

#include "ops/elementwise.h"
#include "ops/quant/line_parameter.h"
#include "ops/quant/rounding.h"

namespace cairn {
namespace {

/// Rank-1 operands become a row (left) or a column (right).
template <class T>
std::vector<T> AsMatrix(std::vector<T> dims, bool left) {
  if (dims.size() == 1) dims.insert(left ? dims.begin() : dims.end(), T(1));
  return dims;
}

template <class T>
std::vector<T> BatchOf(const std::vector<T>& dims) {
  return std::vector<T>(dims.begin(), dims.end() - 2);
}

/// Output 0 of the product of inputs `a` and `b`, of `dtype`.
Status InferProduct(InferContext& in, size_t a, size_t b, ElementType dtype) {
  if (!in.dims(a) || !in.dims(b)) {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  if (in.dims(a)->empty() || in.dims(b)->empty()) {
    return Status(Code::kInvalidModel, "an operand is a scalar, expected rank 1 or more");
  }
  const Dims left = AsMatrix(*in.dims(a), true), right = AsMatrix(*in.dims(b), false);
  const Dim &inner = left.back(), &rows = right[right.size() - 2];
  if (inner.is_const() && rows.is_const() && !(inner == rows)) {
    return Status(Code::kInvalidModel,
                  StrCat("operands ", in.type(a).ToString(), " and ", in.type(b).ToString(),
                         " do not multiply: inner sizes are ", inner, " and ", rows));
  }
  ASSIGN_OR_RETURN(Dims dims,
                   BroadcastDims(BatchOf(left), BatchOf(right), [&] { return in.NewSymbol(); }));
  if (in.dims(a)->size() > 1) dims.push_back(left[left.size() - 2]);
  if (in.dims(b)->size() > 1) dims.push_back(right.back());
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  return OkStatus();
}

/// One operand as matrices, its zero points subtracted.
struct Operand {
  Shape shape;
  std::vector<double> values;
};

Result<Operand> Centred(const Tensor& tensor, const Tensor& zero_point, bool left) {
  if (tensor.rank() == 0) return Status(Code::kInvalidArgument, "an operand is a scalar");
  Operand operand{AsMatrix(tensor.shape(), left), ToDoubles(tensor)};
  ASSIGN_OR_RETURN(const LineParameter zero, LineParameter::Make(zero_point, operand.shape, left));
  const int64_t rows = operand.shape[operand.shape.size() - 2], columns = operand.shape.back();
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    const int64_t row = i / columns % rows, column = i % columns;
    operand.values[static_cast<size_t>(i)] -= zero.At(i / columns / rows, left ? row : column, 0);
  }
  return operand;
}

/// An element of the product, and the matrices and line it comes from.
struct ProductElement {
  int64_t index, left_batch, right_batch, row, column;
};

/// Calls `visit(element, sum)` for every element of the product; sums in double, exact for 8 bits.
template <class Visit>
Status Multiply(const Operand& a, const Operand& b, const Visit& visit) {
  const int64_t m = a.shape[a.shape.size() - 2], k = a.shape.back(), n = b.shape.back();
  if (b.shape[b.shape.size() - 2] != k) {
    return Status(Code::kInvalidArgument, StrCat("operands ", ShapeToString(a.shape), " and ",
                                                 ShapeToString(b.shape), " do not multiply"));
  }
  const Shape batch_a = BatchOf(a.shape), batch_b = BatchOf(b.shape);
  ASSIGN_OR_RETURN(const Shape batch, BroadcastShapes(batch_a, batch_b));
  std::vector<double> sums(static_cast<size_t>(n));
  ForEachPair(batch_a, batch_b, batch, [&](int64_t out, int64_t in_a, int64_t in_b) {
    for (int64_t i = 0; i < m; ++i) {
      std::fill(sums.begin(), sums.end(), 0.0);
      for (int64_t p = 0; p < k; ++p) {
        const double factor = a.values[static_cast<size_t>((in_a * m + i) * k + p)];
        const double* row = b.values.data() + (in_b * k + p) * n;
        for (int64_t j = 0; j < n; ++j) sums[static_cast<size_t>(j)] += factor * row[j];
      }
      for (int64_t j = 0; j < n; ++j) {
        visit(ProductElement{(out * m + i) * n + j, in_a, in_b, i, j},
              sums[static_cast<size_t>(j)]);
      }
    }
  });
  return OkStatus();
}

/// The shape of the product; dims added for rank-1 operands are dropped.
Result<Shape> ProductShape(const Tensor& a, const Tensor& b) {
  const Shape left = AsMatrix(a.shape(), true), right = AsMatrix(b.shape(), false);
  ASSIGN_OR_RETURN(Shape shape, BroadcastShapes(BatchOf(left), BatchOf(right)));
  if (a.rank() > 1) shape.push_back(left[left.size() - 2]);
  if (b.rank() > 1) shape.push_back(right.back());
  return shape;
}

Tensor InputOrNone(const EvalContext& in, size_t i) {
  return in.has_input(i) ? in.input(i) : Tensor();
}

Status EvalMatMulInteger(EvalContext& in) {
  ASSIGN_OR_RETURN(const Operand a, Centred(in.input(0), InputOrNone(in, 2), true));
  ASSIGN_OR_RETURN(const Operand b, Centred(in.input(1), InputOrNone(in, 3), false));
  ASSIGN_OR_RETURN(const Shape shape, ProductShape(in.input(0), in.input(1)));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, ElementType::kI32, shape));
  return Multiply(a, b, [&](const ProductElement& element, double sum) {
    y->SetInt(element.index, static_cast<int64_t>(sum));
  });
}

enum : size_t { kA, kAScale, kAZero, kB, kBScale, kBZero, kYScale, kYZero };

Status EvalQLinearMatMul(EvalContext& in) {
  ASSIGN_OR_RETURN(const Operand a, Centred(in.input(kA), in.input(kAZero), true));
  ASSIGN_OR_RETURN(const Operand b, Centred(in.input(kB), in.input(kBZero), false));
  ASSIGN_OR_RETURN(const LineParameter a_scale,
                   LineParameter::Make(in.input(kAScale), a.shape, true));
  ASSIGN_OR_RETURN(const LineParameter b_scale,
                   LineParameter::Make(in.input(kBScale), b.shape, false));
  ASSIGN_OR_RETURN(const Shape shape, ProductShape(in.input(kA), in.input(kB)));
  Shape rows = BatchOf(a.shape);
  ASSIGN_OR_RETURN(rows, BroadcastShapes(rows, BatchOf(b.shape)));
  rows.push_back(a.shape[a.shape.size() - 2]);
  rows.push_back(b.shape.back());
  ASSIGN_OR_RETURN(const LineParameter y_scale, LineParameter::Make(in.input(kYScale), rows, true));
  ASSIGN_OR_RETURN(const LineParameter y_zero, LineParameter::Make(in.input(kYZero), rows, true));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, in.input(kYZero).dtype(), shape));
  const int64_t plane = rows[rows.size() - 2] * rows.back();
  return Multiply(a, b, [&](const ProductElement& e, double sum) {
    const int64_t batch = e.index / plane;
    const double scale = a_scale.At(e.left_batch, e.row, 1) *
                         b_scale.At(e.right_batch, e.column, 1) / y_scale.At(batch, e.row, 1);
    StoreQuantized(sum * scale, y_zero.At(batch, e.row, 0), true, e.index, *y);
  });
}

}  // namespace

OpDef MatMulIntegerOp() {
  return OpDef("MatMulInteger")
      .Input("A")
      .Input("B")
      .OptionalInput("a_zero_point")
      .OptionalInput("b_zero_point")
      .Output("Y")
      .Doc(
          "MatMul of A - a_zero_point with B - b_zero_point in 32-bit integers. Zero points are "
          "one "
          "for all, one per row of A, one per column of B.")
      .Infer([](InferContext& in) { return InferProduct(in, 0, 1, ElementType::kI32); })
      .Reference(EvalMatMulInteger);
}

OpDef QLinearMatMulOp() {
  OpDef def("QLinearMatMul");
  def.Input("a").Input("a_scale").Input("a_zero_point");
  def.Input("b").Input("b_scale").Input("b_zero_point");
  def.Input("y_scale").Input("y_zero_point").Output("y");
  return def
      .Doc(
          "y = saturate(round(MatMul(a - a_zero_point, b - b_zero_point) * a_scale * b_scale / "
          "y_scale) + y_zero_point), halves to even. Scales and zero points are one for all, one "
          "per "
          "row of a and y, one per column of b.")
      .Infer([](InferContext& in) { return InferProduct(in, kA, kB, in.type(kYZero).dtype); })
      .Reference(EvalQLinearMatMul);
}

}  // namespace cairn
