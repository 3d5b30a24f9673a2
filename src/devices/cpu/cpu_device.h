// SPDX-License-Identifier: Apache-2.0
// The host CPU as a device.
#pragma once

#include <memory>

#include "device/device.h"
#include "devices/cpu/device_shares.h"

namespace cairn::device {

/// The CPU of this machine with `num_cores` threads (0: as many as the process may use). Its thread
/// pool starts with the first program.
std::unique_ptr<Device> NewCpuDevice(int num_cores = 0);

/// The share of it that `share` says. The workers run on the cores of the share; threads of the
/// application, which take part in runs, run where the application lets them.
std::unique_ptr<Device> NewCpuDevice(DeviceShare share);

}  // namespace cairn::device
