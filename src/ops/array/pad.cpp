// SPDX-License-Identifier: Apache-2.0
// Pad: adds or, with negative pads, removes cells at the ends of axes.
#include <algorithm>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

Status CheckMode(const Node& node) {
  const std::string mode = node.GetString("mode", "constant");
  for (const char* known : {"constant", "reflect", "edge", "wrap"}) {
    if (mode == known) return OkStatus();
  }
  return Status(Code::kInvalidModel,
                StrCat("mode is '", mode, "', expected constant, reflect, edge or wrap"));
}

Status InferPad(InferContext& in) {
  RETURN_IF_ERROR(CheckMode(in.node()));
  if (in.has_input(2)) RETURN_IF_ERROR(RequireSameDtype(in, 0, 2));
  const ElementType dtype = in.type(0).dtype;
  if (!in.dims(0)) {
    in.SetOutput(0, TensorType(dtype));
    return OkStatus();
  }
  Dims dims = *in.dims(0);
  const auto pads = in.Elements(1);
  std::vector<int64_t> axes;
  for (size_t d = 0; d < dims.size(); ++d) axes.push_back(static_cast<int64_t>(d));
  const auto given = in.Ints(3);
  if (given) {
    ASSIGN_OR_RETURN(axes, NormalizeAxes(*given, in.type(0).rank()));
  }
  if (!pads || (in.has_input(3) && !given)) {
    for (const int64_t axis : axes) dims[static_cast<size_t>(axis)] = in.NewSymbol();
    in.SetOutput(0, TensorType(dtype, std::move(dims)));
    return OkStatus();
  }
  if (pads->size() != 2 * axes.size()) {
    return Status(Code::kInvalidModel, StrCat("pads has ", pads->size(), " values, expected ",
                                              2 * axes.size(), " for ", in.type(0).ToString()));
  }
  for (size_t k = 0; k < axes.size(); ++k) {
    Dim& dim = dims[static_cast<size_t>(axes[k])];
    const Dim &begin = (*pads)[k], &end = (*pads)[k + axes.size()];
    dim = IsCertain(begin) && IsCertain(end) ? dim + begin + end : in.NewSymbol();
    if (dim.is_const() && dim.value() < 0) {
      return Status(Code::kInvalidModel,
                    StrCat("pads ", DimsToString(*pads), " leave size ", dim, " at axis ", axes[k],
                           " of ", in.type(0).ToString()));
    }
  }
  in.SetOutput(0, TensorType(dtype, std::move(dims)));
  return OkStatus();
}

/// The input position that padded position `at` (counted from the input's start) reads, or -1.
int64_t Source(const std::string& mode, int64_t at, int64_t size) {
  if (at >= 0 && at < size) return at;
  if (mode == "constant" || size == 0) return -1;
  if (mode == "edge") return std::clamp<int64_t>(at, 0, size - 1);
  if (mode == "wrap") return (at % size + size) % size;
  if (size == 1) return 0;
  const int64_t period = 2 * (size - 1);
  const int64_t phase = (at % period + period) % period;
  return phase < size ? phase : period - phase;
}

Status EvalPad(EvalContext& in) {
  const Tensor& x = in.input(0);
  const std::vector<int64_t> pads = ToInts(in.input(1));
  const std::string mode = in.node().GetString("mode", "constant");
  const size_t rank = x.shape().size();
  std::vector<int64_t> axes;
  for (size_t d = 0; d < rank; ++d) axes.push_back(static_cast<int64_t>(d));
  if (in.has_input(3)) {
    ASSIGN_OR_RETURN(axes, NormalizeAxes(ToInts(in.input(3)), x.rank()));
  }
  if (pads.size() != 2 * axes.size())
    return Status(Code::kInvalidArgument, "pads do not fit the axes");
  Shape shape = x.shape(), begins(rank, 0);
  // Removed cells (negative pads) are not there for the other modes to read.
  Shape first(rank, 0), size = x.shape();
  for (size_t k = 0; k < axes.size(); ++k) {
    const auto a = static_cast<size_t>(axes[k]);
    const int64_t begin = pads[k], end = pads[k + axes.size()];
    if (begin < INT64_MIN / 2 || __builtin_add_overflow(shape[a], begin, &shape[a]) ||
        __builtin_add_overflow(shape[a], end, &shape[a])) {
      return Status(Code::kInvalidArgument, "the padded shape is too large");
    }
    begins[a] = begin;
    first[a] = begin < 0 ? std::min(size[a], -std::max(begin, -size[a])) : 0;
    size[a] -= first[a];
    size[a] -= end < 0 ? -std::max(end, -size[a]) : 0;
  }
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  const Shape strides = RowMajorStrides(x.shape());
  Shape index(rank, 0);
  for (int64_t i = 0; i < y->num_elements(); ++i, NextIndex(shape, index)) {
    int64_t from = 0;
    for (size_t d = 0; d < rank && from >= 0; ++d) {
      const int64_t at = Source(mode, index[d] - begins[d] - first[d], size[d]);
      from = at < 0 ? -1 : from + (at + first[d]) * strides[d];
    }
    if (from >= 0) {
      CopyElement(x, from, *y, i);
    } else if (in.has_input(2)) {
      CopyElement(in.input(2), 0, *y, i);
    }
  }
  return OkStatus();
}

}  // namespace

OpDef PadOp() {
  return OpDef("Pad")
      .Input("data")
      .Input("pads")
      .OptionalInput("constant_value")
      .OptionalInput("axes")
      .Output("output")
      .DefaultAttr("mode", AttrKind::kString, std::string("constant"),
                   "constant, reflect (without the edge), edge, or wrap.")
      .Doc(
          "Adds pads (begins, then ends) cells around data, or removes them for negative pads. "
          "axes: "
          "the axes that pads are for; all by default.")
      .Infer(InferPad)
      .Reference(EvalPad)
      .Traits(kPure | kDataMovement);
}

}  // namespace cairn
