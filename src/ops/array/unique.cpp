// SPDX-License-Identifier: Apache-2.0
// Unique: the distinct elements of a tensor, or its distinct slices along an axis.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

Status InferUnique(InferContext& in) {
  const Dim count = in.NewSymbol();
  TensorType y(in.type(0).dtype, {count});
  Dim length = in.dims(0) ? ProductOf(*in.dims(0)) : in.NewSymbol();
  if (in.node().HasAttribute("axis")) {
    y.dims = in.type(0).dims;
    if (y.dims) {
      ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(in.node().GetInt("axis", 0), y.rank()));
      length = (*y.dims)[static_cast<size_t>(axis)];
      (*y.dims)[static_cast<size_t>(axis)] = count;
    }
  }
  in.SetOutput(0, std::move(y));
  in.SetOutput(1, TensorType(ElementType::kI64, {count}));
  in.SetOutput(2, TensorType(ElementType::kI64, {length}));
  in.SetOutput(3, TensorType(ElementType::kI64, {count}));
  return OkStatus();
}

/// -1, 0 or 1; NaN is larger than every number and equal to NaN.
int CompareElements(const Tensor& x, int64_t a, int64_t b) {
  const auto order = [](const auto& u, const auto& v) { return u < v ? -1 : v < u ? 1 : 0; };
  const ElementType dtype = x.dtype();
  if (dtype == ElementType::kString) {
    return order(x.strings()[static_cast<size_t>(a)], x.strings()[static_cast<size_t>(b)]);
  }
  if (dtype == ElementType::kU64) {
    return order(static_cast<uint64_t>(x.GetInt(a)), static_cast<uint64_t>(x.GetInt(b)));
  }
  if (!IsFloat(dtype)) return order(x.GetInt(a), x.GetInt(b));
  const double u = x.GetDouble(a), v = x.GetDouble(b);
  if (std::isnan(u) || std::isnan(v)) return order(std::isnan(u), std::isnan(v));
  return order(u, v);
}

/// The slices along an axis, or single elements, as rows of elements.
struct Slices {
  int64_t count, outer, inner;

  int64_t At(int64_t slice, int64_t k) const {
    return (k / inner * count + slice) * inner + k % inner;
  }
  int64_t size() const { return outer * inner; }
};

int CompareSlices(const Tensor& x, const Slices& slices, int64_t a, int64_t b) {
  for (int64_t k = 0; k < slices.size(); ++k) {
    const int order = CompareElements(x, slices.At(a, k), slices.At(b, k));
    if (order != 0) return order;
  }
  return 0;
}

/// Groups of equal slices: `first` in the order of the result.
struct Groups {
  std::vector<int64_t> first, inverse, counts;
};

Groups FindGroups(const Tensor& x, const Slices& slices, bool sorted) {
  std::vector<int64_t> order(static_cast<size_t>(slices.count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return CompareSlices(x, slices, a, b) < 0;
  });
  Groups groups;
  groups.inverse.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || CompareSlices(x, slices, order[i - 1], order[i]) != 0) {
      groups.first.push_back(order[i]);
      groups.counts.push_back(0);
    }
    groups.inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(groups.first.size()) - 1;
    ++groups.counts.back();
  }
  if (sorted) return groups;
  std::vector<size_t> by_place(groups.first.size());
  std::iota(by_place.begin(), by_place.end(), size_t{0});
  std::sort(by_place.begin(), by_place.end(),
            [&](size_t a, size_t b) { return groups.first[a] < groups.first[b]; });
  Groups placed;
  std::vector<int64_t> rank(by_place.size());
  for (size_t i = 0; i < by_place.size(); ++i) {
    placed.first.push_back(groups.first[by_place[i]]);
    placed.counts.push_back(groups.counts[by_place[i]]);
    rank[by_place[i]] = static_cast<int64_t>(i);
  }
  for (const int64_t group : groups.inverse) {
    placed.inverse.push_back(rank[static_cast<size_t>(group)]);
  }
  return placed;
}

Status EvalUnique(EvalContext& in) {
  const Tensor& x = in.input(0);
  const bool has_axis = in.node().HasAttribute("axis");
  Slices slices{x.num_elements(), 1, 1};
  Shape shape = {0};
  size_t a = 0;
  if (has_axis) {
    ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(in.node().GetInt("axis", 0), x.rank()));
    a = static_cast<size_t>(axis);
    shape = x.shape();
    slices = {shape[a], ProductOf(shape, 0, a), ProductOf(shape, a + 1, shape.size())};
  }
  const Groups groups = FindGroups(x, slices, in.node().GetInt("sorted", 1) != 0);
  const auto count = static_cast<int64_t>(groups.first.size());
  shape[a] = count;
  ASSIGN_OR_RETURN(Tensor * y, in.NewOutput(0, x.dtype(), shape));
  const Slices to{count, slices.outer, slices.inner};
  for (int64_t g = 0; g < count; ++g) {
    for (int64_t k = 0; k < slices.size(); ++k) {
      CopyElement(x, slices.At(groups.first[static_cast<size_t>(g)], k), *y, to.At(g, k));
    }
  }
  in.SetOutput(1, Tensor::FromInts(groups.first));
  in.SetOutput(2, Tensor::FromInts(groups.inverse));
  in.SetOutput(3, Tensor::FromInts(groups.counts));
  return OkStatus();
}

}  // namespace

OpDef UniqueOp() {
  return OpDef("Unique")
      .Input("X")
      .Output("Y")
      .Output("indices")
      .Output("inverse_indices")
      .Output("counts")
      .OptionalAttr("axis", AttrKind::kInt, "Slices along this axis; single elements when absent.")
      .DefaultAttr("sorted", AttrKind::kInt, int64_t{1},
                   "1: in ascending order; 0: in the order of their first occurrence.")
      .Doc("The distinct elements (or slices, compared element by element), where each occurs "
           "first, which of them each element is, and how often each occurs. NaN is larger than "
           "every number and equal to NaN.")
      .Infer(InferUnique)
      .Reference(EvalUnique)
      .Traits(kPure | kAnyDtype);
}

}  // namespace cairn
