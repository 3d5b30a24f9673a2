// SPDX-License-Identifier: Apache-2.0
// The one list of device kinds, and how the machine is shared among several.
#include <cstdlib>

#include "base/log.h"
#include "device/device.h"
#include "devices/cpu/cpu_device.h"
#include "devices/cpu/device_shares.h"
#include "threads/available_cores.h"

namespace cairn::device {
namespace {

std::string Environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::string() : std::string(text);
}

}  // namespace

// CAIRN_DEVICES: "2" splits the cores that this process may use, "0-3;4-7" lists the cores of each.
// CAIRN_DEVICE_MEMORY: "8G", the memory of each.
std::vector<std::unique_ptr<Device>> CreateDevices() {
  auto shares = ParseDeviceShares(Environment("CAIRN_DEVICES"),
                                  Environment("CAIRN_DEVICE_MEMORY"), threads::AvailableCores());
  if (!shares.ok()) {
    CAIRN_LOG(kRuntime, kError, shares.status().message(), "; one device is used");
    shares = std::vector<DeviceShare>(1);
  }
  std::vector<std::unique_ptr<Device>> devices;
  for (DeviceShare& share : *shares) devices.push_back(NewCpuDevice(std::move(share)));
  return devices;
}

}  // namespace cairn::device
