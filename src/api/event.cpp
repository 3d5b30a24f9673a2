// SPDX-License-Identifier: Apache-2.0
// Events.
#include "acl/acl_rt.h"
#include "api/call.h"
#include "api/handles.h"
#include "runtime/runtime.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT
using runtime::Runtime;

namespace {

constexpr CodePair kBadHandle{Code::kNotFound, ACL_ERROR_RT_PARAM_INVALID};

Answer Create(aclrtEvent* event, uint32_t flag, bool starts_complete) {
  ACL_REQUIRE(event);
  ACL_ASSIGN(const runtime::Handle handle, Runtime::Get().CreateEvent(flag, starts_complete));
  *event = ToPointer(handle);
  return {};
}

/// Finds event and stream and applies `act` to them.
template <class Act>
Answer WithStream(aclrtEvent event, aclrtStream stream, Act act) {
  ACL_REQUIRE(event);
  ACL_ASSIGN(auto found_event, Runtime::Get().FindEvent(ToHandle(event)), kBadHandle);
  ACL_ASSIGN(const auto found_stream, Runtime::Get().FindStream(ToHandle(stream)), kBadHandle);
  return act(std::move(found_event), *found_stream);
}

Answer Record(aclrtEvent event, aclrtStream stream) {
  return WithStream(event, stream, [](auto found, runtime::Stream& target) -> Answer {
    found->Record(target);
    return {};
  });
}

Answer WaitInStream(aclrtStream stream, aclrtEvent event) {
  return WithStream(event, stream, [](auto found, runtime::Stream& target) -> Answer {
    found->WaitIn(target);
    return {};
  });
}

Answer Synchronize(aclrtEvent event, runtime::Timeout timeout) {
  ACL_REQUIRE(event);
  ACL_ASSIGN(const auto found, Runtime::Get().FindEvent(ToHandle(event)), kBadHandle);
  return From(found->Wait(timeout), {{Code::kTimeout, ACL_ERROR_RT_EVENT_SYNC_TIMEOUT}});
}

/// A property of one event.
template <class T, class Get>
Answer Read(aclrtEvent event, T* value, const char* name, Get get) {
  ACL_REQUIRE(event);
  if (value == nullptr) return NullArgument(name);
  ACL_ASSIGN(const auto found, Runtime::Get().FindEvent(ToHandle(event)), kBadHandle);
  *value = get(*found);
  return {};
}

/// The time the recorded work ended; the event must be complete.
Answer TimeOf(aclrtEvent event, int64_t* time_ns) {
  ACL_REQUIRE(event);
  ACL_ASSIGN(const auto found, Runtime::Get().FindEvent(ToHandle(event)), kBadHandle);
  if (!found->recorded())
    return {ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, Kind::kArgument,
            StrCat("Event ", found->id(), " has not been recorded.")};
  if (!found->complete())
    return {ACL_ERROR_RT_EVENT_NOT_COMPLETE, Kind::kArgument,
            StrCat("Event ", found->id(), " is not complete yet; synchronize it first.")};
  *time_ns = found->time_ns();
  return {};
}

}  // namespace

aclError aclrtCreateEvent(aclrtEvent* event) {
  return Guard("aclrtCreateEvent", [&] { return Create(event, ACL_EVENT_TIME_LINE, false); });
}

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
  return Guard("aclrtCreateEventWithFlag", [&] { return Create(event, flag, false); });
}

aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
  return Guard("aclrtCreateEventExWithFlag", [&] { return Create(event, flag, true); });
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  return Guard("aclrtDestroyEvent", [&]() -> Answer {
    ACL_REQUIRE(event);
    return From(Runtime::Get().DestroyEvent(ToHandle(event)), {kBadHandle});
  });
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  return Guard("aclrtRecordEvent", [&] { return Record(event, stream); });
}

aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag) {
  return Guard("aclrtRecordEventWithFlag", [&]() -> Answer {
    if (flag != ACL_EVENT_RECORD_DEFAULT)
      return InvalidArgument("flag", flag, "only 0 is available", ACL_ERROR_RT_PARAM_INVALID);
    return Record(event, stream);
  });
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  return Guard("aclrtResetEvent", [&] {
    return WithStream(event, stream, [](auto found, runtime::Stream& target) -> Answer {
      if (found->starts_complete())
        return InvalidArgument("event", found->id(),
                               "events of aclrtCreateEventExWithFlag have no reset",
                               ACL_ERROR_RT_PARAM_INVALID);
      runtime::Event::ResetIn(std::move(found), target);
      return {};
    });
  });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return Guard("aclrtStreamWaitEvent", [&] { return WaitInStream(stream, event); });
}

aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return Guard("aclrtStreamWaitEventWithTimeout", [&]() -> Answer {
    if (timeout < 0)
      return InvalidArgument("timeout", timeout, "it must not be negative",
                             ACL_ERROR_RT_PARAM_INVALID);
    return WaitInStream(stream, event);
  });
}

aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t,
                                      uint32_t flag) {
  return Guard("aclrtStreamWaitEventWithFlag", [&]() -> Answer {
    if (flag != ACL_EVENT_WAIT_DEFAULT)
      return InvalidArgument("flag", flag, "only 0 is available", ACL_ERROR_RT_PARAM_INVALID);
    return WaitInStream(stream, event);
  });
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return Guard("aclrtSynchronizeEvent", [&] { return Synchronize(event, std::nullopt); });
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  return Guard("aclrtSynchronizeEventWithTimeout", [&]() -> Answer {
    if (timeout < -1)
      return InvalidArgument("timeout", timeout, "it must be -1 or more",
                             ACL_ERROR_RT_PARAM_INVALID);
    return Synchronize(event, ToTimeout(timeout));
  });
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
  return Guard("aclrtQueryEventStatus", [&] {
    return Read(event, status, "status", [](const runtime::Event& e) {
      return e.complete() ? ACL_EVENT_RECORDED_STATUS_COMPLETE
                          : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    });
  });
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  return Guard("aclrtQueryEvent", [&] {
    return Read(event, status, "status", [](const runtime::Event& e) {
      return e.complete() ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    });
  });
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status) {
  return Guard("aclrtQueryEventWaitStatus", [&] {
    return Read(event, status, "status", [](const runtime::Event& e) {
      return e.complete() ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
    });
  });
}

aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId) {
  return Guard("aclrtGetEventId", [&] {
    return Read(event, eventId, "eventId", [](const runtime::Event& e) { return e.id(); });
  });
}

aclError aclrtGetEventAvailNum(uint32_t* eventCount) {
  return Guard("aclrtGetEventAvailNum", [&]() -> Answer {
    ACL_REQUIRE(eventCount);
    *eventCount = 65535;
    return {};
  });
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  return Guard("aclrtEventElapsedTime", [&]() -> Answer {
    ACL_REQUIRE(ms);
    int64_t start_ns = 0, end_ns = 0;
    ACL_RETURN_IF_FAILED(TimeOf(startEvent, &start_ns));
    ACL_RETURN_IF_FAILED(TimeOf(endEvent, &end_ns));
    *ms = static_cast<float>(static_cast<double>(end_ns - start_ns) / 1e6);
    return {};
  });
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
  return Guard("aclrtEventGetTimestamp", [&]() -> Answer {
    ACL_REQUIRE(timestamp);
    int64_t time_ns = 0;
    ACL_RETURN_IF_FAILED(TimeOf(event, &time_ns));
    *timestamp = static_cast<uint64_t>(time_ns / 1000);
    return {};
  });
}
