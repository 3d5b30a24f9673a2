// SPDX-License-Identifier: Apache-2.0
// Operators by name: compilation, execution, handles.
#include <sys/stat.h>

#include "acl/acl_op.h"
#include "acl/acl_op_compiler.h"
#include "api/data_types.h"
#include "api/op_call.h"
#include "api/tensor_desc.h"

/// The type behind aclopHandle: an operator without its buffers.
struct aclopHandle {
  cairn::runtime::OperatorSpec spec;
};

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

bool IsOpen(const std::vector<int64_t>& dims) {
  for (const int64_t dim : dims)
    if (dim < 0) return true;
  return false;
}

/// Shapes that are not known yet: the operator is compiled when it is called.
bool HasOpenInput(const OpCall& call) {
  for (const runtime::OperatorInput& input : call.spec.inputs)
    if (IsOpen(input.dims)) return true;
  return false;
}

Answer Compile(OpCall& call) {
  if (HasOpenInput(call)) return {};
  PreparedOp op;
  Answer answer = Prepare(call, nullptr, op);
  // Constants may come with the call.
  if (answer.code == ACL_ERROR_OP_INPUT_NOT_MATCH) return {};
  return answer;
}

Answer Execute(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
               const aclDataBuffer* const inputs[], int numOutputs,
               const aclTensorDesc* const outputDesc[], aclDataBuffer* const outputs[],
               const aclopAttr* attr, aclrtStream stream, PreparedOp& op) {
  if (numInputs > 0) ACL_REQUIRE(inputs);
  if (numOutputs > 0) ACL_REQUIRE(outputs);
  OpCall call;
  ACL_RETURN_IF_FAILED(MakeCall(opType, numInputs, inputDesc, inputs, numOutputs, outputDesc,
                                outputs, attr, call));
  ACL_RETURN_IF_FAILED(Prepare(call, stream, op));
  return Enqueue(op, stream);
}

/// Writes what the operator gives into descriptions that left dims or type open.
void FillDescs(const runtime::Model& model, int numOutputs, aclTensorDesc* outputDesc[]) {
  for (int i = 0; i < numOutputs; ++i) {
    const ProgramIo& output = model.program().outputs[i];
    if (IsOpen(outputDesc[i]->dims)) outputDesc[i]->dims = output.dims;
    if (outputDesc[i]->type == ACL_DT_UNDEFINED) {
      outputDesc[i]->type = ToAcl(output.dtype);
      outputDesc[i]->dims = output.dims;
    }
  }
}

Answer CheckOpPath(const char* opPath) {
  if (opPath == nullptr) return {};
  return InvalidArgument("opPath", opPath, "it must be null");
}

Answer MakeCastHandle(aclTensorDesc* srcDesc, aclTensorDesc* dstDesc, aclopHandle** handle) {
  ACL_REQUIRE(handle);
  OpCall call;
  ACL_RETURN_IF_FAILED(MakeCall("Cast", 1, &srcDesc, nullptr, 1, &dstDesc, nullptr, nullptr, call));
  ACL_RETURN_IF_FAILED(Compile(call));
  *handle = new aclopHandle{std::move(call.spec)};
  return {};
}

}  // namespace

aclError aclopSetModelDir(const char* modelDir) {
  return Guard("aclopSetModelDir", [&]() -> Answer {
    ACL_REQUIRE(modelDir);
    struct stat info{};
    if (::stat(modelDir, &info) != 0 || !S_ISDIR(info.st_mode))
      return {ACL_ERROR_READ_MODEL_FAILURE, Kind::kFile,
              StrCat("Path ", modelDir, " is invalid. Reason: there is no such folder.")};
    return {};
  });
}

aclError aclopLoad(const void* model, size_t modelSize) {
  return Guard("aclopLoad", [&]() -> Answer {
    ACL_REQUIRE(model);
    if (modelSize == 0) return InvalidArgument("modelSize", 0, "it must be positive");
    return {};
  });
}

aclError aclopCompile(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
                      int numOutputs, const aclTensorDesc* const outputDesc[],
                      const aclopAttr* attr, aclopEngineType, aclopCompileType,
                      const char* opPath) {
  return Guard("aclopCompile", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckOpPath(opPath));
    OpCall call;
    ACL_RETURN_IF_FAILED(MakeCall(opType, numInputs, inputDesc, nullptr, numOutputs, outputDesc,
                                  nullptr, attr, call));
    return Compile(call);
  });
}

aclError aclopExecute(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
                      const aclDataBuffer* const inputs[], int numOutputs,
                      const aclTensorDesc* const outputDesc[], aclDataBuffer* const outputs[],
                      const aclopAttr* attr, aclrtStream stream) {
  return Guard("aclopExecute", [&] {
    PreparedOp op;
    return Execute(opType, numInputs, inputDesc, inputs, numOutputs, outputDesc, outputs, attr,
                   stream, op);
  });
}

aclError aclopExecuteV2(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                        aclDataBuffer* inputs[], int numOutputs, aclTensorDesc* outputDesc[],
                        aclDataBuffer* outputs[], aclopAttr* attr, aclrtStream stream) {
  return Guard("aclopExecuteV2", [&]() -> Answer {
    PreparedOp op;
    ACL_RETURN_IF_FAILED(Execute(opType, numInputs, inputDesc, inputs, numOutputs, outputDesc,
                                 outputs, attr, stream, op));
    FillDescs(*op.model, numOutputs, outputDesc);
    return {};
  });
}

aclError aclopCompileAndExecute(const char* opType, int numInputs,
                                const aclTensorDesc* const inputDesc[],
                                const aclDataBuffer* const inputs[], int numOutputs,
                                const aclTensorDesc* const outputDesc[],
                                aclDataBuffer* const outputs[], const aclopAttr* attr,
                                aclopEngineType, aclopCompileType, const char* opPath,
                                aclrtStream stream) {
  return Guard("aclopCompileAndExecute", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckOpPath(opPath));
    PreparedOp op;
    return Execute(opType, numInputs, inputDesc, inputs, numOutputs, outputDesc, outputs, attr,
                   stream, op);
  });
}

aclError aclopCompileAndExecuteV2(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                                  aclDataBuffer* inputs[], int numOutputs,
                                  aclTensorDesc* outputDesc[], aclDataBuffer* outputs[],
                                  aclopAttr* attr, aclopEngineType, aclopCompileType,
                                  const char* opPath, aclrtStream stream) {
  return Guard("aclopCompileAndExecuteV2", [&]() -> Answer {
    ACL_RETURN_IF_FAILED(CheckOpPath(opPath));
    PreparedOp op;
    ACL_RETURN_IF_FAILED(Execute(opType, numInputs, inputDesc, inputs, numOutputs, outputDesc,
                                 outputs, attr, stream, op));
    FillDescs(*op.model, numOutputs, outputDesc);
    return {};
  });
}

aclError aclopInferShape(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                         aclDataBuffer* inputs[], int numOutputs, aclTensorDesc* outputDesc[],
                         aclopAttr* attr) {
  return Guard("aclopInferShape", [&]() -> Answer {
    OpCall call;
    ACL_RETURN_IF_FAILED(MakeCall(opType, numInputs, inputDesc, inputs, numOutputs, outputDesc,
                                  nullptr, attr, call));
    for (runtime::OperatorOutput& output : call.spec.outputs) output = {};
    PreparedOp op;
    ACL_RETURN_IF_FAILED(Prepare(call, nullptr, op));
    for (int i = 0; i < numOutputs; ++i) {
      outputDesc[i]->dims = op.model->program().outputs[i].dims;
      outputDesc[i]->type = ToAcl(op.model->program().outputs[i].dtype);
    }
    return {};
  });
}

aclError aclopCast(const aclTensorDesc* srcDesc, const aclDataBuffer* srcBuffer,
                   const aclTensorDesc* dstDesc, aclDataBuffer* dstBuffer, uint8_t,
                   aclrtStream stream) {
  return Guard("aclopCast", [&] {
    PreparedOp op;
    return Execute("Cast", 1, &srcDesc, &srcBuffer, 1, &dstDesc, &dstBuffer, nullptr, stream, op);
  });
}

aclError aclopCreateHandle(const char* opType, int numInputs,
                           const aclTensorDesc* const inputDesc[], int numOutputs,
                           const aclTensorDesc* const outputDesc[], const aclopAttr* opAttr,
                           aclopHandle** handle) {
  return Guard("aclopCreateHandle", [&]() -> Answer {
    ACL_REQUIRE(handle);
    OpCall call;
    ACL_RETURN_IF_FAILED(MakeCall(opType, numInputs, inputDesc, nullptr, numOutputs, outputDesc,
                                  nullptr, opAttr, call));
    ACL_RETURN_IF_FAILED(Compile(call));
    *handle = new aclopHandle{std::move(call.spec)};
    return {};
  });
}

aclError aclopCreateHandleForCast(aclTensorDesc* srcDesc, aclTensorDesc* dstDesc, uint8_t,
                                  aclopHandle** handle) {
  return Guard("aclopCreateHandleForCast", [&] { return MakeCastHandle(srcDesc, dstDesc, handle); });
}

void aclopDestroyHandle(aclopHandle* handle) { delete handle; }

aclError aclopExecWithHandle(aclopHandle* handle, int numInputs,
                             const aclDataBuffer* const inputs[], int numOutputs,
                             aclDataBuffer* const outputs[], aclrtStream stream) {
  return Guard("aclopExecWithHandle", [&]() -> Answer {
    ACL_REQUIRE(handle);
    const auto& spec = handle->spec;
    if (numInputs != static_cast<int>(spec.inputs.size()))
      return InvalidArgument("numInputs", numInputs,
                             StrCat("the operator has ", spec.inputs.size(), " inputs"));
    if (numOutputs != static_cast<int>(spec.outputs.size()))
      return InvalidArgument("numOutputs", numOutputs,
                             StrCat("the operator has ", spec.outputs.size(), " outputs"));
    OpCall call{spec, {}, {}};
    for (int i = 0; i < numInputs; ++i) {
      ACL_REQUIRE(inputs[i]);
      call.inputs.push_back({aclGetDataBufferAddr(inputs[i]), aclGetDataBufferSizeV2(inputs[i])});
    }
    for (int i = 0; i < numOutputs; ++i) {
      ACL_REQUIRE(outputs[i]);
      call.outputs.push_back(
          {aclGetDataBufferAddr(outputs[i]), aclGetDataBufferSizeV2(outputs[i])});
    }
    PreparedOp op;
    ACL_RETURN_IF_FAILED(Prepare(call, stream, op));
    return Enqueue(std::move(op), stream);
  });
}
