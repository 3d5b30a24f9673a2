// SPDX-License-Identifier: Apache-2.0
// Ranges, instants and steps that an application marks in its profile.
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "acl/acl_prof.h"
#include "api/call.h"
#include "api/handles.h"
#include "profile/session.h"
#include "runtime/runtime.h"

/// The type behind aclprofStepInfo; its ends are read when the stream has come to them.
struct aclprofStepInfo {
  std::shared_ptr<std::atomic<uint64_t>> begin_ns = std::make_shared<std::atomic<uint64_t>>(0);
};

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

struct Stamp {
  std::string message;
  uint64_t begin_ns = 0;
};

struct OpenRange {
  std::string message;
  uint64_t begin_ns;
};

constexpr size_t kMaxMessage = 127;

std::mutex mutex;
std::map<uint32_t, OpenRange> open_ranges;
uint32_t next_range = 1;
thread_local std::vector<OpenRange> pushed;

Stamp& StampOf(void* stamp) { return *static_cast<Stamp*>(stamp); }

void RecordInstant(const std::string& text) {
  const uint64_t now = profile::NowNs();
  profile::RecordMark(now, now, text);
}

}  // namespace

void* aclprofCreateStamp() {
  return GuardValue<void*>("aclprofCreateStamp", nullptr, [](void*& stamp) -> Answer {
    stamp = new Stamp;
    return {};
  });
}

void aclprofDestroyStamp(void* stamp) { delete static_cast<Stamp*>(stamp); }

aclError aclprofSetStampTraceMessage(void* stamp, const char* msg, uint32_t msgLen) {
  return Guard("aclprofSetStampTraceMessage", [&]() -> Answer {
    ACL_REQUIRE(stamp);
    ACL_REQUIRE(msg);
    if (msgLen > kMaxMessage)
      return InvalidArgument("msgLen", msgLen, StrCat("at most ", kMaxMessage, " are possible"));
    StampOf(stamp).message.assign(msg, strnlen(msg, msgLen));
    return {};
  });
}

aclError aclprofMark(void* stamp) {
  return Guard("aclprofMark", [&]() -> Answer {
    ACL_REQUIRE(stamp);
    RecordInstant(StampOf(stamp).message);
    return {};
  });
}

aclError aclprofMarkEx(const char* msg, size_t msgLen, aclrtStream stream) {
  return Guard("aclprofMarkEx", [&]() -> Answer {
    ACL_REQUIRE(msg);
    if (msgLen == 0 || msgLen > kMaxMessage)
      return InvalidArgument("msgLen", msgLen, StrCat("1 to ", kMaxMessage, " are possible"));
    ACL_ASSIGN(const auto found, runtime::Runtime::Get().FindStream(ToHandle(stream)),
               {Code::kNotFound, ACL_ERROR_INVALID_PARAM});
    found->Enqueue([text = std::string(msg, strnlen(msg, msgLen))] {
      RecordInstant(text);
      return OkStatus();
    });
    return {};
  });
}

aclError aclprofPush(void* stamp) {
  return Guard("aclprofPush", [&]() -> Answer {
    ACL_REQUIRE(stamp);
    pushed.push_back({StampOf(stamp).message, profile::NowNs()});
    return {};
  });
}

aclError aclprofPop() {
  return Guard("aclprofPop", []() -> Answer {
    if (pushed.empty())
      return {ACL_ERROR_FAILURE, Kind::kArgument, "This thread has pushed no stamp."};
    profile::RecordMark(pushed.back().begin_ns, profile::NowNs(), pushed.back().message);
    pushed.pop_back();
    return {};
  });
}

aclError aclprofRangeStart(void* stamp, uint32_t* rangeId) {
  return Guard("aclprofRangeStart", [&]() -> Answer {
    ACL_REQUIRE(stamp);
    ACL_REQUIRE(rangeId);
    const std::lock_guard lock(mutex);
    *rangeId = next_range++;
    open_ranges[*rangeId] = {StampOf(stamp).message, profile::NowNs()};
    return {};
  });
}

aclError aclprofRangeStop(uint32_t rangeId) {
  return Guard("aclprofRangeStop", [&]() -> Answer {
    const std::lock_guard lock(mutex);
    const auto found = open_ranges.find(rangeId);
    if (found == open_ranges.end())
      return InvalidArgument("rangeId", rangeId, "no such range is open");
    profile::RecordMark(found->second.begin_ns, profile::NowNs(), found->second.message);
    open_ranges.erase(found);
    return {};
  });
}

aclprofStepInfo* aclprofCreateStepInfo() {
  return GuardValue<aclprofStepInfo*>("aclprofCreateStepInfo", nullptr, [](auto& step) -> Answer {
    step = new aclprofStepInfo;
    return {};
  });
}

void aclprofDestroyStepInfo(aclprofStepInfo* stepinfo) { delete stepinfo; }

aclError aclprofGetStepTimestamp(aclprofStepInfo* stepInfo, aclprofStepTag tag,
                                 aclrtStream stream) {
  return Guard("aclprofGetStepTimestamp", [&]() -> Answer {
    ACL_REQUIRE(stepInfo);
    ACL_ASSIGN(const auto found, runtime::Runtime::Get().FindStream(ToHandle(stream)),
               {Code::kNotFound, ACL_ERROR_INVALID_PARAM});
    found->Enqueue([begin_ns = stepInfo->begin_ns, tag] {
      if (tag == ACL_STEP_START)
        *begin_ns = profile::NowNs();
      else
        profile::RecordMark(*begin_ns, profile::NowNs(), "step");
      return OkStatus();
    });
    return {};
  });
}
