// SPDX-License-Identifier: Apache-2.0
// Broadcasting and unary reference loops.
#include "ops/elementwise.h"

#include <algorithm>

namespace cairn {
namespace {

/// The dim at position `i` counted from the end; 1 beyond the rank.
template <class T>
T FromEnd(const std::vector<T>& dims, size_t i) {
  return i < dims.size() ? dims[dims.size() - 1 - i] : T(1);
}

Result<Dims> BroadcastInputs(InferContext& in) {
  Dims result;
  for (size_t i = 0; i < in.num_inputs(); ++i) {
    if (!in.has_input(i)) continue;
    ASSIGN_OR_RETURN(result, BroadcastDims(result, *in.dims(i), [&in] { return in.NewSymbol(); }));
  }
  return result;
}

bool AllRanksKnown(const InferContext& in) {
  for (size_t i = 0; i < in.num_inputs(); ++i) {
    if (in.has_input(i) && !in.dims(i)) return false;
  }
  return true;
}

Status InferBroadcastAs(InferContext& in, ElementType dtype) {
  for (size_t i = 1; i < in.num_inputs(); ++i) RETURN_IF_ERROR(RequireSameDtype(in, 0, i));
  if (!AllRanksKnown(in)) {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  ASSIGN_OR_RETURN(Dims dims, BroadcastInputs(in));
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  return OkStatus();
}

}  // namespace

Result<Dims> BroadcastDims(const Dims& a, const Dims& b, const std::function<Dim()>& new_symbol) {
  Dims result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i) {
    const Dim x = FromEnd(a, i), y = FromEnd(b, i);
    Dim& out = result[result.size() - 1 - i];
    if (x == y || y == Dim(1)) {
      out = x;
    } else if (x == Dim(1)) {
      out = y;
    } else if (x.is_const() && y.is_const()) {
      return Status(
          Code::kInvalidModel,
          StrCat("shapes ", DimsToString(a), " and ", DimsToString(b), " do not broadcast: ", x,
                 " against ", y, " at axis ", result.size() - 1 - i));
    } else if (x.is_const() || y.is_const()) {
      out = x.is_const() ? x : y;
    } else {
      out = new_symbol();
    }
  }
  return result;
}

Result<Shape> BroadcastShapes(const Shape& a, const Shape& b) {
  Shape result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i) {
    const int64_t x = FromEnd(a, i), y = FromEnd(b, i);
    if (x != y && x != 1 && y != 1) {
      return Status(Code::kInvalidArgument, StrCat("shapes ", ShapeToString(a), " and ",
                                                   ShapeToString(b), " do not broadcast"));
    }
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

Status InferSameAsFirst(InferContext& in) {
  in.SetOutput(0, in.type(0));
  return OkStatus();
}

Status InferFloatSameAsFirst(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  return InferSameAsFirst(in);
}

Result<Shape> BroadcastInputShapes(const EvalContext& in) {
  Shape shape;
  for (size_t i = 0; i < in.num_inputs(); ++i) {
    if (!in.has_input(i)) continue;
    ASSIGN_OR_RETURN(shape, BroadcastShapes(shape, in.input(i).shape()));
  }
  return shape;
}

void PropagateElements(InferContext& in, ElementFn f) {
  const Value* output = in.node().output(0);
  if (!output) return;
  const ElementType dtype = output->type().dtype;
  if (!IsInteger(dtype) && dtype != ElementType::kBool) return;
  std::vector<Dims> operands;
  std::vector<Shape> shapes;
  Shape shape;
  for (size_t i = 0; i < in.num_inputs(); ++i) {
    auto elements = in.Elements(i);
    const auto dims = in.dims(i) ? ConstDims(*in.dims(i)) : std::nullopt;
    if (!elements || !dims) return;
    auto common = BroadcastShapes(shape, *dims);
    if (!common.ok()) return;
    shape = *common;
    shapes.push_back(*dims);
    operands.push_back(*std::move(elements));
  }
  const auto count = NumElements(shape);
  if (!count.ok() || *count > 4096) return;
  Dims results;
  Shape index(shape.size(), 0);
  for (int64_t i = 0; i < *count; ++i) {
    std::vector<Dim> arguments;
    for (size_t k = 0; k < operands.size(); ++k) {
      const Shape strides = BroadcastStrides(shapes[k], shape);
      int64_t position = 0;
      for (size_t d = 0; d < index.size(); ++d) position += index[d] * strides[d];
      arguments.push_back(operands[k][static_cast<size_t>(position)]);
    }
    const auto result = f(arguments);
    results.push_back(result && !result->overflowed() ? *result
                                                      : UnknownElement(in.NewSymbol().ToString()));
    NextIndex(shape, index);
  }
  in.SetElements(0, std::move(results));
}

Status InferBroadcast(InferContext& in) { return InferBroadcastAs(in, in.type(0).dtype); }
Status InferBroadcastBool(InferContext& in) { return InferBroadcastAs(in, ElementType::kBool); }

Status EvalUnary(EvalContext& in, const std::function<double(double)>& f) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), x.shape()));
  const bool exact = IsInteger(x.dtype());
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    if (exact) {
      y->SetInt(i, static_cast<int64_t>(f(static_cast<double>(x.GetInt(i)))));
    } else {
      y->SetDouble(i, f(x.GetDouble(i)));
    }
  }
  return OkStatus();
}

}  // namespace cairn
