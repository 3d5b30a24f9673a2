// SPDX-License-Identifier: Apache-2.0
// Notifies: waits between streams that a record ends once.
#include "runtime/notify.h"

#include <atomic>

#include "acl/acl_rt.h"
#include "api/call.h"
#include "api/handles.h"
#include "runtime/runtime.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT
using runtime::Runtime;

namespace {

constexpr CodePair kBadStream{Code::kNotFound, ACL_ERROR_RT_PARAM_INVALID};

/// Never destroyed, as the runtime.
runtime::HandleTable<runtime::Notify>& Notifies() {
  static auto* table = new runtime::HandleTable<runtime::Notify>(runtime::HandleKind::kNotify);
  return *table;
}

Answer Find(aclrtNotify notify, std::shared_ptr<runtime::Notify>& found) {
  ACL_REQUIRE(notify);
  found = Notifies().Find(ToHandle(notify));
  if (found != nullptr) return {};
  return {ACL_ERROR_RT_PARAM_INVALID, Kind::kArgument,
          "The notify does not exist or has been destroyed already."};
}

}  // namespace

aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t) {
  return Guard("aclrtCreateNotify", [&]() -> Answer {
    ACL_REQUIRE(notify);
    ACL_ASSIGN(std::ignore, Runtime::Get().CurrentContext());
    static std::atomic<uint32_t> next_id{0};
    *notify = ToPointer(Notifies().Insert(std::make_shared<runtime::Notify>(next_id++)));
    return {};
  });
}

aclError aclrtDestroyNotify(aclrtNotify notify) {
  return Guard("aclrtDestroyNotify", [&]() -> Answer {
    std::shared_ptr<runtime::Notify> found;
    ACL_RETURN_IF_FAILED(Find(notify, found));
    Notifies().Remove(ToHandle(notify));
    return {};
  });
}

aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId) {
  return Guard("aclrtGetNotifyId", [&]() -> Answer {
    ACL_REQUIRE(notifyId);
    std::shared_ptr<runtime::Notify> found;
    ACL_RETURN_IF_FAILED(Find(notify, found));
    *notifyId = found->id();
    return {};
  });
}

aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream) {
  return Guard("aclrtRecordNotify", [&]() -> Answer {
    std::shared_ptr<runtime::Notify> found;
    ACL_RETURN_IF_FAILED(Find(notify, found));
    ACL_ASSIGN(const auto in, Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
    runtime::Notify::RecordIn(std::move(found), *in);
    return {};
  });
}

// The wait itself has no limit; a limited aclrtSynchronizeStreamWithTimeout and aclrtStreamAbort end
// it.
aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t) {
  return Guard("aclrtWaitAndResetNotify", [&]() -> Answer {
    std::shared_ptr<runtime::Notify> found;
    ACL_RETURN_IF_FAILED(Find(notify, found));
    ACL_ASSIGN(const auto in, Runtime::Get().FindStream(ToHandle(stream)), kBadStream);
    runtime::Notify::WaitIn(std::move(found), *in);
    return {};
  });
}
