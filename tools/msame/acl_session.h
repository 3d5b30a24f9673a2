// SPDX-License-Identifier: Apache-2.0
// The process-wide objects of a run: library, device, context, stream.
#pragma once

#include <cstdint>

#include "acl/acl.h"

namespace msame {

/// Opens in order, closes in reverse order what was opened.
class AclSession {
 public:
  AclSession() = default;
  ~AclSession();
  AclSession(const AclSession&) = delete;
  AclSession& operator=(const AclSession&) = delete;

  /// False after a failure, which has been printed.
  bool Open(const char* config_path, int32_t device);

  /// True when the program runs on the device itself and needs no copies.
  bool runs_on_device() const { return runs_on_device_; }

 private:
  int32_t device_ = 0;
  bool initialised_ = false;
  aclrtContext context_ = nullptr;
  aclrtStream stream_ = nullptr;
  bool runs_on_device_ = false;
};

}  // namespace msame
