// SPDX-License-Identifier: Apache-2.0
// Reads devices through AscendCL, load from the shared registry, sensors from the kernel's files.
#include "npu-smi/chip.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "acl/acl.h"
#include "profile/usage.h"

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

struct Load {
  int device_percent = 0;
  int cpu_percent = 0;
  std::vector<Process> processes;
};

int64_t BusyNs(const std::vector<cairn::profile::ProcessUsage>& usages) {
  int64_t busy_ns = 0;
  for (const auto& usage : usages) busy_ns += usage.busy_ns;
  return busy_ns;
}

/// What happens during `interval_ms`.
Load Watch(int interval_ms) {
  using Clock = std::chrono::steady_clock;
  const CpuTimes cpu_before = ReadCpuTimes();
  const int64_t busy_before = BusyNs(cairn::profile::ReadUsages());
  const Clock::time_point begin = Clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(interval_ms));
  const auto usages = cairn::profile::ReadUsages();
  const int64_t elapsed_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
  const CpuTimes cpu_after = ReadCpuTimes();
  Load load;
  const int64_t busy_ns = std::max<int64_t>(0, BusyNs(usages) - busy_before);
  load.device_percent = static_cast<int>(std::min<int64_t>(100, busy_ns * 100 / elapsed_ns));
  if (const uint64_t all = cpu_after.all - cpu_before.all; all > 0)
    load.cpu_percent = static_cast<int>(100 - (cpu_after.idle - cpu_before.idle) * 100 / all);
  for (const auto& usage : usages)
    load.processes.push_back(
        {usage.process, usage.name,
         static_cast<uint64_t>(std::max<int64_t>(usage.memory_bytes, 0)) >> 20});
  return load;
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

std::vector<Chip> ReadChips(int interval_ms) {
  uint32_t count = 0;
  if (aclrtGetDeviceCount(&count) != ACL_SUCCESS) return {};
  Chip chip;
  chip.name = aclrtGetSocName();
  if (chip.name.rfind("Ascend", 0) == 0) chip.name.erase(0, 6);
  chip.has_hbm = HasHbm(chip.name);
  chip.temperature_c = Temperature();
  Load load = Watch(interval_ms);
  std::erase_if(load.processes, [](const Process& process) {
    return process.id == static_cast<uint32_t>(::getpid());
  });
  chip.core_usage_percent = load.device_percent;
  chip.cpu_usage_percent = load.cpu_percent;
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
    // Every device is the host's processor: its processes are shown with the first one.
    chip.processes = i == 0 ? load.processes : std::vector<Process>();
    chips.push_back(chip);
  }
  return chips;
}

}  // namespace npu_smi
