// SPDX-License-Identifier: Apache-2.0
// Numbering of devices, access between them, and parameters of the system.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <tuple>

#include "acl/acl_rt.h"
#include "api/call.h"
#include "runtime/runtime.h"

using namespace cairn;       // NOLINT: the C functions are the file's only content
using namespace cairn::api;  // NOLINT
using runtime::Runtime;

namespace {

constexpr CodePair kBadDevice{Code::kNotFound, ACL_ERROR_RT_INVALID_DEVICEID};

/// User, logical and physical numbers are the same.
Answer SameNumber(int32_t id, int32_t* other, const char* name) {
  if (other == nullptr) return NullArgument(name);
  ACL_ASSIGN(std::ignore, Runtime::Get().FindDevice(id), kBadDevice);
  *other = id;
  return {};
}

Answer CheckPair(int32_t deviceId, int32_t peerDeviceId) {
  ACL_ASSIGN(std::ignore, Runtime::Get().FindDevice(deviceId), kBadDevice);
  ACL_ASSIGN(std::ignore, Runtime::Get().FindDevice(peerDeviceId), kBadDevice);
  return {};
}

/// Of the process. Results are always deterministic and consistent, so that no value changes a run.
std::array<std::atomic<int64_t>, ACL_OPT_ENABLE_KERNEL_EARLY_START + 1> parameters{1, 0, 1, 0};

Answer CheckParameter(aclSysParamOpt opt) {
  if (opt >= ACL_OPT_DETERMINISTIC && opt <= ACL_OPT_ENABLE_KERNEL_EARLY_START) return {};
  return InvalidArgument("opt", static_cast<int>(opt), "it is no known parameter",
                         ACL_ERROR_RT_PARAM_INVALID);
}

Answer SetParameter(aclSysParamOpt opt, int64_t value) {
  ACL_RETURN_IF_FAILED(CheckParameter(opt));
  if (value != 0 && value != 1)
    return InvalidArgument("value", value, "it must be 0 or 1", ACL_ERROR_RT_PARAM_INVALID);
  parameters[static_cast<size_t>(opt)] = value;
  return {};
}

Answer GetParameter(aclSysParamOpt opt, int64_t* value) {
  ACL_REQUIRE(value);
  ACL_RETURN_IF_FAILED(CheckParameter(opt));
  *value = parameters[static_cast<size_t>(opt)];
  return {};
}

}  // namespace

aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId) {
  return Guard("aclrtGetLogicDevIdByUserDevId",
               [&] { return SameNumber(userDevid, logicDevId, "logicDevId"); });
}

aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t* const userDevid) {
  return Guard("aclrtGetUserDevIdByLogicDevId",
               [&] { return SameNumber(logicDevId, userDevid, "userDevid"); });
}

aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t* const logicDevId) {
  return Guard("aclrtGetLogicDevIdByPhyDevId",
               [&] { return SameNumber(phyDevId, logicDevId, "logicDevId"); });
}

aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t* const phyDevId) {
  return Guard("aclrtGetPhyDevIdByLogicDevId",
               [&] { return SameNumber(logicDevId, phyDevId, "phyDevId"); });
}

aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId, int32_t* const phyDevId) {
  return Guard("aclrtGetPhyDevIdByUserDevId",
               [&] { return SameNumber(userDevId, phyDevId, "phyDevId"); });
}

aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t* const userDevId) {
  return Guard("aclrtGetUserDevIdByPhyDevId",
               [&] { return SameNumber(phyDevId, userDevId, "userDevId"); });
}

aclError aclrtDeviceGetBareTgid(int32_t* pid) {
  return Guard("aclrtDeviceGetBareTgid", [&]() -> Answer {
    ACL_REQUIRE(pid);
    *pid = static_cast<int32_t>(getpid());
    return {};
  });
}

aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
  return Guard("aclrtDeviceCanAccessPeer", [&]() -> Answer {
    ACL_REQUIRE(canAccessPeer);
    ACL_RETURN_IF_FAILED(CheckPair(deviceId, peerDeviceId));
    *canAccessPeer = 0;
    return {};
  });
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status) {
  return Guard("aclrtDevicePeerAccessStatus", [&]() -> Answer {
    ACL_REQUIRE(status);
    ACL_RETURN_IF_FAILED(CheckPair(deviceId, peerDeviceId));
    *status = 0;
    return {};
  });
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return Guard("aclrtSetSysParamOpt", [&] { return SetParameter(opt, value); });
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return Guard("aclrtGetSysParamOpt", [&] { return GetParameter(opt, value); });
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return Guard("aclrtCtxSetSysParamOpt", [&]() -> Answer {
    ACL_ASSIGN(std::ignore, Runtime::Get().CurrentContext());
    return SetParameter(opt, value);
  });
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return Guard("aclrtCtxGetSysParamOpt", [&]() -> Answer {
    ACL_ASSIGN(std::ignore, Runtime::Get().CurrentContext());
    return GetParameter(opt, value);
  });
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t) {
  return Guard("aclrtDeviceEnablePeerAccess", [&]() -> Answer {
    ACL_ASSIGN(const int own, Runtime::Get().CurrentDevice());
    return CheckPair(own, peerDeviceId);
  });
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
  return Guard("aclrtDeviceDisablePeerAccess", [&]() -> Answer {
    ACL_ASSIGN(const int own, Runtime::Get().CurrentDevice());
    return CheckPair(own, peerDeviceId);
  });
}

// The features that can be asked for are of NPU hardware.
aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType,
                                  int32_t* value) {
  return Guard("aclrtGetDeviceCapability", [&]() -> Answer {
    ACL_REQUIRE(value);
    ACL_ASSIGN(std::ignore, Runtime::Get().FindDevice(deviceId), kBadDevice);
    const bool known = devFeatureType == ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV ||
                       devFeatureType == ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV;
    if (!known)
      return InvalidArgument("devFeatureType", static_cast<int>(devFeatureType),
                             "there is no such feature");
    *value = ACL_DEV_FEATURE_NOT_SUPPORT;
    return {};
  });
}

// Per cent: the machine's load of the last minute over its cores, and the memory in use.
aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo) {
  return Guard("aclrtGetDeviceUtilizationRate", [&]() -> Answer {
    ACL_REQUIRE(utilizationInfo);
    ACL_ASSIGN(device::Device * device, Runtime::Get().FindDevice(deviceId), kBadDevice);
    double load = 0;
    if (::getloadavg(&load, 1) != 1) load = 0;
    const auto percent = [](double share) {
      return static_cast<int32_t>(std::clamp(share * 100, 0.0, 100.0));
    };
    const double total = static_cast<double>(std::max<uint64_t>(device->total_memory(), 1));
    utilizationInfo->vectorUtilization = percent(load / device->num_cores());
    utilizationInfo->cubeUtilization = utilizationInfo->vectorUtilization;
    utilizationInfo->aicpuUtilization = utilizationInfo->vectorUtilization;
    utilizationInfo->memoryUtilization =
        percent(1 - static_cast<double>(device->free_memory()) / total);
    return {};
  });
}
