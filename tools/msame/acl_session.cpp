// SPDX-License-Identifier: Apache-2.0
// Opening and closing of library, device, context and stream.
#include "msame/acl_session.h"

#include "msame/console.h"

namespace msame {

bool AclSession::Open(const char* config_path, int32_t device) {
  device_ = device;
  if (aclInit(config_path) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("acl init failed");
    return false;
  }
  initialised_ = true;
  INFO_LOG("acl init success");
  if (aclrtSetDevice(device_) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("acl open device %d failed", device_);
    return false;
  }
  INFO_LOG("open device %d success", device_);
  if (aclrtCreateContext(&context_, device_) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("acl create context failed");
    return false;
  }
  INFO_LOG("create context success");
  if (aclrtCreateStream(&stream_) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("acl create stream failed");
    return false;
  }
  INFO_LOG("create stream success");
  aclrtRunMode mode;
  if (aclrtGetRunMode(&mode) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("acl get run mode failed");
    return false;
  }
  runs_on_device_ = mode == ACL_DEVICE;
  INFO_LOG("get run mode success");
  return true;
}

AclSession::~AclSession() {
  if (!initialised_) return;
  // Every step has its line, also for what was never opened.
  if (stream_ != nullptr && aclrtDestroyStream(stream_) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("destroy stream failed");
  }
  INFO_LOG("end to destroy stream");
  if (context_ != nullptr && aclrtDestroyContext(context_) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("destroy context failed");
  }
  INFO_LOG("end to destroy context");
  if (aclrtResetDevice(device_) != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("reset device failed");
  }
  INFO_LOG("end to reset device is %d", device_);
  if (aclFinalize() != ACL_SUCCESS) {
    PrintAclMessage();
    ERROR_LOG("finalize acl failed");
  }
  INFO_LOG("end to finalize acl");
}

}  // namespace msame
