// SPDX-License-Identifier: Apache-2.0
// Host callbacks through subscribed threads, and the callback for failed tasks.
#include <pthread.h>

#include "acl/acl_rt.h"
#include "api/call.h"
#include "api/handles.h"
#include "runtime/runtime.h"
#include "runtime/task_failure.h"

/// The type behind aclrtExceptionInfo.
struct rtExceptionInfo {
  cairn::runtime::TaskFailure failure;
};

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT
using runtime::Runtime;

namespace {

constexpr uint32_t kNoInfo = 0xFFFFFFFF;
constexpr CodePair kBadStream{Code::kNotFound, ACL_ERROR_RT_PARAM_INVALID};

/// The handle a stream argument stands for (0 = default stream).
Result<runtime::Handle> Resolve(aclrtStream stream) {
  RETURN_IF_ERROR(Runtime::Get().FindStream(ToHandle(stream)).status());
  if (stream == nullptr) return Runtime::Get().DefaultStream();
  return ToHandle(stream);
}

void CallUser(void* callback, const runtime::TaskFailure& failure) {
  rtExceptionInfo info{failure};
  reinterpret_cast<aclrtExceptionInfoCallback>(callback)(&info);
}

uint32_t Field(const aclrtExceptionInfo* info, uint32_t runtime::TaskFailure::*field) {
  return info == nullptr ? kNoInfo : info->failure.*field;
}

}  // namespace

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return Guard("aclrtSubscribeReport", [&]() -> Answer {
    ACL_ASSIGN(const runtime::Handle handle, Resolve(stream), kBadStream);
    return From(Runtime::Get().reports().Subscribe(threadId, handle),
                {{Code::kAlreadyExists, ACL_ERROR_RT_STREAM_SUBSCRIBE}});
  });
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return Guard("aclrtUnSubscribeReport", [&]() -> Answer {
    ACL_ASSIGN(const runtime::Handle handle, Resolve(stream), kBadStream);
    return From(Runtime::Get().reports().Unsubscribe(threadId, handle),
                {{Code::kNotFound, ACL_ERROR_RT_THREAD_SUBSCRIBE}});
  });
}

aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream) {
  return Guard("aclrtLaunchCallback", [&]() -> Answer {
    ACL_REQUIRE(fn);
    if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK)
      return InvalidArgument("blockType", static_cast<int>(blockType), "it must be 0 or 1");
    ACL_ASSIGN(const runtime::Handle handle, Resolve(stream), kBadStream);
    ACL_ASSIGN(const auto found, Runtime::Get().FindStream(handle), kBadStream);
    return From(
        Runtime::Get().reports().Launch(
            handle, *found, [fn, userData] { fn(userData); }, blockType == ACL_CALLBACK_BLOCK),
        {{Code::kNotFound, ACL_ERROR_RT_STREAM_NO_CB_REG}});
  });
}

aclError aclrtProcessReport(int32_t timeout) {
  return Guard("aclrtProcessReport", [&]() -> Answer {
    if (timeout == 0 || timeout < -1)
      return InvalidArgument("timeout", timeout, "it must be -1 or positive");
    const auto thread = static_cast<runtime::ThreadId>(pthread_self());
    return From(Runtime::Get().reports().Process(thread, ToTimeout(timeout)),
                {{Code::kNotFound, ACL_ERROR_RT_THREAD_SUBSCRIBE},
                 {Code::kTimeout, ACL_ERROR_RT_REPORT_TIMEOUT}});
  });
}

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  return Guard("aclrtSetExceptionInfoCallback", [&]() -> Answer {
    runtime::SetTaskFailureCallback(callback == nullptr ? nullptr : CallUser,
                                    reinterpret_cast<void*>(callback));
    return {};
  });
}

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Field(info, &runtime::TaskFailure::task_id);
}

uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Field(info, &runtime::TaskFailure::stream_id);
}

uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Field(info, &runtime::TaskFailure::device_id);
}

uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Field(info, &runtime::TaskFailure::thread_id);
}

uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Field(info, &runtime::TaskFailure::error_code);
}
