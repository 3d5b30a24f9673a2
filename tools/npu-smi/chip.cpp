// SPDX-License-Identifier: Apache-2.0
// Reads devices through AscendCL, and sensors and load from the kernel's files.
#include "npu-smi/chip.h"

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "acl/acl.h"

namespace npu_smi {
namespace {

/// The hottest thermal zone in degrees; nothing when the machine shows none.
std::optional<int> Temperature() {
  std::optional<int> hottest;
  std::error_code error;
  for (const auto& zone : std::filesystem::directory_iterator("/sys/class/thermal", error)) {
    long milli_degrees = 0;
    if (std::ifstream(zone.path() / "temp") >> milli_degrees && milli_degrees > 0)
      hottest = std::max(hottest.value_or(0), static_cast<int>(milli_degrees / 1000));
  }
  return hottest;
}

struct CpuTimes {
  uint64_t idle = 0;
  uint64_t all = 0;
};

/// First line of /proc/stat: user nice system idle iowait irq softirq steal.
CpuTimes ReadCpuTimes() {
  std::ifstream file("/proc/stat");
  std::string label;
  file >> label;
  CpuTimes times;
  uint64_t value = 0;
  for (int field = 0; field < 8 && file >> value; ++field) {
    times.all += value;
    if (field == 3 || field == 4) times.idle += value;
  }
  return times;
}

/// Share of busy time of all cores over 100 ms.
int CoreUsage() {
  const CpuTimes before = ReadCpuTimes();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const CpuTimes after = ReadCpuTimes();
  const uint64_t all = after.all - before.all;
  if (all == 0) return 0;
  return static_cast<int>(100 - (after.idle - before.idle) * 100 / all);
}

uint64_t MemInfo(const std::string& field) {
  std::ifstream file("/proc/meminfo");
  std::string name;
  uint64_t value = 0;
  for (std::string rest; file >> name >> value; std::getline(file, rest))
    if (name == field + ":") return value;
  return 0;
}

bool HasHbm(const std::string& name) {
  return name.rfind("910", 0) == 0 || name.rfind("950", 0) == 0;
}

}  // namespace

std::vector<Chip> ReadChips() {
  uint32_t count = 0;
  if (aclrtGetDeviceCount(&count) != ACL_SUCCESS) return {};
  Chip chip;
  chip.name = aclrtGetSocName();
  if (chip.name.rfind("Ascend", 0) == 0) chip.name.erase(0, 6);
  chip.has_hbm = HasHbm(chip.name);
  chip.temperature_c = Temperature();
  chip.core_usage_percent = CoreUsage();
  size_t free = 0, total = 0;
  if (aclrtGetMemInfo(ACL_DDR_MEM, &free, &total) == ACL_SUCCESS) {
    chip.total_mb = total >> 20;
    chip.used_mb = (total - free) >> 20;
  }
  chip.huge_pages_total = MemInfo("HugePages_Total");
  chip.huge_pages_used = chip.huge_pages_total - MemInfo("HugePages_Free");
  std::vector<Chip> chips;
  for (uint32_t i = 0; i < count; ++i) {
    chip.id = static_cast<int>(i);
    int64_t cores = 0;
    if (aclrtGetDeviceInfo(i, ACL_DEV_ATTR_AICORE_CORE_NUM, &cores) == ACL_SUCCESS)
      chip.num_cores = static_cast<int>(cores);
    chips.push_back(chip);
  }
  return chips;
}

}  // namespace npu_smi
