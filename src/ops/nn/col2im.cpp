// SPDX-License-Identifier: Apache-2.0
// Col2Im: sums sliding blocks into an image.
#include "ops/elementwise.h"
#include "ops/nn/window.h"

namespace cairn {
namespace {

Status InferCol2Im(InferContext& in) {
  RETURN_IF_ERROR(RequireRank(in, 0, 3));
  const auto image = in.Elements(1);
  const auto block = in.Ints(2);
  TensorType type(in.type(0).dtype);
  if (!image) {
    in.SetOutput(0, std::move(type));
    return OkStatus();
  }
  Dims dims = {in.NewSymbol(), in.NewSymbol()};
  if (in.dims(0)) dims[0] = (*in.dims(0))[0];
  if (block) {
    RETURN_IF_ERROR(ReadWindow(in.node(), *block).status());
    if (block->size() != image->size()) {
      return Status(Code::kInvalidModel, StrCat("'block_shape' has ", block->size(),
                                                " elements, 'image_shape' ", image->size()));
    }
    ASSIGN_OR_RETURN(const int64_t taps, NumElements(*block));
    if (in.dims(0)) dims[1] = Dim::FloorDiv((*in.dims(0))[1], Dim(taps));
  }
  dims.insert(dims.end(), image->begin(), image->end());
  type.dims = std::move(dims);
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

/// Offset in the image of tap `tap` of block `block`, or -1 outside.
int64_t Place(const std::vector<WindowAxis>& axes, const Shape& tap, const Shape& block) {
  int64_t offset = 0;
  for (size_t d = 0; d < axes.size(); ++d) {
    const int64_t i = block[d] * axes[d].stride + tap[d] * axes[d].dilation - axes[d].pad_begin;
    if (i < 0 || i >= axes[d].in) return -1;
    offset = offset * axes[d].in + i;
  }
  return offset;
}

Status EvalCol2Im(EvalContext& in) {
  const Tensor& x = in.input(0);
  const Shape image = ToInts(in.input(1)), block = ToInts(in.input(2));
  ASSIGN_OR_RETURN(const Window window, ReadWindow(in.node(), block));
  ASSIGN_OR_RETURN(const std::vector<WindowAxis> axes, ResolveWindow(window, image));
  Shape counts;
  for (const WindowAxis& axis : axes) counts.push_back(axis.out);
  ASSIGN_OR_RETURN(const int64_t taps, NumElements(block));
  ASSIGN_OR_RETURN(const int64_t blocks, NumElements(counts));
  if (x.rank() != 3 || x.shape()[1] % taps != 0 || x.shape()[2] != blocks) {
    return Status(Code::kInvalidArgument, StrCat("the input is ", ShapeToString(x.shape()),
                                                 ", expected [N, C * ", taps, ", ", blocks, "]"));
  }
  const int64_t planes = x.shape()[0] * (x.shape()[1] / taps);
  Shape shape = {x.shape()[0], x.shape()[1] / taps};
  shape.insert(shape.end(), image.begin(), image.end());
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  ASSIGN_OR_RETURN(const int64_t image_size, NumElements(image));
  if (y->num_elements() == 0 || x.num_elements() == 0) return OkStatus();
  return DispatchArithmetic(x.dtype(), [&]<class T>(T) {
    std::vector<T> sums(static_cast<size_t>(y->num_elements()), T{0});
    for (int64_t p = 0; p < planes; ++p) {
      Shape tap(axes.size(), 0);
      int64_t from = p * taps * blocks;
      do {
        Shape position(axes.size(), 0);
        do {
          const int64_t place = Place(axes, tap, position);
          if (place >= 0) {
            T& sum = sums[static_cast<size_t>(p * image_size + place)];
            sum = AddWrapping(sum, GetAs<T>(x, from));
          }
          ++from;
        } while (NextIndex(counts, position));
      } while (NextIndex(block, tap));
    }
    for (int64_t i = 0; i < y->num_elements(); ++i) SetAs<T>(*y, i, sums[static_cast<size_t>(i)]);
    return OkStatus();
  });
}

}  // namespace

OpDef Col2ImOp() {
  return OpDef("Col2Im")
      .Input("input")
      .Input("image_shape")
      .Input("block_shape")
      .Output("output")
      .OptionalAttr("dilations", AttrKind::kInts, "Distance of elements of a block; 1 each.")
      .OptionalAttr("pads", AttrKind::kInts, "Padding: all begins, then all ends; 0 each.")
      .OptionalAttr("strides", AttrKind::kInts, "Distance of blocks; 1 each.")
      .Doc(
          "The input [N, C * block elements, blocks] holds the blocks that slide over an image; "
          "the "
          "output [N, C, image_shape...] is the sum of all that lie over each element.")
      .Infer(InferCol2Im)
      .Reference(EvalCol2Im);
}

}  // namespace cairn
