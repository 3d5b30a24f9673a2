// SPDX-License-Identifier: Apache-2.0
// What operators with regions share: captures, merging of types, stacking of iterations.
#include "ops/control/regions.h"

#include "ops/axes.h"
#include "ops/elements.h"

namespace cairn {
namespace {

/// Copies `slice` to (or from) the places `index` along `axis` of `whole`.
template <class Copy>
void ForEachOfSlice(const Shape& whole, size_t axis, int64_t index, const Copy& copy) {
  const int64_t outer = ProductOf(whole, 0, axis), inner = ProductOf(whole, axis + 1, whole.size());
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      copy(o * inner + i, (o * whole[axis] + index) * inner + i);
    }
  }
}

}  // namespace

Graph& RegionOf(const Node& node, const char* name) { return **node.Get<Region>(name); }

std::vector<TensorType> CaptureTypes(const Node& node) {
  std::vector<TensorType> types;
  const size_t first = node.num_formal_inputs();
  for (size_t i = 0; i < static_cast<size_t>(node.num_captures()); ++i) {
    types.push_back(node.input(first + i)->type());
  }
  return types;
}

Result<TensorType> MergeTypes(InferContext& in, const TensorType& a, const TensorType& b,
                              std::string_view what) {
  if (a.dtype == ElementType::kUndefined) return b;
  if (b.dtype == ElementType::kUndefined) return a;
  if (a.dtype != b.dtype || a.kind != b.kind) {
    return Status(Code::kInvalidModel, StrCat(what, " is ", a.ToString(), " and ", b.ToString(),
                                              ", expected one element type"));
  }
  TensorType merged = a;
  if (!a.dims || !b.dims || a.dims->size() != b.dims->size()) {
    merged.dims.reset();
    return merged;
  }
  for (size_t i = 0; i < a.dims->size(); ++i) {
    if (!((*a.dims)[i] == (*b.dims)[i])) (*merged.dims)[i] = in.NewSymbol();
  }
  return merged;
}

void ClearTypes(Graph& region) {
  for (Node* node : region.Nodes()) {
    for (Value* output : node->outputs()) {
      if (!output) continue;
      output->set_type(TensorType(output->type().dtype));
      output->set_elements(std::nullopt);
    }
    for (Graph* inner : node->Regions()) ClearTypes(*inner);
  }
}

Result<TensorType> StackedType(const TensorType& element, int64_t axis, const Dim& length) {
  TensorType type = element;
  if (!type.dims) return type;
  ASSIGN_OR_RETURN(const int64_t at, NormalizeAxis(axis, type.rank() + 1));
  type.dims->insert(type.dims->begin() + at, length);
  return type;
}

Result<Tensor> StackTensors(const std::vector<Tensor>& tensors, int64_t axis,
                            const TensorType& element) {
  Shape shape;
  ElementType dtype = element.dtype;
  if (!tensors.empty()) {
    shape = tensors[0].shape();
    dtype = tensors[0].dtype();
  } else if (element.dims) {
    for (const Dim& dim : *element.dims) shape.push_back(dim.is_const() ? dim.value() : 0);
  }
  ASSIGN_OR_RETURN(const int64_t at, NormalizeAxis(axis, static_cast<int64_t>(shape.size()) + 1));
  shape.insert(shape.begin() + at, static_cast<int64_t>(tensors.size()));
  ASSIGN_OR_RETURN(Tensor result, Tensor::Allocate(dtype, shape));
  for (size_t k = 0; k < tensors.size(); ++k) {
    if (tensors[k].shape() != tensors[0].shape() || tensors[k].dtype() != dtype) {
      return Status(
          Code::kInvalidArgument,
          StrCat("iteration ", k, " gives ", tensors[k].dtype(), ShapeToString(tensors[k].shape()),
                 ", the first gave ", dtype, ShapeToString(tensors[0].shape())));
    }
    ForEachOfSlice(
        shape, static_cast<size_t>(at), static_cast<int64_t>(k),
        [&](int64_t part, int64_t whole) { CopyElement(tensors[k], part, result, whole); });
  }
  return result;
}

Result<Tensor> SliceTensor(const Tensor& tensor, int64_t axis, int64_t index) {
  Shape shape = tensor.shape();
  shape.erase(shape.begin() + axis);
  ASSIGN_OR_RETURN(Tensor result, Tensor::Allocate(tensor.dtype(), shape));
  ForEachOfSlice(tensor.shape(), static_cast<size_t>(axis), index,
                 [&](int64_t part, int64_t whole) { CopyElement(tensor, whole, result, part); });
  return result;
}

}  // namespace cairn
