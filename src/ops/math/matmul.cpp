// SPDX-License-Identifier: Apache-2.0
// MatMul: matrix product with numpy's rules for vectors and batches.
#include "ops/elementwise.h"

namespace cairn {
namespace {

/// Rank-1 operands become a row (a) or a column (b).
template <class T>
std::vector<T> AsMatrix(std::vector<T> dims, bool row) {
  if (dims.size() == 1) dims.insert(row ? dims.begin() : dims.end(), T(1));
  return dims;
}

/// The attribute transA or transB; it does not concern vectors.
bool IsTransposed(const Node& node, const char* attribute, size_t rank) {
  return rank >= 2 && node.GetInt(attribute, 0) != 0;
}

/// The dims of the matrices that are multiplied.
template <class T>
std::vector<T> SwapLastTwo(std::vector<T> dims, bool swap) {
  if (swap) std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
  return dims;
}

template <class T>
std::vector<T> Batch(const std::vector<T>& dims) {
  return std::vector<T>(dims.begin(), dims.end() - 2);
}

Status InferMatMul(InferContext& in) {
  RETURN_IF_ERROR(RequireSameDtype(in, 0, 1));
  const ElementType dtype = in.type(0).dtype;
  if (!in.dims(0) || !in.dims(1)) {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  if (in.dims(0)->empty() || in.dims(1)->empty()) {
    return Status(Code::kInvalidModel, "a scalar operand, expected rank 1 or more");
  }
  const Dims a = SwapLastTwo(AsMatrix(*in.dims(0), true),
                             IsTransposed(in.node(), "transA", in.dims(0)->size()));
  const Dims b = SwapLastTwo(AsMatrix(*in.dims(1), false),
                             IsTransposed(in.node(), "transB", in.dims(1)->size()));
  const Dim inner_a = a.back(), inner_b = b[b.size() - 2];
  if (inner_a.is_const() && inner_b.is_const() && !(inner_a == inner_b)) {
    return Status(Code::kInvalidModel,
                  StrCat("operands ", in.type(0).ToString(), " and ", in.type(1).ToString(),
                         " do not multiply: inner sizes are ", inner_a, " and ", inner_b));
  }
  ASSIGN_OR_RETURN(Dims dims, BroadcastDims(Batch(a), Batch(b), [&in] { return in.NewSymbol(); }));
  if (in.dims(0)->size() > 1) dims.push_back(a[a.size() - 2]);
  if (in.dims(1)->size() > 1) dims.push_back(b.back());
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  return OkStatus();
}

/// c[m,n] = sum over k of a[m,k] * b[k,n], in T.
template <class T>
void Product(const T* a, const T* b, T* c, int64_t m, int64_t n, int64_t k) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t p = 0; p < k; ++p) {
      const T factor = a[i * k + p];
      for (int64_t j = 0; j < n; ++j) c[i * n + j] += factor * b[p * n + j];
    }
  }
}

/// The elements, each matrix of `rows` x `cols` transposed when asked.
template <class T>
std::vector<T> Load(const Tensor& tensor, bool transposed, int64_t rows, int64_t cols) {
  std::vector<T> values(static_cast<size_t>(tensor.num_elements()));
  for (size_t i = 0; i < values.size(); ++i) {
    if constexpr (std::is_same_v<T, double>)
      values[i] = tensor.GetDouble(static_cast<int64_t>(i));
    else
      values[i] = static_cast<T>(tensor.GetInt(static_cast<int64_t>(i)));
  }
  if (!transposed) return values;
  std::vector<T> result(values.size());
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    const int64_t matrix = i / (rows * cols), r = i / cols % rows, c = i % cols;
    result[static_cast<size_t>(matrix * rows * cols + c * rows + r)] =
        values[static_cast<size_t>(i)];
  }
  return result;
}

Status EvalMatMul(EvalContext& in) {
  const bool trans_a = IsTransposed(in.node(), "transA", in.input(0).shape().size());
  const bool trans_b = IsTransposed(in.node(), "transB", in.input(1).shape().size());
  const Shape a = SwapLastTwo(AsMatrix(in.input(0).shape(), true), trans_a);
  const Shape b = SwapLastTwo(AsMatrix(in.input(1).shape(), false), trans_b);
  const int64_t m = a[a.size() - 2], k = a.back(), n = b.back();
  if (b[b.size() - 2] != k) {
    return Status(Code::kInvalidArgument, StrCat("inner sizes are ", k, " and ", b[b.size() - 2]));
  }
  ASSIGN_OR_RETURN(const Shape batch, BroadcastShapes(Batch(a), Batch(b)));
  Shape shape = batch;
  if (in.input(0).rank() > 1) shape.push_back(m);
  if (in.input(1).rank() > 1) shape.push_back(n);
  const ElementType dtype = in.input(0).dtype();
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, dtype, std::move(shape)));
  auto run = [&]<class T>(T) {
    const std::vector<T> va = Load<T>(in.input(0), trans_a, k, m);
    const std::vector<T> vb = Load<T>(in.input(1), trans_b, n, k);
    std::vector<T> result(static_cast<size_t>(y->num_elements()));
    ForEachPair(Batch(a), Batch(b), batch, [&](int64_t i, int64_t pa, int64_t pb) {
      Product(va.data() + pa * m * k, vb.data() + pb * k * n, result.data() + i * m * n, m, n, k);
    });
    for (size_t i = 0; i < result.size(); ++i) {
      if constexpr (std::is_same_v<T, double>)
        y->SetDouble(static_cast<int64_t>(i), result[i]);
      else
        y->SetInt(static_cast<int64_t>(i), static_cast<int64_t>(result[i]));
    }
  };
  // Integers wrap, which unsigned arithmetic defines.
  if (IsFloat(dtype))
    run(double());
  else
    run(uint64_t());
  return OkStatus();
}

}  // namespace

OpDef MatMulOp() {
  return OpDef("MatMul")
      .Input("A")
      .Input("B")
      .Output("Y")
      .DefaultAttr("transA", AttrKind::kInt, int64_t{0},
                   "1: the last two axes of A are swapped (not in ONNX; fusions set it).")
      .DefaultAttr("transB", AttrKind::kInt, int64_t{0},
                   "1: the last two axes of B are swapped (not in ONNX; fusions set it).")
      .Doc(
          "Matrix product over the last two axes, leading axes broadcast. A vector on the left is "
          "a "
          "row, on the right a column, and its axis is not in the result.")
      .Infer(InferMatMul)
      .Reference(EvalMatMul);
}

}  // namespace cairn
