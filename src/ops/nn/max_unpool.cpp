// SPDX-License-Identifier: Apache-2.0
// MaxUnpool: puts maxima back to where MaxPool found them.
#include <algorithm>

#include "ops/axes.h"
#include "ops/elements.h"
#include "ops/nn/window.h"

namespace cairn {
namespace {

/// Spatial size that the pool had as its input: (out - 1) * stride + kernel - pads.
Dim PooledFrom(const Window& window, size_t axis, const Dim& out) {
  return (out - Dim(1)) * Dim(window.strides[axis]) +
         Dim(window.kernel[axis] - window.pads[axis] - window.pads[axis + window.rank()]);
}

Result<Window> ReadUnpool(const Node& node, size_t rank) {
  const Ints kernel = node.GetInts("kernel_shape");
  if (kernel.size() + 2 != rank) {
    return Status(Code::kInvalidModel, StrCat("'kernel_shape' has ", kernel.size(),
                                              " values for an input of rank ", rank));
  }
  return ReadWindow(node, kernel);
}

Status InferMaxUnpool(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  TensorType type = in.type(0);
  if (type.dims) {
    ASSIGN_OR_RETURN(const Window window, ReadUnpool(in.node(), type.dims->size()));
    const auto shape = in.has_input(2) ? in.Elements(2) : std::nullopt;
    if (shape && shape->size() != type.dims->size()) {
      return Status(Code::kInvalidModel, StrCat("'output_shape' has ", shape->size(),
                                                " elements, expected ", type.dims->size()));
    }
    for (size_t i = 0; i < type.dims->size(); ++i) {
      if (in.has_input(2)) {
        (*type.dims)[i] = shape ? (*shape)[i] : in.NewSymbol();
      } else if (i >= 2) {
        (*type.dims)[i] = PooledFrom(window, i - 2, (*type.dims)[i]);
      }
    }
  }
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalMaxUnpool(EvalContext& in) {
  const Tensor &x = in.input(0), &indices = in.input(1);
  ASSIGN_OR_RETURN(const Window window, ReadUnpool(in.node(), x.shape().size()));
  if (indices.num_elements() != x.num_elements()) {
    return Status(Code::kInvalidArgument, "X and I have different sizes");
  }
  // Indices count in the shape that follows from the window; that is the corner of the output.
  Shape inner = x.shape();
  for (size_t i = 2; i < inner.size(); ++i) {
    inner[i] = PooledFrom(window, i - 2, Dim(inner[i])).value();
  }
  const Shape shape = in.has_input(2) ? Shape(ToInts(in.input(2))) : inner;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  ASSIGN_OR_RETURN(const int64_t places, NumElements(inner));
  const Shape strides = RowMajorStrides(inner), out_strides = RowMajorStrides(shape);
  if (shape.size() != inner.size()) {
    return Status(Code::kInvalidArgument, StrCat("'output_shape' has ", shape.size(),
                                                 " elements, expected ", inner.size()));
  }
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    const int64_t place = indices.GetInt(i);
    if (place < 0 || place >= places) {
      return Status(Code::kInvalidArgument,
                    StrCat("index ", place, " is outside of ", ShapeToString(inner)));
    }
    int64_t to = 0, rest = place;
    bool fits = true;
    for (size_t d = 0; d < inner.size(); ++d) {
      const int64_t position = rest / strides[d];
      rest %= strides[d];
      fits = fits && position < shape[d];
      to += position * out_strides[d];
    }
    if (fits) CopyElement(x, i, *y, to);
  }
  return OkStatus();
}

}  // namespace

OpDef MaxUnpoolOp() {
  return OpDef("MaxUnpool")
      .Input("X")
      .Input("I")
      .OptionalInput("output_shape")
      .Output("output")
      .Attr("kernel_shape", AttrKind::kInts, "Window of the pool.")
      .OptionalAttr("pads", AttrKind::kInts, "Padding of the pool; 0 each.")
      .OptionalAttr("strides", AttrKind::kInts, "Strides of the pool; 1 each.")
      .Doc(
          "A tensor of zeros with X[i] at flat index I[i], of the size that the pool's input had: "
          "(size - 1) * stride + kernel - pads. A larger output_shape adds zeros at the ends.")
      .Infer(InferMaxUnpool)
      .Reference(EvalMaxUnpool);
}

}  // namespace cairn
