// SPDX-License-Identifier: Apache-2.0
// Devices and contexts.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <tuple>

#include "acl/acl_rt.h"
#include "api/call.h"
#include "api/handles.h"
#include "runtime/runtime.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT
using runtime::Runtime;

namespace {

constexpr CodePair kBadDevice{Code::kNotFound, ACL_ERROR_RT_INVALID_DEVICEID};
constexpr CodePair kBadContext{Code::kNotFound, ACL_ERROR_RT_PARAM_INVALID};

/// The device of the current context, or the first one.
device::Device& AnyDevice() {
  Runtime& runtime = Runtime::Get();
  const Result<int> current = runtime.CurrentDevice();
  return **runtime.FindDevice(current.ok() ? *current : 0);
}

}  // namespace

aclError aclrtSetDevice(int32_t deviceId) {
  return Guard("aclrtSetDevice",
               [&] { return From(Runtime::Get().SetDevice(deviceId), {kBadDevice}); });
}

aclError aclrtResetDevice(int32_t deviceId) {
  return Guard("aclrtResetDevice",
               [&] { return From(Runtime::Get().ResetDevice(deviceId, false), {kBadDevice}); });
}

aclError aclrtResetDeviceForce(int32_t deviceId) {
  return Guard("aclrtResetDeviceForce",
               [&] { return From(Runtime::Get().ResetDevice(deviceId, true), {kBadDevice}); });
}

aclError aclrtGetDevice(int32_t* deviceId) {
  return Guard("aclrtGetDevice", [&]() -> Answer {
    ACL_REQUIRE(deviceId);
    ACL_ASSIGN(*deviceId, Runtime::Get().CurrentDevice());
    return {};
  });
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  return Guard("aclrtGetDeviceCount", [&]() -> Answer {
    ACL_REQUIRE(count);
    *count = static_cast<uint32_t>(Runtime::Get().num_devices());
    return {};
  });
}

aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  return Guard("aclrtGetRunMode", [&]() -> Answer {
    ACL_REQUIRE(runMode);
    const char* mode = std::getenv("CAIRN_RUN_MODE");
    *runMode = mode != nullptr && std::strcmp(mode, "device") == 0 ? ACL_DEVICE : ACL_HOST;
    return {};
  });
}

aclError aclrtSynchronizeDevice() {
  return Guard("aclrtSynchronizeDevice", [&] {
    return From(Runtime::Get().SynchronizeDevice(std::nullopt),
                {{Code::kInternal, ACL_ERROR_RT_MODEL_EXECUTE}});
  });
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  return Guard("aclrtSynchronizeDeviceWithTimeout", [&]() -> Answer {
    if (timeout < -1)
      return InvalidArgument("timeout", timeout, "it must be -1 or more",
                             ACL_ERROR_RT_PARAM_INVALID);
    return Runtime::Get().SynchronizeDevice(ToTimeout(timeout));
  });
}

const char* aclrtGetSocName() {
  static const std::string name = (*Runtime::Get().FindDevice(0))->name();
  return name.c_str();
}

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  return Guard("aclrtCreateContext", [&]() -> Answer {
    ACL_REQUIRE(context);
    ACL_ASSIGN(const runtime::Handle handle, Runtime::Get().CreateContext(deviceId), kBadDevice);
    *context = ToPointer(handle);
    return {};
  });
}

aclError aclrtDestroyContext(aclrtContext context) {
  return Guard("aclrtDestroyContext", [&]() -> Answer {
    ACL_REQUIRE(context);
    return From(Runtime::Get().DestroyContext(ToHandle(context)), {kBadContext});
  });
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  return Guard("aclrtSetCurrentContext", [&]() -> Answer {
    ACL_REQUIRE(context);
    return From(Runtime::Get().SetCurrentContext(ToHandle(context)), {kBadContext});
  });
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  return Guard("aclrtGetCurrentContext", [&]() -> Answer {
    ACL_REQUIRE(context);
    ACL_ASSIGN(const runtime::Handle handle, Runtime::Get().CurrentContext());
    *context = ToPointer(handle);
    return {};
  });
}

aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active) {
  return Guard("aclrtGetPrimaryCtxState", [&]() -> Answer {
    ACL_REQUIRE(active);
    ACL_ASSIGN(const bool is_active, Runtime::Get().IsActive(deviceId), kBadDevice);
    *active = is_active ? 1 : 0;
    if (flags != nullptr) *flags = 0;
    return {};
  });
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  return Guard("aclrtGetMemInfo", [&]() -> Answer {
    ACL_REQUIRE(free);
    ACL_REQUIRE(total);
    if (attr < ACL_DDR_MEM || attr > ACL_MEM_P2P_HUGE1G)
      return InvalidArgument("attr", static_cast<int>(attr), "it is no kind of memory");
    const device::Device& device = AnyDevice();
    *free = device.free_memory();
    *total = device.total_memory();
    return {};
  });
}

aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus) {
  return Guard("aclrtQueryDeviceStatus", [&]() -> Answer {
    ACL_REQUIRE(deviceStatus);
    ACL_ASSIGN(std::ignore, Runtime::Get().FindDevice(deviceId), kBadDevice);
    *deviceStatus = ACL_RT_DEVICE_STATUS_NORMAL;
    return {};
  });
}

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value) {
  return Guard("aclrtGetDeviceInfo", [&]() -> Answer {
    ACL_REQUIRE(value);
    ACL_ASSIGN(const device::Device* device, Runtime::Get().FindDevice(static_cast<int>(deviceId)),
               kBadDevice);
    switch (attr) {
      case ACL_DEV_ATTR_AICORE_CORE_NUM:
      case ACL_DEV_ATTR_CUBE_CORE_NUM:
      case ACL_DEV_ATTR_VECTOR_CORE_NUM:
      case ACL_DEV_ATTR_AICPU_CORE_NUM:
        *value = device->num_cores();
        return {};
      case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
        *value = static_cast<int64_t>(device->total_memory());
        return {};
      case ACL_DEV_ATTR_L2_CACHE_SIZE:
        *value = sysconf(_SC_LEVEL2_CACHE_SIZE);
        return {};
      case ACL_DEV_ATTR_PHY_CHIP_ID:
        *value = deviceId;
        return {};
      case ACL_DEV_ATTR_IS_VIRTUAL:
        *value = 0;
        return {};
      default:
        return NotSupported(StrCat("Device attribute ", static_cast<int>(attr)),
                            "the host CPU has no such property");
    }
  });
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value) {
  switch (deviceInfo) {
    case ACL_DEVICE_INFO_AI_CORE_NUM:
      return aclrtGetDeviceInfo(deviceId, ACL_DEV_ATTR_AICORE_CORE_NUM, value);
    case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
      return aclrtGetDeviceInfo(deviceId, ACL_DEV_ATTR_VECTOR_CORE_NUM, value);
    case ACL_DEVICE_INFO_L2_SIZE:
      return aclrtGetDeviceInfo(deviceId, ACL_DEV_ATTR_L2_CACHE_SIZE, value);
    default:
      break;
  }
  return Guard("aclGetDeviceCapability", [&] {
    return InvalidArgument("deviceInfo", static_cast<int>(deviceInfo), "it is no known property");
  });
}

aclError aclrtCheckArchCompatibility(const char* socVersion, int32_t* canCompatible) {
  return Guard("aclrtCheckArchCompatibility", [&]() -> Answer {
    ACL_REQUIRE(socVersion);
    ACL_REQUIRE(canCompatible);
    // Files for other targets carry a plan for the host, see docs/acl.md.
    *canCompatible = *socVersion != '\0' ? 1 : 0;
    return {};
  });
}
