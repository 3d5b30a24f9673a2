// SPDX-License-Identifier: Apache-2.0
// ONNX tensors, element types and value types in our terms.
#pragma once

#include "base/status.h"
#include "frontend/onnx/cairn_onnx.pb.h"
#include "frontend/onnx/external_data.h"
#include "ir/tensor.h"
#include "ir/type.h"

namespace cairn::onnx {

/// The element type of a TensorProto data type number; the error lists what is unknown about it.
Result<ElementType> ImportElementType(int32_t data_type);
/// The data type number of an element type.
int32_t ExportElementType(ElementType type);

/// The tensor of `proto`; large raw contents are moved out of it instead of copied. Errors say what
/// does not fit (count, bytes, sizes) without the tensor's name, which the caller knows.
Result<Tensor> ImportTensor(TensorProto& proto, ExternalData& external);
/// A sparse tensor, made dense.
Result<Tensor> ImportSparseTensor(SparseTensorProto& proto, ExternalData& external);

/// The type of a value; dims without a value are symbols named by dim_param, or `name`.axis.
/// Absent shape: unknown rank. Maps and sequences of sequences are kUnsupported.
Result<TensorType> ImportType(const TypeProto& proto, std::string_view name);

/// A dimension for `dim_param` text: an expression, or a symbol with other characters replaced.
Dim ImportDimParam(std::string_view text);

}  // namespace cairn::onnx
