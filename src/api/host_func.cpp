// SPDX-License-Identifier: Apache-2.0
// Host functions in streams: on the stream's own thread, or on a thread that subscribed to them.
#include <pthread.h>

#include "acl/acl_rt.h"
#include "api/call.h"
#include "api/handles.h"
#include "runtime/runtime.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT
using runtime::Runtime;

namespace {

constexpr CodePair kBadStream{Code::kNotFound, ACL_ERROR_RT_PARAM_INVALID};

/// Apart from those of callbacks: a stream may be subscribed to both.
runtime::ReportQueues& Queues() {
  static auto* queues = new runtime::ReportQueues;
  return *queues;
}

Result<runtime::Handle> Resolve(aclrtStream stream) {
  RETURN_IF_ERROR(Runtime::Get().FindStream(ToHandle(stream)).status());
  if (stream == nullptr) return Runtime::Get().DefaultStream();
  return ToHandle(stream);
}

}  // namespace

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  return Guard("aclrtLaunchHostFunc", [&]() -> Answer {
    ACL_REQUIRE(fn);
    ACL_ASSIGN(const runtime::Handle handle, Resolve(stream), kBadStream);
    ACL_ASSIGN(const auto found, Runtime::Get().FindStream(handle), kBadStream);
    const auto call = [fn, args] { fn(args); };
    const Status launched = Queues().Launch(handle, *found, call, true);
    if (launched.code() != Code::kNotFound) return launched;
    found->Enqueue([call] {
      call();
      return OkStatus();
    });
    return {};
  });
}

aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  return Guard("aclrtSubscribeHostFunc", [&]() -> Answer {
    ACL_ASSIGN(const runtime::Handle handle, Resolve(exeStream), kBadStream);
    return From(Queues().Subscribe(hostFuncThreadId, handle),
                {{Code::kAlreadyExists, ACL_ERROR_RT_STREAM_SUBSCRIBE}});
  });
}

aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  return Guard("aclrtUnSubscribeHostFunc", [&]() -> Answer {
    ACL_ASSIGN(const runtime::Handle handle, Resolve(exeStream), kBadStream);
    return From(Queues().Unsubscribe(hostFuncThreadId, handle),
                {{Code::kNotFound, ACL_ERROR_RT_THREAD_SUBSCRIBE}});
  });
}

aclError aclrtProcessHostFunc(int32_t timeout) {
  return Guard("aclrtProcessHostFunc", [&]() -> Answer {
    if (timeout == 0 || timeout < -1)
      return InvalidArgument("timeout", timeout, "it must be -1 or positive");
    const auto thread = static_cast<runtime::ThreadId>(pthread_self());
    return From(Queues().Process(thread, ToTimeout(timeout)),
                {{Code::kNotFound, ACL_ERROR_RT_THREAD_SUBSCRIBE},
                 {Code::kTimeout, ACL_ERROR_RT_REPORT_TIMEOUT}});
  });
}
