// SPDX-License-Identifier: Apache-2.0
// What the Reduce operators share: axes, types, and the loop over the elements of each result.
#include "ops/reduce/reduction.h"

#include <algorithm>

namespace cairn {
namespace {

bool Keeps(const Node& node) { return node.GetInt("keepdims", 1) != 0; }

/// The axes to reduce, given the known elements of the axes operand (empty when it is absent).
Result<std::vector<bool>> ReducedAxes(const Node& node, const std::vector<int64_t>& axes,
                                      size_t rank) {
  std::vector<bool> reduced(rank, axes.empty() && node.GetInt("noop_with_empty_axes", 0) == 0);
  ASSIGN_OR_RETURN(const std::vector<int64_t> normal,
                   NormalizeAxes(axes, static_cast<int64_t>(rank)));
  for (const int64_t axis : normal) reduced[static_cast<size_t>(axis)] = true;
  return reduced;
}

/// The result for axes that are not known: the rank when dims are kept or the number of axes is
/// known.
std::optional<Dims> UnknownAxesDims(InferContext& in, size_t rank) {
  size_t left = rank;
  if (!Keeps(in.node())) {
    const Dims* axes = in.dims(1);
    if (!axes || axes->size() != 1 || !(*axes)[0].is_const()) return std::nullopt;
    const int64_t count = (*axes)[0].value();
    if (count <= 0 || count > static_cast<int64_t>(rank)) return std::nullopt;
    left = rank - static_cast<size_t>(count);
  }
  Dims dims;
  for (size_t i = 0; i < left; ++i) dims.push_back(in.NewSymbol());
  return dims;
}

}  // namespace

Status InferReduce(InferContext& in) {
  if (in.has_input(1)) RETURN_IF_ERROR(RequireIndexType(in, 1));
  TensorType type(in.type(0).dtype);
  const Dims* x = in.dims(0);
  if (x) {
    const auto axes = in.has_input(1) ? in.Ints(1) : std::vector<int64_t>();
    if (!axes) {
      type.dims = UnknownAxesDims(in, x->size());
    } else {
      ASSIGN_OR_RETURN(const std::vector<bool> reduced, ReducedAxes(in.node(), *axes, x->size()));
      type.dims.emplace();
      for (size_t i = 0; i < x->size(); ++i) {
        if (!reduced[i]) {
          type.dims->push_back((*x)[i]);
        } else if (Keeps(in.node())) {
          type.dims->emplace_back(1);
        }
      }
    }
  }
  in.SetOutput(0, std::move(type));
  return OkStatus();
}

Status InferFloatReduce(InferContext& in) {
  RETURN_IF_ERROR(RequireFloat(in, 0));
  return InferReduce(in);
}

OpDef ReduceDef(const char* name, const char* doc) {
  return OpDef(name)
      .Input("data")
      .OptionalInput("axes")
      .Output("reduced")
      .DefaultAttr("keepdims", AttrKind::kInt, int64_t{1}, "1: reduced axes stay, with size 1.")
      .DefaultAttr(
          "noop_with_empty_axes", AttrKind::kInt, int64_t{0},
          "What absent or empty axes mean. 0: all axes. 1: none; each element is reduced on "
          "its own.")
      .Doc(doc)
      .Infer(InferReduce);
}

Result<ReducePlan> PlanReduce(const EvalContext& in) {
  const Shape& shape = in.input(0).shape();
  const std::vector<int64_t> axes = in.has_input(1) ? ToInts(in.input(1)) : std::vector<int64_t>();
  ASSIGN_OR_RETURN(const std::vector<bool> reduced, ReducedAxes(in.node(), axes, shape.size()));
  ReducePlan plan;
  plan.output_strides.assign(shape.size(), 0);
  for (size_t i = shape.size(); i-- > 0;) {
    if (reduced[i]) {
      plan.count *= shape[i];
      if (Keeps(in.node())) plan.output_shape.push_back(1);
    } else {
      plan.output_strides[i] = plan.results;
      plan.results *= shape[i];
      plan.output_shape.push_back(shape[i]);
    }
  }
  std::reverse(plan.output_shape.begin(), plan.output_shape.end());
  return plan;
}

}  // namespace cairn
