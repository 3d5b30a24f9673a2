// SPDX-License-Identifier: Apache-2.0
// What the machine that runs this process is.
#pragma once

#include <cstdint>
#include <string>

namespace cairn::target {

/// Instruction set level of the running CPU ("x86-64-v4", "x86-64-v3", "armv8.2"); empty when it is
/// below all of them.
std::string HostIsa();

/// Cache sizes in bytes as the kernel lists them; 0 where unknown.
struct HostCaches {
  uint64_t l1_data = 0;
  uint64_t l2 = 0;
  uint64_t l3 = 0;
};

/// Reads `folder`/index*/{level,type,size}; the default is the first CPU's folder.
HostCaches ReadHostCaches(const std::string& folder = "/sys/devices/system/cpu/cpu0/cache");

}  // namespace cairn::target
