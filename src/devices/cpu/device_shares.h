// SPDX-License-Identifier: Apache-2.0
// How the host is divided among CPU devices.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace cairn::device {

/// What one device gets.
struct DeviceShare {
  int num_cores = 0;           ///< 0: as many as the process may use.
  std::vector<int> cores;      ///< Numbers of the cores its workers run on; empty: any.
  uint64_t memory_bytes = 0;   ///< Most that may be allocated; 0: what the machine has.
  int num_sharers = 1;         ///< Devices that share the machine's memory without a limit given.
};

/// `devices`: empty, a number from 1 to 64 (the `available` cores are split evenly, one at least),
/// or lists of cores "0-3,8;4-7" divided by ';'. `memory`: empty, or bytes with an optional suffix
/// K, M, G. kInvalidArgument says what is wrong.
Result<std::vector<DeviceShare>> ParseDeviceShares(std::string_view devices,
                                                   std::string_view memory, int available);

}  // namespace cairn::device
