// SPDX-License-Identifier: Apache-2.0
// Streams and host functions in them.
#include <cstring>
#include <new>
#include <tuple>

#include "acl/acl_rt.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/stream_state.h"
#include "runtime/runtime.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT
using runtime::Runtime;

namespace {

constexpr CodePair kBadStream{Code::kNotFound, ACL_ERROR_RT_PARAM_INVALID};
constexpr CodePair kForeignStream{Code::kInvalidArgument, ACL_ERROR_RT_STREAM_CONTEXT};

Answer Create(aclrtStream* stream, uint32_t flags, uint32_t priority) {
  ACL_REQUIRE(stream);
  ACL_ASSIGN(const runtime::Handle handle, Runtime::Get().CreateStream(flags, priority));
  *stream = ToPointer(handle);
  ReportStreamState(*stream, ACL_RT_STREAM_STATE_CREATE_POST);
  return {};
}

Answer Destroy(aclrtStream stream, bool drop_work) {
  ACL_ASSIGN(std::ignore, Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
  ReportStreamState(stream, ACL_RT_STREAM_STATE_DESTROY_PRE);
  return From(Runtime::Get().DestroyStream(ToHandle(stream), drop_work),
              {kBadStream, kForeignStream});
}

Answer Synchronize(aclrtStream stream, runtime::Timeout timeout) {
  ACL_ASSIGN(const auto found, Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
  return found->Synchronize(timeout);
}

/// A property of one stream.
template <class T, class Get>
Answer Read(aclrtStream stream, T* value, const char* name, Get get) {
  if (value == nullptr) return NullArgument(name);
  ACL_ASSIGN(const auto found, Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
  *value = get(*found);
  return {};
}

}  // namespace

aclError aclrtCreateStream(aclrtStream* stream) {
  return Guard("aclrtCreateStream", [&] { return Create(stream, 0, 0); });
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return Guard("aclrtCreateStreamWithConfig", [&] { return Create(stream, flag, priority); });
}

aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle() {
  return new (std::nothrow) aclrtStreamConfigHandle{};
}

aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle) {
  return Guard("aclrtDestroyStreamConfigHandle", [&]() -> Answer {
    ACL_REQUIRE(handle);
    delete handle;
    return {};
  });
}

aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr,
                                 const void* attrValue, size_t valueSize) {
  return Guard("aclrtSetStreamConfigOpt", [&]() -> Answer {
    ACL_REQUIRE(handle);
    ACL_REQUIRE(attrValue);
    const auto set = [&](auto& field) -> Answer {
      if (valueSize != sizeof(field))
        return InvalidArgument("valueSize", valueSize,
                               StrCat("the attribute has ", sizeof(field), " bytes"));
      std::memcpy(&field, attrValue, sizeof(field));
      return {};
    };
    switch (attr) {
      case ACL_RT_STREAM_WORK_ADDR_PTR:
        return set(handle->workptr);
      case ACL_RT_STREAM_WORK_SIZE:
        return set(handle->workSize);
      case ACL_RT_STREAM_FLAG:
        return set(handle->flag);
      case ACL_RT_STREAM_PRIORITY:
        return set(handle->priority);
    }
    return InvalidArgument("attr", static_cast<int>(attr), "it is no known attribute");
  });
}

aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle) {
  return Guard("aclrtCreateStreamV2", [&]() -> Answer {
    ACL_REQUIRE(handle);
    return Create(stream, static_cast<uint32_t>(handle->flag), handle->priority);
  });
}

aclError aclrtDestroyStream(aclrtStream stream) {
  return Guard("aclrtDestroyStream", [&]() -> Answer {
    ACL_REQUIRE(stream);
    return Destroy(stream, false);
  });
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return Guard("aclrtDestroyStreamForce", [&]() -> Answer {
    ACL_REQUIRE(stream);
    return Destroy(stream, true);
  });
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  return Guard("aclrtSynchronizeStream", [&] { return Synchronize(stream, std::nullopt); });
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  return Guard("aclrtSynchronizeStreamWithTimeout", [&]() -> Answer {
    if (timeout < -1 || timeout == 0)
      return InvalidArgument("timeout", timeout, "it must be -1 or positive",
                             ACL_ERROR_RT_PARAM_INVALID);
    return Synchronize(stream, ToTimeout(timeout));
  });
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  return Guard("aclrtStreamQuery", [&] {
    return Read(stream, status, "status", [](const runtime::Stream& s) {
      return s.idle() ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    });
  });
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId) {
  return Guard("aclrtStreamGetId", [&] {
    return Read(stream, streamId, "streamId",
                [](const runtime::Stream& s) { return static_cast<int32_t>(s.id()); });
  });
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  return Guard("aclrtStreamGetFlags", [&] {
    return Read(stream, flags, "flags", [](const runtime::Stream& s) { return s.flags(); });
  });
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
  return Guard("aclrtStreamGetPriority", [&] {
    return Read(stream, priority, "priority",
                [](const runtime::Stream& s) { return s.priority(); });
  });
}

aclError aclrtStreamAbort(aclrtStream stream) {
  return Guard("aclrtStreamAbort", [&]() -> Answer {
    ACL_ASSIGN(const auto found, Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
    found->Abort();
    return {};
  });
}

aclError aclrtStreamStop(aclrtStream stream) {
  return Guard("aclrtStreamStop", [&]() -> Answer {
    ACL_ASSIGN(const auto found, Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
    found->Abort();
    return {};
  });
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  return Guard("aclrtCtxGetCurrentDefaultStream", [&]() -> Answer {
    ACL_REQUIRE(stream);
    ACL_ASSIGN(const runtime::Handle handle, Runtime::Get().DefaultStream());
    *stream = ToPointer(handle);
    return {};
  });
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority) {
  return Guard("aclrtDeviceGetStreamPriorityRange", [&]() -> Answer {
    ACL_REQUIRE(leastPriority);
    ACL_REQUIRE(greatestPriority);
    *leastPriority = 7;
    *greatestPriority = 0;
    return {};
  });
}

aclError aclrtGetStreamAvailableNum(uint32_t* streamCount) {
  return Guard("aclrtGetStreamAvailableNum", [&]() -> Answer {
    ACL_REQUIRE(streamCount);
    *streamCount = 2048;
    return {};
  });
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  return Guard("aclrtSetStreamFailureMode", [&]() -> Answer {
    ACL_ASSIGN(std::ignore, Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
    if (mode == ACL_CONTINUE_ON_FAILURE) return {};
    if (mode == ACL_STOP_ON_FAILURE)
      return NotSupported("ACL_STOP_ON_FAILURE", "later work of a stream always runs");
    return InvalidArgument("mode", mode, "it must be 0 or 1", ACL_ERROR_RT_PARAM_INVALID);
  });
}
