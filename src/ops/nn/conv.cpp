// SPDX-License-Identifier: Apache-2.0
// Conv: grouped, dilated convolution (cross-correlation) in any number of spatial dimensions.
#include "ops/elements.h"
#include "ops/nn/convolution.h"

namespace cairn {
namespace {

Status InferConv(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  RETURN_IF_ERROR(RequireSameDtype(in, 0, 1));
  if (in.has_input(2)) {
    RETURN_IF_ERROR(RequireSameDtype(in, 0, 2));
    RETURN_IF_ERROR(RequireRank(in, 2, 1));
    const Dims *bias = in.dims(2), *weights = in.dims(1);
    if (bias && weights && !weights->empty() && (*bias)[0].is_const() && (*weights)[0].is_const() &&
        !((*bias)[0] == (*weights)[0])) {
      return Status(Code::kInvalidModel,
                    StrCat("the bias has ", (*bias)[0], " elements, the weights ", (*weights)[0],
                           " output channels"));
    }
  }
  return InferConvOutput(in, 0, 1, in.type(0).dtype);
}

Status EvalConv(EvalContext& in) {
  const Tensor &x = in.input(0), &w = in.input(1);
  ASSIGN_OR_RETURN(const ConvGeometry geometry, ResolveConv(in.node(), x.shape(), w.shape()));
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), geometry.OutputShape()));
  std::vector<double> bias(static_cast<size_t>(geometry.out_channels), 0.0);
  if (in.has_input(2)) {
    if (in.input(2).num_elements() != geometry.out_channels) {
      return Status(Code::kInvalidArgument, StrCat("the bias has ", in.input(2).num_elements(),
                                                   " elements, expected ", geometry.out_channels));
    }
    bias = ToDoubles(in.input(2));
  }
  Convolve(geometry, ToDoubles(x), ToDoubles(w),
           [&](int64_t n, int64_t m, const std::vector<double>& plane) {
             const int64_t size = static_cast<int64_t>(plane.size());
             const int64_t first = (n * geometry.out_channels + m) * size;
             for (int64_t i = 0; i < size; ++i) {
               y->SetDouble(first + i,
                            plane[static_cast<size_t>(i)] + bias[static_cast<size_t>(m)]);
             }
           });
  return OkStatus();
}

}  // namespace

OpDef ConvOp() {
  OpDef def("Conv");
  def.Input("X").Input("W").OptionalInput("B").Output("Y");
  return AddWindowAttrs(def)
      .DefaultAttr("group", AttrKind::kInt, int64_t{1},
                   "Number of groups; group g of outputs reads group g of input channels.")
      .OptionalAttr("kernel_shape", AttrKind::kInts, "Sizes of the kernel; those of W when absent.")
      .Doc(
          "Cross-correlation of X [N, C, spatial...] with W [M, C / group, kernel...], plus B [M] "
          "per output channel. Padding is zero.")
      .Infer(InferConv)
      .Reference(EvalConv);
}

}  // namespace cairn
