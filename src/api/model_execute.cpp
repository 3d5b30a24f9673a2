// SPDX-License-Identifier: Apache-2.0
// Execution of models, synchronous and in streams.
#include <cstring>
#include <functional>
#include <optional>

#include "acl/acl_mdl.h"
#include "api/call.h"
#include "api/data_types.h"
#include "api/dataset.h"
#include "api/handles.h"
#include "api/model_desc.h"
#include "profile/session.h"
#include "runtime/runtime.h"

/// The type behind aclmdlExecConfigHandle.
struct aclmdlExecConfigHandle {
  int32_t stream_timeout_ms = -1;
  int32_t event_timeout_ms = -1;
};

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT
using runtime::Runtime;

namespace {

constexpr CodePair kNoModel{Code::kNotFound, ACL_ERROR_GE_EXEC_MODEL_ID_INVALID};
constexpr CodePair kBadStream{Code::kNotFound, ACL_ERROR_RT_PARAM_INVALID};

/// How a failed run is answered.
Answer RunAnswer(const Status& status) {
  return From(status, {{Code::kInvalidArgument, ACL_ERROR_GE_PARAM_INVALID},
                       {Code::kInternal, ACL_ERROR_RT_MODEL_EXECUTE}});
}

/// As RunAnswer for a model of open shapes: shapes and buffers are judged during the run.
Answer OpenAnswer(const Status& status) {
  return From(status, {{Code::kInvalidArgument, ACL_ERROR_INVALID_PARAM},
                       {Code::kInternal, ACL_ERROR_RT_MODEL_EXECUTE}});
}

/// The buffers of a dataset, in `list`, whose storage is reused.
Answer Collect(const aclmdlDataset& dataset, std::vector<runtime::Buffer>& list) {
  list.clear();
  for (const auto& entry : dataset.entries)
    list.push_back({entry.buffer->data, entry.buffer->size});
  return {};
}

/// Empty output buffers get device memory that the user releases with aclrtFree.
Answer AllocateEmpty(const Program& program, aclmdlDataset& output) {
  const size_t count = std::min(output.entries.size(), program.outputs.size());
  for (size_t i = 0; i < count; ++i) {
    aclDataBuffer& buffer = *output.entries[i].buffer;
    if (buffer.data != nullptr || buffer.size != 0 || program.outputs[i].bytes == 0) continue;
    ACL_ASSIGN(buffer.data, Runtime::Get().AllocateOnDevice(program.outputs[i].bytes));
    buffer.size = program.outputs[i].bytes;
  }
  return {};
}

/// Buffer lists of the calling thread, so that a run allocates nothing.
struct BufferLists {
  std::vector<runtime::Buffer> inputs, outputs;
};

/// Writes what an open model made into the dataset: dims, and buffers it allocated.
void Describe(const Program& program, const runtime::ShapeList& dims,
              std::span<const runtime::Buffer> buffers, aclmdlDataset& output) {
  for (size_t i = 0; i < dims.size(); ++i) {
    aclmdlDataset::Entry& entry = output.entries[i];
    entry.buffer->data = buffers[i].data;
    entry.buffer->size = buffers[i].bytes;
    const ProgramIo& io = program.outputs[i];
    entry.desc.reset(new aclTensorDesc[1]);
    entry.desc[0].type = ToAcl(io.dtype);
    entry.desc[0].format = FormatOf(io);
    entry.desc[0].dims = dims[i];
    entry.desc[0].name = io.name;
  }
}

/// Runs a model of open shapes with the shapes of the datasets. `may_allocate`: empty output buffers
/// get device memory that the user releases with aclrtFree.
Status RunOpen(runtime::Model& model, const aclmdlDataset& input, aclmdlDataset& output,
               bool may_allocate, uint32_t stream_id) {
  BufferLists lists;
  (void)Collect(input, lists.inputs);
  (void)Collect(output, lists.outputs);
  std::vector<std::optional<std::vector<int64_t>>> dims;
  for (const auto& entry : input.entries) {
    dims.emplace_back();
    if (entry.desc != nullptr) dims.back() = entry.desc[0].dims;
  }
  std::function<Result<void*>(uint64_t)> allocate;
  if (may_allocate)
    allocate = [](uint64_t bytes) { return Runtime::Get().AllocateOnDevice(bytes); };
  runtime::ShapeList output_dims;
  RETURN_IF_ERROR(
      model.RunOpen(lists.inputs, dims, lists.outputs, output_dims, allocate, stream_id));
  Describe(model.program(), output_dims, lists.outputs, output);
  return OkStatus();
}

Answer ExecuteNow(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output) {
  ACL_REQUIRE(input);
  ACL_REQUIRE(output);
  Runtime& runtime = Runtime::Get();
  ACL_ASSIGN(std::ignore, runtime.CurrentContext());
  ACL_ASSIGN(const auto model, runtime.FindModel(modelId), kNoModel);
  if (model->is_open()) return OpenAnswer(RunOpen(*model, *input, *output, true, 0));
  ACL_RETURN_IF_FAILED(AllocateEmpty(model->program(), *output));
  thread_local BufferLists lists;
  ACL_RETURN_IF_FAILED(Collect(*input, lists.inputs));
  ACL_RETURN_IF_FAILED(Collect(*output, lists.outputs));
  profile::RecordLaunch(modelId, static_cast<uint32_t>(model->device_id()), 0);
  return RunAnswer(model->Run(lists.inputs, lists.outputs, 0));
}

/// Queues the run behind the work of `stream`; failures surface at its synchronisation.
Answer ExecuteInStream(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output,
                       aclrtStream stream) {
  ACL_REQUIRE(input);
  ACL_REQUIRE(output);
  Runtime& runtime = Runtime::Get();
  ACL_ASSIGN(const auto model, runtime.FindModel(modelId), kNoModel);
  ACL_ASSIGN(const auto found, runtime.FindStream(ToHandle(stream)), kBadStream);
  if (model->is_open()) {
    const uint32_t id = found->id();
    found->Enqueue([model, input, output, id] { return RunOpen(*model, *input, *output, false, id); });
    return {};
  }
  auto lists = std::make_shared<BufferLists>();
  ACL_RETURN_IF_FAILED(Collect(*input, lists->inputs));
  ACL_RETURN_IF_FAILED(Collect(*output, lists->outputs));
  const uint32_t stream_id = found->id();
  profile::RecordLaunch(modelId, static_cast<uint32_t>(model->device_id()), stream_id);
  found->Enqueue(
      [model, lists, stream_id] { return model->Run(lists->inputs, lists->outputs, stream_id); });
  return {};
}

}  // namespace

aclError aclmdlExecute(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output) {
  return Guard("aclmdlExecute", [&] { return ExecuteNow(modelId, input, output); });
}

aclError aclmdlExecuteAsync(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output,
                            aclrtStream stream) {
  return Guard("aclmdlExecuteAsync",
               [&] { return ExecuteInStream(modelId, input, output, stream); });
}

aclError aclmdlExecuteAsyncV2(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output,
                              aclrtStream stream, const aclmdlExecConfigHandle* handle) {
  return Guard("aclmdlExecuteAsyncV2", [&]() -> Answer {
    ACL_REQUIRE(handle);
    return ExecuteInStream(modelId, input, output, stream);
  });
}

aclError aclmdlExecuteV2(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output,
                         aclrtStream stream, const aclmdlExecConfigHandle* handle) {
  return Guard("aclmdlExecuteV2", [&]() -> Answer {
    ACL_REQUIRE(handle);
    ACL_RETURN_IF_FAILED(ExecuteInStream(modelId, input, output, stream));
    ACL_ASSIGN(const auto found, Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
    return RunAnswer(found->Synchronize(ToTimeout(handle->stream_timeout_ms)));
  });
}

aclmdlExecConfigHandle* aclmdlCreateExecConfigHandle() {
  return GuardValue<aclmdlExecConfigHandle*>("aclmdlCreateExecConfigHandle", nullptr,
                                             [](auto& handle) -> Answer {
                                               handle = new aclmdlExecConfigHandle;
                                               return {};
                                             });
}

aclError aclmdlDestroyExecConfigHandle(const aclmdlExecConfigHandle* handle) {
  return Guard("aclmdlDestroyExecConfigHandle", [&]() -> Answer {
    ACL_REQUIRE(handle);
    delete handle;
    return {};
  });
}

aclError aclmdlSetExecConfigOpt(aclmdlExecConfigHandle* handle, aclmdlExecConfigAttr attr,
                                const void* attrValue, size_t valueSize) {
  return Guard("aclmdlSetExecConfigOpt", [&]() -> Answer {
    ACL_REQUIRE(handle);
    ACL_REQUIRE(attrValue);
    if (attr != ACL_MDL_STREAM_SYNC_TIMEOUT && attr != ACL_MDL_EVENT_SYNC_TIMEOUT)
      return InvalidArgument("attr", static_cast<int>(attr), "the attribute is not available");
    int32_t timeout_ms = 0;
    if (valueSize != sizeof(timeout_ms))
      return InvalidArgument("valueSize", valueSize, "the attribute has 4 bytes");
    std::memcpy(&timeout_ms, attrValue, sizeof(timeout_ms));
    if (timeout_ms < -1) return InvalidArgument("attrValue", timeout_ms, "it must be -1 or more");
    (attr == ACL_MDL_STREAM_SYNC_TIMEOUT ? handle->stream_timeout_ms : handle->event_timeout_ms) =
        timeout_ms;
    return {};
  });
}

aclError aclmdlCreateAndGetOpDesc(uint32_t, uint32_t, uint32_t taskId, char* opName, size_t,
                                  aclTensorDesc** inputDesc, size_t* numInputs,
                                  aclTensorDesc** outputDesc, size_t* numOutputs) {
  return Guard("aclmdlCreateAndGetOpDesc", [&]() -> Answer {
    ACL_REQUIRE(opName);
    ACL_REQUIRE(inputDesc);
    ACL_REQUIRE(numInputs);
    ACL_REQUIRE(outputDesc);
    ACL_REQUIRE(numOutputs);
    return {ACL_ERROR_FAILURE, Kind::kInner,
            StrCat("Task ", taskId,
                   " keeps no operator description; the text of the failed "
                   "execution names the operator.")};
  });
}
