// SPDX-License-Identifier: Apache-2.0
// The one list of device kinds.
#include "device/device.h"
#include "devices/cpu/cpu_device.h"

namespace cairn::device {

std::vector<std::unique_ptr<Device>> CreateDevices() {
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(NewCpuDevice());
  return devices;
}

}  // namespace cairn::device
