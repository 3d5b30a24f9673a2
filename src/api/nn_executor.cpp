// SPDX-License-Identifier: Apache-2.0
// Preparation of two-phase calls, and runs over strided views.
#include "api/nn_executor.h"

#include <cstring>
#include <memory>

#include "api/data_types.h"
#include "api/handles.h"
#include "runtime/runtime.h"

namespace cairn::api {
namespace {

constexpr CodePair kBadStream{Code::kNotFound, ACL_ERROR_RT_PARAM_INVALID};

/// Codes of this interface for failures of the operator layer.
aclnnStatus NnCode(aclError code) {
  switch (code) {
    case ACL_SUCCESS:
      return OK;
    case ACL_ERROR_INVALID_PARAM:
    case ACL_ERROR_UNSUPPORTED_DATA_TYPE:
    case ACL_ERROR_OP_INPUT_NOT_MATCH:
      return kNnInvalidArgument;
    default:
      return kNnInner;
  }
}

bool IsDense(const aclTensor& tensor) {
  int64_t expected = 1;
  for (size_t i = tensor.dims.size(); i-- > 0;) {
    if (tensor.dims[i] != 1 && tensor.strides[i] != expected) return false;
    expected *= tensor.dims[i];
  }
  return true;
}

std::byte* Begin(const aclTensor& tensor) {
  return static_cast<std::byte*>(tensor.data) +
         tensor.offset * static_cast<int64_t>(aclDataTypeSize(tensor.type));
}

size_t DenseBytes(const aclTensor& tensor) {
  size_t bytes = aclDataTypeSize(tensor.type);
  for (const int64_t dim : tensor.dims) bytes *= static_cast<size_t>(dim);
  return bytes;
}

/// Copies between the view and dense memory, row by row of its last axis.
template <class CopyElement>
void Walk(const aclTensor& view, size_t axis, std::byte* at, std::byte*& dense,
          const CopyElement& copy) {
  const size_t size = aclDataTypeSize(view.type);
  if (axis == view.dims.size()) {
    copy(at, dense, size);
    dense += size;
    return;
  }
  for (int64_t i = 0; i < view.dims[axis]; ++i)
    Walk(view, axis + 1, at + i * view.strides[axis] * static_cast<int64_t>(size), dense, copy);
}

void Pack(const aclTensor& view, std::byte* dense) {
  Walk(view, 0, Begin(view), dense,
       [](std::byte* at, std::byte* to, size_t size) { std::memcpy(to, at, size); });
}

void Unpack(std::byte* dense, const aclTensor& view) {
  Walk(view, 0, Begin(view), dense,
       [](std::byte* at, std::byte* from, size_t size) { std::memcpy(at, from, size); });
}

/// Runs on dense memory: views that are not dense, and every output, go through copies, so that
/// outputs may share memory with inputs.
Status Run(const aclOpExecutor& executor, uint32_t stream_id) {
  std::vector<std::vector<std::byte>> dense;
  std::vector<runtime::Buffer> inputs, outputs;
  for (const aclTensor& view : executor.inputs) {
    if (IsDense(view)) {
      inputs.push_back({Begin(view), DenseBytes(view)});
      continue;
    }
    dense.emplace_back(DenseBytes(view));
    Pack(view, dense.back().data());
    inputs.push_back({dense.back().data(), dense.back().size()});
  }
  for (const aclTensor& view : executor.outputs) {
    dense.emplace_back(DenseBytes(view));
    outputs.push_back({dense.back().data(), dense.back().size()});
  }
  RETURN_IF_ERROR(executor.op.model->Run(inputs, outputs, stream_id));
  for (size_t i = 0; i < outputs.size(); ++i)
    Unpack(static_cast<std::byte*>(outputs[i].data), executor.outputs[i]);
  return OkStatus();
}

Answer CheckView(const aclTensor& tensor) {
  for (const int64_t dim : tensor.dims)
    if (dim < 0) return InvalidArgument("viewDims", dim, "it must not be negative");
  if (FromAcl(tensor.type) == ElementType::kUndefined)
    return InvalidArgument("dataType", static_cast<int>(tensor.type), "the type is not available");
  return {};
}

Answer Make(const char* type, std::initializer_list<const aclTensor*> inputs, const aclTensor& out,
            NnAttributes attributes, std::unique_ptr<aclOpExecutor>& executor) {
  OpCall call;
  call.spec.type = type;
  executor = std::make_unique<aclOpExecutor>();
  for (const aclTensor* input : inputs) {
    ACL_RETURN_IF_FAILED(CheckView(*input));
    call.spec.inputs.push_back({FromAcl(input->type), input->dims, {}});
    executor->inputs.push_back(*input);
  }
  ACL_RETURN_IF_FAILED(CheckView(out));
  call.spec.outputs.push_back({FromAcl(out.type), out.dims});
  executor->outputs.push_back(out);
  for (const auto& [name, value] : attributes) call.spec.attributes[name] = value;
  call.inputs.resize(call.spec.inputs.size());
  call.outputs.resize(1);
  return Prepare(call, nullptr, executor->op);
}

}  // namespace

aclnnStatus NnNull(const char* function, const char* name) {
  Answer answer = NullArgument(name);
  answer.code = kNnNullPointer;
  return Guard(function, [&] { return answer; });
}

aclnnStatus PrepareNn(const char* function, const char* type,
                      std::initializer_list<const aclTensor*> inputs, const aclTensor* out,
                      NnAttributes attributes, uint64_t* workspaceSize, aclOpExecutor** executor) {
  for (const aclTensor* input : inputs)
    if (input == nullptr) return NnNull(function, "self or other");
  if (out == nullptr) return NnNull(function, "out");
  if (workspaceSize == nullptr) return NnNull(function, "workspaceSize");
  if (executor == nullptr) return NnNull(function, "executor");
  std::unique_ptr<aclOpExecutor> made;
  const aclError code =
      Guard(function, [&] { return Make(type, inputs, *out, attributes, made); });
  if (code != ACL_SUCCESS) return NnCode(code);
  *workspaceSize = 0;
  *executor = made.release();
  return OK;
}

aclnnStatus LaunchNn(const char* function, aclOpExecutor* executor, aclrtStream stream) {
  if (executor == nullptr) return NnNull(function, "executor");
  std::shared_ptr<aclOpExecutor> owned(executor);
  return NnCode(Guard(function, [&]() -> Answer {
    ACL_ASSIGN(const auto found, runtime::Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
    for (const auto* views : {&owned->inputs, &owned->outputs})
      for (const aclTensor& view : *views)
        if (view.data == nullptr && DenseBytes(view) > 0) return NullArgument("tensorData");
    found->Enqueue([owned, id = found->id()] { return Run(*owned, id); });
    return {};
  }));
}

}  // namespace cairn::api
