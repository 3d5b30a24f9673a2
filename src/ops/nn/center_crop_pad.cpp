// SPDX-License-Identifier: Apache-2.0
// CenterCropPad: cuts or pads axes around the centre.
#include <algorithm>
#include <numeric>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

Result<std::vector<int64_t>> ReadAxes(const Node& node, int64_t rank) {
  const Ints axes = node.GetInts("axes");
  if (node.HasAttribute("axes")) return NormalizeAxes(axes, rank);
  std::vector<int64_t> all(static_cast<size_t>(rank));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Status CheckCount(size_t given, size_t expected) {
  if (given == expected) return OkStatus();
  return Status(Code::kInvalidModel,
                StrCat("'shape' has ", given, " elements, expected ", expected));
}

Status InferCenterCropPad(InferContext& in) {
  RETURN_IF_ERROR(RequireIndexType(in, 1));
  TensorType type = in.type(0);
  if (type.dims) {
    ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ReadAxes(in.node(), type.rank()));
    const auto sizes = in.Elements(1);
    if (sizes) RETURN_IF_ERROR(CheckCount(sizes->size(), axes.size()));
    for (size_t i = 0; i < axes.size(); ++i) {
      (*type.dims)[static_cast<size_t>(axes[i])] = sizes ? (*sizes)[i] : in.NewSymbol();
    }
  }
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status EvalCenterCropPad(EvalContext& in) {
  const Tensor& x = in.input(0);
  ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ReadAxes(in.node(), x.rank()));
  const std::vector<int64_t> sizes = ToInts(in.input(1));
  RETURN_IF_ERROR(CheckCount(sizes.size(), axes.size()));
  Shape shape = x.shape();
  for (size_t i = 0; i < axes.size(); ++i) shape[static_cast<size_t>(axes[i])] = sizes[i];
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  // The common middle: where it starts in both, and its size. Halves round towards the begin.
  Shape from(shape.size()), to(shape.size()), common(shape.size());
  for (size_t d = 0; d < shape.size(); ++d) {
    from[d] = std::max<int64_t>(0, x.shape()[d] - shape[d]) / 2;
    to[d] = std::max<int64_t>(0, shape[d] - x.shape()[d]) / 2;
    common[d] = std::min(shape[d], x.shape()[d]);
  }
  if (ProductOf(common, 0, common.size()) == 0) return OkStatus();
  const Shape x_strides = RowMajorStrides(x.shape()), y_strides = RowMajorStrides(shape);
  Shape index(shape.size(), 0);
  do {
    int64_t source = 0, target = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      source += (from[d] + index[d]) * x_strides[d];
      target += (to[d] + index[d]) * y_strides[d];
    }
    CopyElement(x, source, *y, target);
  } while (NextIndex(common, index));
  return OkStatus();
}

}  // namespace

OpDef CenterCropPadOp() {
  return OpDef("CenterCropPad")
      .Input("input_data")
      .Input("shape")
      .Output("output_data")
      .OptionalAttr("axes", AttrKind::kInts, "The axes that `shape` speaks of; all when absent.")
      .Doc(
          "Cuts axes that are larger than `shape` and pads smaller ones with zeros, equally at "
          "both "
          "ends; an odd element goes to the end.")
      .Infer(InferCenterCropPad)
      .Reference(EvalCenterCropPad)
      .Traits(kPure | kAnyDtype);
}

}  // namespace cairn
