// SPDX-License-Identifier: Apache-2.0
// AffineGrid: positions of a regular grid under affine maps, for GridSample.
#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

/// Checks theta [N, r, r + 1] and size [N, C, r sizes], r = 2 or 3; returns r.
Result<size_t> SpatialRank(const Dims& theta, size_t sizes) {
  const size_t rank = sizes < 2 ? 0 : sizes - 2;
  const bool fits = (rank == 2 || rank == 3) && theta.size() == 3 &&
                    (!theta[1].is_const() || theta[1] == Dim(static_cast<int64_t>(rank))) &&
                    (!theta[2].is_const() || theta[2] == Dim(static_cast<int64_t>(rank) + 1));
  if (fits) return rank;
  return Status(Code::kInvalidModel,
                StrCat("theta is ", DimsToString(theta), " and 'size' has ", sizes,
                       " elements, expected [N, 2, 3] with 4 or [N, 3, 4] "
                       "with 5"));
}

Status InferAffineGrid(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  RETURN_IF_ERROR(RequireRank(in, 0, 3));
  const auto sizes = in.Elements(1);
  TensorType type(in.type(0).dtype);
  if (sizes) {
    const Dims theta =
        in.dims(0) ? *in.dims(0) : Dims{in.NewSymbol(), in.NewSymbol(), in.NewSymbol()};
    ASSIGN_OR_RETURN(const size_t rank, SpatialRank(theta, sizes->size()));
    Dims dims = {theta[0]};
    dims.insert(dims.end(), sizes->begin() + 2, sizes->end());
    dims.emplace_back(static_cast<int64_t>(rank));
    type.dims = std::move(dims);
  }
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

/// Position `i` of `n` along an axis from -1 to 1.
double PositionOf(int64_t i, int64_t n, bool align_corners) {
  const auto position = static_cast<double>(i), count = static_cast<double>(n);
  if (!align_corners) return (2 * position + 1) / count - 1;
  return n == 1 ? -1 : 2 * position / (count - 1) - 1;
}

Status EvalAffineGrid(EvalContext& in) {
  const Tensor& theta = in.input(0);
  const std::vector<int64_t> sizes = ToInts(in.input(1));
  ASSIGN_OR_RETURN(const size_t rank,
                   SpatialRank(Dims(theta.shape().begin(), theta.shape().end()), sizes.size()));
  const bool align = in.node().GetInt("align_corners", 0) != 0;
  const Shape spatial(sizes.begin() + 2, sizes.end());
  Shape shape = {theta.shape()[0]};
  shape.insert(shape.end(), spatial.begin(), spatial.end());
  shape.push_back(static_cast<int64_t>(rank));
  ASSIGN_OR_RETURN(Tensor * grid, in.NewOutput(0, theta.dtype(), shape));
  if (grid->num_elements() == 0) return OkStatus();
  int64_t out = 0;
  for (int64_t n = 0; n < shape[0]; ++n) {
    Shape index(rank, 0);
    do {
      for (size_t row = 0; row < rank; ++row) {
        const int64_t first = (n * static_cast<int64_t>(rank) + static_cast<int64_t>(row)) *
                              static_cast<int64_t>(rank + 1);
        double sum = theta.GetDouble(first + static_cast<int64_t>(rank));
        for (size_t k = 0; k < rank; ++k) {
          // Columns name the last spatial axis first.
          const size_t axis = rank - 1 - k;
          sum += theta.GetDouble(first + static_cast<int64_t>(k)) *
                 PositionOf(index[axis], spatial[axis], align);
        }
        grid->SetDouble(out++, sum);
      }
    } while (NextIndex(spatial, index));
  }
  return OkStatus();
}

}  // namespace

OpDef AffineGridOp() {
  return OpDef("AffineGrid")
      .Input("theta")
      .Input("size")
      .Output("grid")
      .DefaultAttr(
          "align_corners", AttrKind::kInt, int64_t{0},
          "What -1 and 1 are along an axis: 1 the centres of the outermost elements, 0 their "
          "outer edges.")
      .Doc(
          "grid[n, p...] = theta[n] (x, y, [z,] 1), where (x, y, z) is the place of p in a regular "
          "grid over [-1, 1] with the spatial sizes of size = [N, C, sizes...].")
      .Infer(InferAffineGrid)
      .Reference(EvalAffineGrid);
}

}  // namespace cairn
