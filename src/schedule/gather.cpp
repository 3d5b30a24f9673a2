// SPDX-License-Identifier: Apache-2.0
// Kernels `gather`, `gather_elements`, `gather_nd`, `scatter_elements`, `scatter_nd`: plain tensors
// of any type, indices of i32 or i64 that are checked while the kernel runs.
#include "kernels/movement/gather.h"

#include "schedule/operands.h"

namespace cairn::schedule {
namespace {

template <class Params,
          kernels::Fault (*kRun)(const Params&, const kernels::IndexedBuffers&, int, kernels::Part)>
int RunGatherTask(const void* opaque, void* const* operands, void*, int phase, kernels::Part part) {
  return static_cast<int>(kRun(*static_cast<const Params*>(opaque),
                               {operands[0], operands[1], operands[2], nullptr}, phase, part));
}

template <class Params,
          kernels::Fault (*kRun)(const Params&, const kernels::IndexedBuffers&, int, kernels::Part)>
int RunScatterTask(const void* opaque, void* const* operands, void*, int phase,
                   kernels::Part part) {
  return static_cast<int>(kRun(*static_cast<const Params*>(opaque),
                               {operands[0], operands[1], operands[3], operands[2]}, phase, part));
}

bool IsIndex(const ProgramTensor& tensor) {
  return tensor.layout == Layout::kPlain &&
         (tensor.dtype == ElementType::kI32 || tensor.dtype == ElementType::kI64);
}

/// Data and result of one movable type, plain; indices.
Status CheckIndexed(const BindContext& context, size_t num_inputs) {
  RETURN_IF_ERROR(CheckPresent(context, num_inputs, 1));
  const ProgramTensor &data = context.input(0), &dst = context.output(0);
  if (!MovableBytes(data.dtype) || data.layout != Layout::kPlain ||
      !Is(dst, data.dtype, Layout::kPlain) || !IsIndex(context.input(1))) {
    return context.Invalid("data and result are plain of one type, indices are i32 or i64");
  }
  if (data.dims.size() > kernels::kMaxNdRank ||
      context.input(1).dims.size() > kernels::kMaxNdRank) {
    return context.Invalid("ranks are at most eight");
  }
  return OkStatus();
}

bool Wide(const BindContext& context) { return context.input(1).dtype == ElementType::kI64; }

kernels::NdArray ToNdArray(const std::vector<int64_t>& dims) {
  kernels::NdArray array{};
  for (size_t i = 0; i < dims.size(); ++i) array[i] = dims[i];
  return array;
}

int64_t Product(const std::vector<int64_t>& dims, size_t first, size_t last) {
  int64_t product = 1;
  for (size_t i = first; i < last; ++i) product *= dims[i];
  return product;
}

/// Data and indices of a gather or scatter along an axis agree on all other axes.
Status CheckElements(const BindContext& context, size_t& axis) {
  const ProgramTensor &data = context.input(0), &indices = context.input(1);
  const auto at = NormalAxis(context.task.GetInt("axis", 0), data.dims.size());
  if (!at || indices.dims.size() != data.dims.size()) {
    return context.Invalid("data and indices have the same rank, the axis is one of them");
  }
  axis = *at;
  for (size_t i = 0; i < data.dims.size(); ++i) {
    if (i != axis && indices.dims[i] > data.dims[i]) {
      return context.Invalid("indices are within the data on all other axes");
    }
  }
  return OkStatus();
}

/// Shape of an n-dimensional gather or scatter. `slices`: the tensor of slices.
template <class Params>
Status SetNd(const BindContext& context, size_t batch_dims, const ProgramTensor& slices,
             Params& params) {
  const auto &data = context.input(0).dims, &indices = context.input(1).dims;
  if (indices.empty() || batch_dims + 1 > indices.size()) {
    return context.Invalid("indices have an axis for the position");
  }
  const int64_t depth = indices.back();
  if (depth < 1 || depth > static_cast<int64_t>(data.size() - batch_dims) ||
      batch_dims > data.size()) {
    return context.Invalid("positions are not deeper than the data");
  }
  for (size_t i = 0; i < batch_dims; ++i) {
    if (data[i] != indices[i]) return context.Invalid("batch axes agree");
  }
  params.wide_indices = Wide(context);
  params.batch = Product(data, 0, batch_dims);
  params.num_indices = Product(indices, batch_dims, indices.size() - 1);
  params.depth = static_cast<int32_t>(depth);
  const size_t first_slice = batch_dims + static_cast<size_t>(depth);
  params.slice = Product(data, first_slice, data.size());
  params.dims = ToNdArray(std::vector<int64_t>(data.begin() + static_cast<ptrdiff_t>(batch_dims),
                                               data.begin() + static_cast<ptrdiff_t>(first_slice)));
  if (!ProductFits({params.batch, params.num_indices, params.slice}) ||
      NumElements(slices) != params.batch * params.num_indices * params.slice) {
    return context.Invalid("there is a slice for each position");
  }
  return OkStatus();
}

Result<kernels::ScatterReduction> ReadReduction(const BindContext& context) {
  const int64_t reduction = context.task.GetInt("reduction", 0);
  if (reduction < 0 || reduction > static_cast<int64_t>(kernels::ScatterReduction::kMax) ||
      !kernels::SupportsScatter(context.input(0).dtype,
                                static_cast<kernels::ScatterReduction>(reduction))) {
    return context.Invalid("the reduction is known and has the type");
  }
  return static_cast<kernels::ScatterReduction>(reduction);
}

Status CheckScatter(const BindContext& context) {
  RETURN_IF_ERROR(CheckIndexed(context, 3));
  if (context.output(0).dims != context.input(0).dims ||
      !Is(context.input(2), context.input(0).dtype, Layout::kPlain)) {
    return context.Invalid("result and updates are like the data");
  }
  return OkStatus();
}

}  // namespace

/// Attribute `axis`. The result is data with the axis replaced by the axes of the indices.
Result<BoundTask> BindGather(const BindContext& context) {
  RETURN_IF_ERROR(CheckIndexed(context, 2));
  const ProgramTensor& data = context.input(0);
  const auto axis = NormalAxis(context.task.GetInt("axis", 0), data.dims.size());
  if (!axis) return context.Invalid("the axis is one of the data");
  auto params = std::make_shared<kernels::GatherParams>();
  params->element_bytes = *MovableBytes(data.dtype);
  params->wide_indices = Wide(context);
  params->outer = Product(data.dims, 0, *axis);
  params->axis = data.dims[*axis];
  params->inner = Product(data.dims, *axis + 1, data.dims.size());
  params->num_indices = NumElements(context.input(1));
  if (!ProductFits({params->outer, params->num_indices, params->inner}) ||
      NumElements(context.output(0)) != params->outer * params->num_indices * params->inner) {
    return context.Invalid("the result has a slice for each index");
  }
  return BoundTask{RunGatherTask<kernels::GatherParams, kernels::RunGather>, params,
                   kernels::GatherPhases(*params), 1 << 16, 0};
}

/// Attribute `axis`. Indices and result have the same dims.
Result<BoundTask> BindGatherElements(const BindContext& context) {
  RETURN_IF_ERROR(CheckIndexed(context, 2));
  size_t axis = 0;
  RETURN_IF_ERROR(CheckElements(context, axis));
  const ProgramTensor &data = context.input(0), &indices = context.input(1);
  if (context.output(0).dims != indices.dims)
    return context.Invalid("the result is like the indices");
  auto params = std::make_shared<kernels::GatherElementsParams>();
  params->element_bytes = *MovableBytes(data.dtype);
  params->wide_indices = Wide(context);
  params->rank = static_cast<int32_t>(data.dims.size());
  params->axis = static_cast<int32_t>(axis);
  params->data_dims = ToNdArray(data.dims);
  params->index_dims = ToNdArray(indices.dims);
  return BoundTask{RunGatherTask<kernels::GatherElementsParams, kernels::RunGatherElements>, params,
                   kernels::GatherElementsPhases(*params), 1 << 16, 0};
}

/// Attribute `batch_dims`.
Result<BoundTask> BindGatherNd(const BindContext& context) {
  RETURN_IF_ERROR(CheckIndexed(context, 2));
  const int64_t batch_dims = context.task.GetInt("batch_dims", 0);
  if (batch_dims < 0 || batch_dims >= static_cast<int64_t>(context.input(0).dims.size())) {
    return context.Invalid("batch_dims is less than the rank");
  }
  auto params = std::make_shared<kernels::GatherNdParams>();
  params->element_bytes = *MovableBytes(context.input(0).dtype);
  RETURN_IF_ERROR(SetNd(context, static_cast<size_t>(batch_dims), context.output(0), *params));
  return BoundTask{RunGatherTask<kernels::GatherNdParams, kernels::RunGatherNd>, params,
                   kernels::GatherNdPhases(*params), 1 << 16, 0};
}

/// Inputs: data, indices, updates. Attributes `axis`, `reduction`.
Result<BoundTask> BindScatterElements(const BindContext& context) {
  RETURN_IF_ERROR(CheckScatter(context));
  size_t axis = 0;
  RETURN_IF_ERROR(CheckElements(context, axis));
  const ProgramTensor &data = context.input(0), &indices = context.input(1);
  if (context.input(2).dims != indices.dims) return context.Invalid("updates are like the indices");
  auto params = std::make_shared<kernels::ScatterElementsParams>();
  params->type = data.dtype;
  ASSIGN_OR_RETURN(params->reduction, ReadReduction(context));
  params->wide_indices = Wide(context);
  params->rank = static_cast<int32_t>(data.dims.size());
  params->axis = static_cast<int32_t>(axis);
  params->data_dims = ToNdArray(data.dims);
  params->index_dims = ToNdArray(indices.dims);
  return BoundTask{RunScatterTask<kernels::ScatterElementsParams, kernels::RunScatterElements>,
                   params, kernels::ScatterElementsPhases(*params), 1 << 16, 0};
}

/// Inputs: data, indices, updates. Attribute `reduction`.
Result<BoundTask> BindScatterNd(const BindContext& context) {
  RETURN_IF_ERROR(CheckScatter(context));
  auto params = std::make_shared<kernels::ScatterNdParams>();
  params->type = context.input(0).dtype;
  ASSIGN_OR_RETURN(params->reduction, ReadReduction(context));
  RETURN_IF_ERROR(SetNd(context, 0, context.input(2), *params));
  return BoundTask{RunScatterTask<kernels::ScatterNdParams, kernels::RunScatterNd>, params,
                   kernels::ScatterNdPhases(*params), 1 << 16, 0};
}

}  // namespace cairn::schedule
