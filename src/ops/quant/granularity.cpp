// SPDX-License-Identifier: Apache-2.0
// Which scale and zero point belong to an element: per tensor, per axis, or per block.
#include "ops/quant/granularity.h"

#include "ops/axes.h"

namespace cairn {
namespace {

Status Misfit(const Shape& x, const Shape& scale, std::string_view expected) {
  return Status(Code::kInvalidModel, StrCat("the scale is ", ShapeToString(scale), " for a tensor ",
                                            ShapeToString(x), ", expected ", expected));
}

/// The axis attribute; a tensor of rank 1 has only one.
Result<int64_t> ReadAxis(const Node& node, size_t rank) {
  if (rank == 1) return int64_t{0};
  return NormalizeAxis(node.GetInt("axis", 1), static_cast<int64_t>(rank));
}

bool IsSingle(const Shape& shape) { return shape.empty() || shape == Shape{1}; }

Status CheckZeroPoint(const Dims& scale, const Dims& zero_point) {
  const auto a = ConstDims(scale), b = ConstDims(zero_point);
  if (!a || !b || *a == *b || (IsSingle(*a) && IsSingle(*b))) return OkStatus();
  return Status(Code::kInvalidModel, StrCat("the scale is ", ShapeToString(*a), ", the zero point ",
                                            ShapeToString(*b), ", expected equal shapes"));
}

}  // namespace

OpDef& AddGranularityAttrs(OpDef& def) {
  return def
      .DefaultAttr("axis", AttrKind::kInt, int64_t{1},
                   "The axis along which scales change, unless there is only one scale.")
      .DefaultAttr("block_size", AttrKind::kInt, int64_t{0},
                   "Neighbours along `axis` that share a scale of equal rank; 0: no blocks.");
}

Status CheckGranularity(const InferContext& in) {
  const Dims *x = in.dims(0), *scale = in.dims(1);
  if (scale && in.dims(2)) RETURN_IF_ERROR(CheckZeroPoint(*scale, *in.dims(2)));
  if (!x || !scale) return OkStatus();
  const auto x_shape = ConstDims(*x), scale_shape = ConstDims(*scale);
  if (!x_shape || !scale_shape) return OkStatus();
  return ResolveGranularity(in.node(), *x_shape, *scale_shape).status();
}

Result<Granularity> ResolveGranularity(const Node& node, const Shape& x, const Shape& scale) {
  Granularity result;
  result.strides.assign(x.size(), 0);
  if (IsSingle(scale)) return result;
  const int64_t block = node.GetInt("block_size", 0);
  if (x.empty()) return Misfit(x, scale, "one element");
  ASSIGN_OR_RETURN(const int64_t axis, ReadAxis(node, x.size()));
  result.axis = static_cast<size_t>(axis);
  if (block == 0) {
    if (scale.size() != 1 || scale[0] != x[result.axis]) {
      return Misfit(x, scale, StrCat("[", x[result.axis], "] along axis ", axis));
    }
    result.strides[result.axis] = 1;
    return result;
  }
  Shape expected = x;
  if (block > 0) expected[result.axis] = x[result.axis] / block + (x[result.axis] % block != 0);
  if (block < 0 || scale != expected) {
    return Misfit(x, scale, StrCat(ShapeToString(expected), " for blocks of ", block));
  }
  result.strides = RowMajorStrides(scale);
  result.block = block;
  return result;
}

}  // namespace cairn
