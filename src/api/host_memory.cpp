// SPDX-License-Identifier: Apache-2.0
// Host memory that a device uses in place. On this device every address is usable as it is; the
// registrations are kept so that mistakes are found.
#include <map>
#include <mutex>

#include "acl/acl_rt.h"
#include "api/call.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT

namespace {

std::mutex mutex;
std::map<const char*, uint64_t>& Registered() {  // Never destroyed.
  static auto* blocks = new std::map<const char*, uint64_t>;
  return *blocks;
}

Answer Register(void* ptr, uint64_t size) {
  ACL_REQUIRE(ptr);
  if (size == 0) return InvalidArgument("size", size, "it must be positive");
  const std::lock_guard lock(mutex);
  if (Registered().emplace(static_cast<const char*>(ptr), size).second) return {};
  return {ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, Kind::kArgument,
          StrCat("Address ", ptr, " is registered already.")};
}

/// Whether the address lies in a registered block.
bool IsRegistered(const void* ptr) {
  const std::lock_guard lock(mutex);
  const auto* address = static_cast<const char*>(ptr);
  auto next = Registered().upper_bound(address);
  if (next == Registered().begin()) return false;
  --next;
  return address < next->first + next->second;
}

}  // namespace

aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType, void** devPtr) {
  return Guard("aclrtHostRegister", [&]() -> Answer {
    ACL_REQUIRE(devPtr);
    ACL_RETURN_IF_FAILED(Register(ptr, size));
    *devPtr = ptr;
    return {};
  });
}

aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t) {
  return Guard("aclrtHostRegisterV2", [&] { return Register(ptr, size); });
}

aclError aclrtHostUnregister(void* ptr) {
  return Guard("aclrtHostUnregister", [&]() -> Answer {
    ACL_REQUIRE(ptr);
    const std::lock_guard lock(mutex);
    if (Registered().erase(static_cast<const char*>(ptr)) == 1) return {};
    return {ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, Kind::kArgument,
            StrCat("Address ", ptr, " is not registered.")};
  });
}

aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t) {
  return Guard("aclrtHostGetDevicePointer", [&]() -> Answer {
    ACL_REQUIRE(pHost);
    ACL_REQUIRE(pDevice);
    if (!IsRegistered(pHost))
      return {ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, Kind::kArgument,
              StrCat("Address ", pHost, " is not registered; call aclrtHostRegisterV2 first.")};
    *pDevice = pHost;
    return {};
  });
}
