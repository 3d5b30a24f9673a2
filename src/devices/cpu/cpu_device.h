// SPDX-License-Identifier: Apache-2.0
// The host CPU as a device.
#pragma once

#include <memory>

#include "device/device.h"

namespace cairn::device {

/// The CPU of this machine with `num_cores` threads (0: as many as the process may use). Its thread
/// pool starts with the first program.
std::unique_ptr<Device> NewCpuDevice(int num_cores = 0);

}  // namespace cairn::device
