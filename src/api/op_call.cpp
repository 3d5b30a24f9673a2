// SPDX-License-Identifier: Apache-2.0
// Operands, preparation, queueing.
#include "api/op_call.h"

#include <cstring>

#include "api/data_buffer.h"
#include "api/data_types.h"
#include "api/handles.h"
#include "api/op_attr.h"
#include "api/tensor_desc.h"
#include "runtime/runtime.h"

namespace cairn::api {
namespace {

using runtime::Runtime;

constexpr CodePair kBadStream{Code::kNotFound, ACL_ERROR_RT_PARAM_INVALID};
/// Integer inputs up to this size (shapes, axes, counts) are read when an operator must know them.
constexpr size_t kMaxConstantBytes = 1024;

bool IsAbsent(const aclTensorDesc& desc) { return desc.type == ACL_DT_UNDEFINED; }

bool IsKnown(const std::vector<int64_t>& dims) {
  for (const int64_t dim : dims)
    if (dim < 0) return false;
  return true;
}

Answer CheckFormat(const char* kind, int index, const aclTensorDesc& desc) {
  const aclFormat format =
      desc.storage_format == ACL_FORMAT_UNDEFINED ? desc.format : desc.storage_format;
  const bool plain = format == ACL_FORMAT_UNDEFINED || format == ACL_FORMAT_NCHW ||
                     format == ACL_FORMAT_NHWC || format == ACL_FORMAT_ND ||
                     format == ACL_FORMAT_HWCN || format == ACL_FORMAT_NCDHW ||
                     format == ACL_FORMAT_NDHWC;
  if (plain) return {};
  return NotSupported(StrCat("Format ", static_cast<int>(format), " of ", kind, " ", index),
                      "operators take plain formats");
}

Answer MakeType(const char* kind, int index, const aclTensorDesc& desc, ElementType& dtype) {
  ACL_RETURN_IF_FAILED(CheckFormat(kind, index, desc));
  dtype = FromAcl(desc.type);
  if (dtype != ElementType::kUndefined || IsAbsent(desc)) return {};
  return InvalidArgument(StrCat(kind, "Desc[", index, "]").c_str(), static_cast<int>(desc.type),
                         "the data type is not available", ACL_ERROR_UNSUPPORTED_DATA_TYPE);
}

Answer AddInput(int index, const aclTensorDesc* desc, const aclDataBuffer* buffer, OpCall& call) {
  if (desc == nullptr) return NullArgument("inputDesc[]");
  runtime::OperatorInput input;
  ACL_RETURN_IF_FAILED(MakeType("input", index, *desc, input.dtype));
  input.dims = desc->dims;
  input.constant = desc->constant;
  const bool on_host = desc->placement != ACL_MEMTYPE_DEVICE;
  if (!input.constant && on_host && buffer != nullptr && buffer->data != nullptr)
    input.constant = std::string(static_cast<const char*>(buffer->data), buffer->size);
  call.spec.inputs.push_back(std::move(input));
  call.inputs.push_back(buffer == nullptr ? OpBuffer{} : OpBuffer{buffer->data, buffer->size});
  return {};
}

Answer AddOutput(int index, const aclTensorDesc* desc, const aclDataBuffer* buffer, OpCall& call) {
  if (desc == nullptr) return NullArgument("outputDesc[]");
  runtime::OperatorOutput output;
  ACL_RETURN_IF_FAILED(MakeType("output", index, *desc, output.dtype));
  if (IsKnown(desc->dims) && !IsAbsent(*desc)) output.dims = desc->dims;
  call.spec.outputs.push_back(std::move(output));
  call.outputs.push_back(buffer == nullptr ? OpBuffer{} : OpBuffer{buffer->data, buffer->size});
  return {};
}

bool Overlap(const runtime::Buffer& a, const runtime::Buffer& b) {
  const auto* a_begin = static_cast<const char*>(a.data);
  const auto* b_begin = static_cast<const char*>(b.data);
  return a_begin < b_begin + b.bytes && b_begin < a_begin + a.bytes;
}

/// Runs; an output that shares memory with an input is computed apart and copied.
Status RunOp(const PreparedOp& op, uint32_t stream_id) {
  std::vector<runtime::Buffer> outputs = op.outputs;
  std::vector<std::vector<std::byte>> apart(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (const runtime::Buffer& input : op.inputs) {
      if (!Overlap(outputs[i], input) || !apart[i].empty()) continue;
      apart[i].resize(op.model->program().outputs[i].bytes);
      outputs[i] = {apart[i].data(), apart[i].size()};
    }
  }
  RETURN_IF_ERROR(op.model->Run(op.inputs, outputs, stream_id));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!apart[i].empty()) std::memcpy(op.outputs[i].data, apart[i].data(), apart[i].size());
  return OkStatus();
}

/// Sizes are judged before the run is queued, so that the caller learns of a mistake at once.
Answer CheckBuffers(const PreparedOp& op) {
  const Program& program = op.model->program();
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    bool is_exact = true;
    ACL_RETURN_IF_FAILED(
        From(runtime::CheckInputBytes(i, program.inputs[i], op.inputs[i].bytes, &is_exact),
             {{Code::kInvalidArgument, ACL_ERROR_INVALID_PARAM}}));
    if (op.inputs[i].data == nullptr && op.inputs[i].bytes > 0)
      return InvalidArgument("inputs[]", i, "its buffer has no memory");
  }
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    if (op.outputs[i].bytes < program.outputs[i].bytes || op.outputs[i].data == nullptr)
      return InvalidArgument("outputs[]", i,
                             StrCat("its buffer has ", op.outputs[i].bytes, " bytes, the output ",
                                    program.outputs[i].bytes));
  }
  return {};
}

/// Small integer inputs become constants of the compiled operator.
void ReadConstants(OpCall& call) {
  for (size_t i = 0; i < call.spec.inputs.size(); ++i) {
    runtime::OperatorInput& input = call.spec.inputs[i];
    const OpBuffer& buffer = call.inputs[i];
    if (input.constant || !IsInteger(input.dtype) || buffer.data == nullptr) continue;
    uint64_t count = 1;
    for (const int64_t dim : input.dims)
      if (dim < 0 || __builtin_mul_overflow(count, static_cast<uint64_t>(dim), &count)) return;
    const uint64_t bytes = count <= kMaxConstantBytes ? ElementBytes(input.dtype, count) : 0;
    if (bytes == 0 || bytes > kMaxConstantBytes || bytes > buffer.bytes) continue;
    input.constant = std::string(static_cast<const char*>(buffer.data), bytes);
  }
}

}  // namespace

Answer FindAnswer(const Status& status) {
  return From(status, {{Code::kNotFound, ACL_ERROR_OP_NOT_FOUND},
                       {Code::kInvalidArgument, ACL_ERROR_INVALID_PARAM},
                       {Code::kFailedPrecondition, ACL_ERROR_OP_INPUT_NOT_MATCH},
                       {Code::kInternal, ACL_ERROR_GE_FAILURE}});
}

Answer Prepare(OpCall& call, aclrtStream stream, PreparedOp& op) {
  Runtime& runtime = Runtime::Get();
  ACL_ASSIGN(const int device_id, runtime.CurrentDevice());
  ACL_ASSIGN(device::Device * device, runtime.FindDevice(device_id));
  auto model = runtime::Operators::Get().Find(call.spec, device_id, *device);
  if (model.status().code() == Code::kFailedPrecondition) {
    ACL_ASSIGN(const auto found, runtime.FindStream(ToHandle(stream)), kBadStream);
    ACL_RETURN_IF_FAILED(found->Synchronize());
    ReadConstants(call);
    model = runtime::Operators::Get().Find(call.spec, device_id, *device);
  }
  if (!model.ok()) return FindAnswer(model.status());
  op.model = *model;
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    const runtime::OperatorInput& input = call.spec.inputs[i];
    if (input.constant || input.dtype == ElementType::kUndefined) continue;
    op.inputs.push_back({call.inputs[i].data, call.inputs[i].bytes});
  }
  for (const OpBuffer& buffer : call.outputs) op.outputs.push_back({buffer.data, buffer.bytes});
  return {};
}

Answer Enqueue(PreparedOp op, aclrtStream stream) {
  ACL_ASSIGN(const auto found, Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
  ACL_RETURN_IF_FAILED(CheckBuffers(op));
  found->Enqueue([op = std::move(op), id = found->id()] { return RunOp(op, id); });
  return {};
}

Answer MakeCall(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
                const aclDataBuffer* const inputs[], int numOutputs,
                const aclTensorDesc* const outputDesc[], aclDataBuffer* const outputs[],
                const aclopAttr* attr, OpCall& call) {
  ACL_REQUIRE(opType);
  if (numInputs < 0) return InvalidArgument("numInputs", numInputs, "it must not be negative");
  if (numOutputs < 0) return InvalidArgument("numOutputs", numOutputs, "it must not be negative");
  if (numInputs > 0) ACL_REQUIRE(inputDesc);
  if (numOutputs > 0) ACL_REQUIRE(outputDesc);
  call.spec.type = opType;
  for (int i = 0; i < numInputs; ++i)
    ACL_RETURN_IF_FAILED(AddInput(i, inputDesc[i], inputs ? inputs[i] : nullptr, call));
  for (int i = 0; i < numOutputs; ++i)
    ACL_RETURN_IF_FAILED(AddOutput(i, outputDesc[i], outputs ? outputs[i] : nullptr, call));
  if (attr != nullptr) call.spec.attributes = attr->values;
  return {};
}

}  // namespace cairn::api
