// SPDX-License-Identifier: Apache-2.0
// TensorScatter: writes new rows into a cache.
#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

Result<size_t> SequenceAxis(const Node& node, int64_t rank) {
  ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(node.GetInt("axis", -2), rank));
  if (axis == 0) return Status(Code::kInvalidModel, "axis 0 is that of the batch");
  return static_cast<size_t>(axis);
}

Status InferTensorScatter(InferContext& in) {
  RETURN_IF_ERROR(RequireSameDtype(in, 0, 1));
  const std::string mode = in.node().GetString("mode", "linear");
  if (mode != "linear" && mode != "circular") {
    return Status(Code::kInvalidModel, StrCat("mode is '", mode, "', expected linear or circular"));
  }
  if (in.has_input(2)) {
    RETURN_IF_ERROR(RequireIndexType(in, 2));
    RETURN_IF_ERROR(RequireRank(in, 2, 1));
  }
  if (in.dims(0)) {
    RETURN_IF_ERROR(SequenceAxis(in.node(), in.type(0).rank()).status());
    RETURN_IF_ERROR(RequireRank(in, 1, in.type(0).rank()));
  }
  in.SetOutput(0, in.type(0));
  return OkStatus();
}

Status CheckShapes(const Tensor& cache, const Tensor& update, size_t axis) {
  Shape expected = cache.shape();
  if (update.rank() == cache.rank()) expected[axis] = update.shape()[axis];
  if (update.shape() == expected && update.shape()[axis] <= cache.shape()[axis]) return OkStatus();
  return Status(Code::kInvalidArgument,
                StrCat("the update ", update.TypeToString(), " does not fit the cache ",
                       cache.TypeToString(), " at axis ", axis));
}

Status EvalTensorScatter(EvalContext& in) {
  const Tensor &cache = in.input(0), &update = in.input(1);
  ASSIGN_OR_RETURN(const size_t axis, SequenceAxis(in.node(), cache.rank()));
  RETURN_IF_ERROR(CheckShapes(cache, update, axis));
  const bool circular = in.node().GetString("mode", "linear") == "circular";
  const int64_t batch = cache.shape()[0], length = cache.shape()[axis];
  const int64_t added = update.shape()[axis];
  if (in.has_input(2) && in.input(2).num_elements() != batch) {
    return Status(Code::kInvalidArgument, StrCat("there are ", in.input(2).num_elements(),
                                                 " write indices for a batch of ", batch));
  }
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, cache.dtype(), cache.shape()));
  for (int64_t i = 0; i < cache.num_elements(); ++i) CopyElement(cache, i, *y, i);
  const int64_t middle = ProductOf(cache.shape(), 1, axis);
  const int64_t inner = ProductOf(cache.shape(), axis + 1, cache.shape().size());
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t begin = in.has_input(2) ? in.input(2).GetInt(b) : 0;
    if (begin < 0 || (!circular && begin > length - added)) {
      return Status(Code::kInvalidArgument, StrCat("write index ", begin, " of batch ", b, " with ",
                                                   added, " rows leaves a cache of ", length));
    }
    for (int64_t m = b * middle; m < (b + 1) * middle; ++m) {
      for (int64_t s = 0; s < added; ++s) {
        const int64_t row = (begin % length + s) % length;
        for (int64_t i = 0; i < inner; ++i) {
          CopyElement(update, (m * added + s) * inner + i, *y, (m * length + row) * inner + i);
        }
      }
    }
  }
  return OkStatus();
}

}  // namespace

OpDef TensorScatterOp() {
  return OpDef("TensorScatter")
      .Input("past_cache")
      .Input("update")
      .OptionalInput("write_indices")
      .Output("present_cache")
      .DefaultAttr("mode", AttrKind::kString, std::string("linear"),
                   "circular: rows beyond the end go to the beginning.")
      .DefaultAttr("axis", AttrKind::kInt, int64_t{-2}, "Axis of the rows; not 0, the batch.")
      .Doc("The cache with the rows of `update` written from row write_indices[b] on (0 when "
           "absent) in each sample b of the batch.")
      .Infer(InferTensorScatter)
      .Reference(EvalTensorScatter)
      .Traits(kPure | kAnyDtype);
}

}  // namespace cairn
