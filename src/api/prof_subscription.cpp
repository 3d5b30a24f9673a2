// SPDX-License-Identifier: Apache-2.0
// Subscriptions that deliver the times of every operator through a file descriptor.
#include <unistd.h>

#include <cstring>

#include "acl/acl_prof.h"
#include "api/call.h"
#include "runtime/runtime.h"

/// The type behind aclprofSubscribeConfig.
struct aclprofSubscribeConfig {
  int fd;
};

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT
using runtime::TaskRecord;

namespace {

/// The record at `index` of a buffer that was read from the subscriber's descriptor.
Answer Find(const void* opInfo, size_t opInfoLen, uint32_t index, TaskRecord& record) {
  ACL_REQUIRE(opInfo);
  const size_t count = opInfoLen / sizeof(TaskRecord);
  if (index >= count)
    return InvalidArgument("index", index, StrCat("the buffer holds ", count, " records"));
  std::memcpy(&record, static_cast<const char*>(opInfo) + index * sizeof(TaskRecord),
              sizeof(record));
  record.name[TaskRecord::kMaxName - 1] = record.type[TaskRecord::kMaxType - 1] = '\0';
  return {};
}

template <class T, class Get>
T Read(const char* function, const void* opInfo, size_t opInfoLen, uint32_t index, Get get) {
  return GuardValue<T>(function, 0, [&](T& value) -> Answer {
    TaskRecord record;
    ACL_RETURN_IF_FAILED(Find(opInfo, opInfoLen, index, record));
    value = static_cast<T>(get(record));
    return {};
  });
}

/// A text of a record, copied into the caller's array.
template <class Get>
Answer CopyText(const void* opInfo, size_t opInfoLen, uint32_t index, char* target, size_t length,
                Get get) {
  ACL_REQUIRE(target);
  TaskRecord record;
  ACL_RETURN_IF_FAILED(Find(opInfo, opInfoLen, index, record));
  const char* text = get(record);
  if (std::strlen(text) >= length)
    return InvalidArgument("length", length, StrCat("the text needs ", std::strlen(text) + 1));
  std::strcpy(target, text);
  return {};
}

const char* NameOf(const TaskRecord& record) { return record.name; }
const char* TypeOf(const TaskRecord& record) { return record.type; }

template <class Get>
Answer TextLength(const void* opInfo, size_t opInfoLen, uint32_t index, size_t* length, Get get) {
  ACL_REQUIRE(length);
  TaskRecord record;
  ACL_RETURN_IF_FAILED(Find(opInfo, opInfoLen, index, record));
  *length = std::strlen(get(record)) + 1;
  return {};
}

}  // namespace

aclprofSubscribeConfig* aclprofCreateSubscribeConfig(int8_t, aclprofAicoreMetrics, void* fd) {
  return GuardValue<aclprofSubscribeConfig*>(
      "aclprofCreateSubscribeConfig", nullptr, [&](auto& config) -> Answer {
        ACL_REQUIRE(fd);
        config = new aclprofSubscribeConfig{*static_cast<const int*>(fd)};
        return {};
      });
}

aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig* profSubscribeConfig) {
  return Guard("aclprofDestroySubscribeConfig", [&]() -> Answer {
    ACL_REQUIRE(profSubscribeConfig);
    delete profSubscribeConfig;
    return {};
  });
}

aclError aclprofModelSubscribe(uint32_t modelId,
                               const aclprofSubscribeConfig* profSubscribeConfig) {
  return Guard("aclprofModelSubscribe", [&]() -> Answer {
    ACL_REQUIRE(profSubscribeConfig);
    ACL_ASSIGN(const auto model, runtime::Runtime::Get().FindModel(modelId),
               {Code::kNotFound, ACL_ERROR_INVALID_MODEL_ID});
    if (model->has_subscriber())
      return {ACL_ERROR_PROF_REPEAT_SUBSCRIBE, Kind::kArgument,
              StrCat("Model ", modelId, " has been subscribed already.")};
    model->SetSubscriber(profSubscribeConfig->fd);
    return {};
  });
}

aclError aclprofModelUnSubscribe(uint32_t modelId) {
  return Guard("aclprofModelUnSubscribe", [&]() -> Answer {
    ACL_ASSIGN(const auto model, runtime::Runtime::Get().FindModel(modelId),
               {Code::kNotFound, ACL_ERROR_INVALID_MODEL_ID});
    if (!model->has_subscriber())
      return InvalidArgument("modelId", modelId, "the model has not been subscribed");
    model->SetSubscriber(-1);
    return {};
  });
}

aclError aclprofGetOpDescSize(size_t* opDescSize) {
  return Guard("aclprofGetOpDescSize", [&]() -> Answer {
    ACL_REQUIRE(opDescSize);
    *opDescSize = sizeof(TaskRecord);
    return {};
  });
}

aclError aclprofGetOpNum(const void* opInfo, size_t opInfoLen, uint32_t* opNumber) {
  return Guard("aclprofGetOpNum", [&]() -> Answer {
    ACL_REQUIRE(opInfo);
    ACL_REQUIRE(opNumber);
    if (opInfoLen % sizeof(TaskRecord) != 0)
      return InvalidArgument("opInfoLen", opInfoLen,
                             StrCat("it is no multiple of ", sizeof(TaskRecord)));
    *opNumber = static_cast<uint32_t>(opInfoLen / sizeof(TaskRecord));
    return {};
  });
}

size_t aclprofGetModelId(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return Read<size_t>("aclprofGetModelId", opInfo, opInfoLen, index,
                      [](const TaskRecord& r) { return r.model_id; });
}

uint64_t aclprofGetOpStart(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return Read<uint64_t>("aclprofGetOpStart", opInfo, opInfoLen, index,
                        [](const TaskRecord& r) { return r.begin_ns; });
}

uint64_t aclprofGetOpEnd(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return Read<uint64_t>("aclprofGetOpEnd", opInfo, opInfoLen, index,
                        [](const TaskRecord& r) { return r.end_ns; });
}

uint64_t aclprofGetOpDuration(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return Read<uint64_t>("aclprofGetOpDuration", opInfo, opInfoLen, index,
                        [](const TaskRecord& r) { return r.end_ns - r.begin_ns; });
}

aclError aclprofGetOpNameLen(const void* opInfo, size_t opInfoLen, uint32_t index,
                             size_t* opNameLen) {
  return Guard("aclprofGetOpNameLen",
               [&] { return TextLength(opInfo, opInfoLen, index, opNameLen, NameOf); });
}

aclError aclprofGetOpName(const void* opInfo, size_t opInfoLen, uint32_t index, char* opName,
                          size_t opNameLen) {
  return Guard("aclprofGetOpName",
               [&] { return CopyText(opInfo, opInfoLen, index, opName, opNameLen, NameOf); });
}

aclError aclprofGetOpTypeLen(const void* opInfo, size_t opInfoLen, uint32_t index,
                             size_t* opTypeLen) {
  return Guard("aclprofGetOpTypeLen",
               [&] { return TextLength(opInfo, opInfoLen, index, opTypeLen, TypeOf); });
}

aclError aclprofGetOpType(const void* opInfo, size_t opInfoLen, uint32_t index, char* opType,
                          size_t opTypeLen) {
  return Guard("aclprofGetOpType",
               [&] { return CopyText(opInfo, opInfoLen, index, opType, opTypeLen, TypeOf); });
}

aclprofSubscribeOpFlag aclprofGetOpFlag(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return GuardValue<aclprofSubscribeOpFlag>("aclprofGetOpFlag", ACL_SUBSCRIBE_NONE,
                                            [&](auto& flag) -> Answer {
                                              TaskRecord record;
                                              ACL_RETURN_IF_FAILED(
                                                  Find(opInfo, opInfoLen, index, record));
                                              flag = ACL_SUBSCRIBE_OP;
                                              return {};
                                            });
}

const char* aclprofGetOpAttriValue(const void* opInfo, size_t opInfoLen, uint32_t index,
                                   aclprofSubscribeOpAttri attri) {
  return GuardValue<const char*>("aclprofGetOpAttriValue", nullptr, [&](auto& value) -> Answer {
    thread_local std::string text;
    TaskRecord record;
    ACL_RETURN_IF_FAILED(Find(opInfo, opInfoLen, index, record));
    if (attri != ACL_SUBSCRIBE_ATTRI_THREADID)
      return InvalidArgument("attri", static_cast<int>(attri), "only the thread id is known");
    text = std::to_string(record.thread_id);
    value = text.c_str();
    return {};
  });
}
