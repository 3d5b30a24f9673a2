// SPDX-License-Identifier: Apache-2.0
// Reads the CPU set and the cgroup files of the calling process.
#include "threads/available_cores.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace cairn::threads {
namespace {

std::optional<int64_t> ParseInteger(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

int CoresOfCpuSet() {
  // A kernel may know more CPUs than the fixed-size set holds; then it answers EINVAL.
  for (int size = 1024; size <= 1 << 16; size *= 4) {
    cpu_set_t* set = CPU_ALLOC(size);
    const size_t bytes = CPU_ALLOC_SIZE(size);
    const bool known = sched_getaffinity(0, bytes, set) == 0;
    const int count = known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (known) return std::max(count, 1);
  }
  return 1;
}

// A group is limited by its own quota and by that of each of its ancestors.
std::optional<int> CoresOfCgroups() {
  std::optional<int> cores;
  const auto lower = [&cores](std::optional<int> limit) {
    if (limit && (!cores || *limit < *cores)) cores = limit;
  };
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool v2 = controllers.empty();
    if (!v2 && ("," + controllers + ",").find(",cpu,") == std::string::npos) continue;
    const std::string root = v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
    for (std::string group = line.substr(second + 1);; group.resize(group.rfind('/'))) {
      if (group == "/") group.clear();
      const std::string folder = root + group;
      if (v2) {
        lower(CoresOfQuota(FirstLine(folder + "/cpu.max")));
      } else {
        lower(CoresOfQuota(FirstLine(folder + "/cpu.cfs_quota_us") + " " +
                           FirstLine(folder + "/cpu.cfs_period_us")));
      }
      if (group.rfind('/') == std::string::npos) break;
    }
  }
  return cores;
}

}  // namespace

std::optional<int> CoresOfQuota(std::string_view cpu_max) {
  const size_t space = cpu_max.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const auto quota = ParseInteger(cpu_max.substr(0, space));
  const auto period = ParseInteger(cpu_max.substr(space + 1));
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<int>(std::min<int64_t>((*quota - 1) / *period + 1, 1 << 16));
}

std::optional<int> ParseCoreLimit(std::string_view text) {
  const auto value = ParseInteger(text);
  if (!value || *value <= 0) return std::nullopt;
  return static_cast<int>(std::min<int64_t>(*value, 1 << 16));
}

int AvailableCores() {
  int cores = CoresOfCpuSet();
  if (const auto limit = CoresOfCgroups()) cores = std::min(cores, *limit);
  if (const char* text = std::getenv("CAIRN_NUM_CORES")) {
    if (const auto limit = ParseCoreLimit(text)) cores = std::min(cores, *limit);
  }
  return cores;
}

}  // namespace cairn::threads
