// SPDX-License-Identifier: Apache-2.0
// What operators with regions share: captures, merging of types, stacking of iterations.
#pragma once

#include <vector>

#include "ops/op_def.h"

namespace cairn {

/// The region in attribute `name`, which CompleteAttributes has checked to exist.
Graph& RegionOf(const Node& node, const char* name);

/// Types of the values that the regions of the node capture.
std::vector<TensorType> CaptureTypes(const Node& node);

/// What is true of both types: dims that differ become new symbols, ranks that differ unknown.
/// Different element types are an error that names `what`.
Result<TensorType> MergeTypes(InferContext& in, const TensorType& a, const TensorType& b,
                              std::string_view what);

/// Forgets the types of all values that nodes of the region and of its regions produce.
void ClearTypes(Graph& region);

/// The type with `length` inserted at `axis` of the result; unknown rank stays.
Result<TensorType> StackedType(const TensorType& element, int64_t axis, const Dim& length);
/// Stacks tensors of one type along a new `axis`. Without tensors: `element` tells type and shape;
/// dims that are not known count as 0.
Result<Tensor> StackTensors(const std::vector<Tensor>& tensors, int64_t axis,
                            const TensorType& element);
/// Slice `index` of `tensor` along `axis`, which vanishes.
Result<Tensor> SliceTensor(const Tensor& tensor, int64_t axis, int64_t index);

}  // namespace cairn
