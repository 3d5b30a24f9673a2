// SPDX-License-Identifier: Apache-2.0
// Memory, cores and program loading of the host CPU.
#include "devices/cpu/cpu_device.h"

#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>
#include <unordered_map>

#include "devices/cpu/cpu_program.h"
#include "kernels/isa.h"
#include "threads/available_cores.h"

namespace cairn::device {
namespace {

/// The number in a one-value file such as a cgroup limit; nothing for "max" or a missing file.
std::optional<uint64_t> NumberInFile(const char* path) {
  std::ifstream file(path);
  uint64_t value = 0;
  if (!(file >> value)) return std::nullopt;
  return value;
}

/// A field of /proc/meminfo in bytes.
uint64_t MemInfo(const std::string& field) {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  uint64_t kibibytes = 0;
  while (file >> name >> kibibytes) {
    std::getline(file, unit);
    if (name == field + ":") return kibibytes << 10;
  }
  return 0;
}

class CpuDevice : public Device {
 public:
  explicit CpuDevice(DeviceShare share)
      : share_(std::move(share)),
        num_cores_(share_.num_cores > 0 ? share_.num_cores : threads::AvailableCores()),
        total_memory_(share_.memory_bytes > 0
                          ? share_.memory_bytes
                          : MachineMemory() / static_cast<uint64_t>(share_.num_sharers)) {}

  std::string name() const override {
    if (const char* soc = std::getenv("CAIRN_SOC"); soc && *soc) return soc;
    const auto isa = kernels::BestIsa();
    return isa ? StrCat("Cairn-", kernels::IsaName(*isa)) : std::string("Cairn-unsupported-cpu");
  }
  int num_cores() const override { return num_cores_; }

  uint64_t total_memory() const override { return total_memory_; }
  uint64_t free_memory() const override {
    const uint64_t total = total_memory(), used = used_bytes_.load();
    return std::min(MachineFreeMemory(), total > used ? total - used : 0);
  }

  static uint64_t MachineMemory() {
    const uint64_t physical = MemInfo("MemTotal");
    const auto limit = NumberInFile("/sys/fs/cgroup/memory.max");
    return limit ? std::min(*limit, physical) : physical;
  }
  static uint64_t MachineFreeMemory() {
    const uint64_t available = MemInfo("MemAvailable");
    const auto limit = NumberInFile("/sys/fs/cgroup/memory.max");
    const auto used = NumberInFile("/sys/fs/cgroup/memory.current");
    if (!limit || !used) return available;
    return std::min(available, *limit > *used ? *limit - *used : 0);
  }

  Result<void*> Allocate(uint64_t bytes) override {
    constexpr uint64_t kAlignment = 64;
    const uint64_t rounded =
        (std::max<uint64_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
    if (!Reserve(rounded)) return NoMemory(bytes);
    void* memory = std::aligned_alloc(kAlignment, rounded);
    if (!memory) {
      used_bytes_ -= rounded;
      return NoMemory(bytes);
    }
    std::memset(memory, 0, rounded);
    const std::lock_guard lock(blocks_mutex_);
    blocks_[memory] = rounded;
    return memory;
  }
  void Free(void* address) override {
    {
      const std::lock_guard lock(blocks_mutex_);
      const auto block = blocks_.find(address);
      if (block == blocks_.end()) return;
      used_bytes_ -= block->second;
      blocks_.erase(block);
    }
    std::free(address);
  }

  Result<std::shared_ptr<LoadedProgram>> Load(const ProgramImage& image,
                                              std::shared_ptr<const void> owner) override {
    std::call_once(pool_once_, [this] {
      if (num_cores_ > 1) pool_ = NewPool();
    });
    return CpuProgram::Load(image, std::move(owner), pool_.get());
  }

 private:
  /// Counts bytes as used unless that exceeds the device's memory.
  bool Reserve(uint64_t bytes) {
    const uint64_t total = total_memory();
    uint64_t used = used_bytes_.load();
    do {
      if (bytes > total || used > total - bytes) return false;
    } while (!used_bytes_.compare_exchange_weak(used, used + bytes));
    return true;
  }

  Status NoMemory(uint64_t bytes) const {
    return Status(Code::kOutOfMemory,
                  StrCat("asked for ", bytes, " bytes, the device has ", total_memory(), " in all, ",
                         used_bytes_.load(), " are given out and ", free_memory(), " are free"));
  }

  /// Workers inherit the set of cores of the thread that creates them.
  std::unique_ptr<threads::ThreadPool> NewPool() const {
    cpu_set_t own, wanted;
    CPU_ZERO(&wanted);
    for (const int core : share_.cores)
      if (core < CPU_SETSIZE) CPU_SET(static_cast<size_t>(core), &wanted);
    const bool moved = !share_.cores.empty() && sched_getaffinity(0, sizeof(own), &own) == 0 &&
                       sched_setaffinity(0, sizeof(wanted), &wanted) == 0;
    auto pool = std::make_unique<threads::ThreadPool>(num_cores_);
    if (moved) sched_setaffinity(0, sizeof(own), &own);
    return pool;
  }

  const DeviceShare share_;
  const int num_cores_;
  const uint64_t total_memory_;
  std::atomic<uint64_t> used_bytes_{0};
  std::mutex blocks_mutex_;
  std::unordered_map<void*, uint64_t> blocks_;
  std::once_flag pool_once_;
  std::unique_ptr<threads::ThreadPool> pool_;
};

}  // namespace

std::unique_ptr<Device> NewCpuDevice(int num_cores) {
  DeviceShare share;
  share.num_cores = num_cores;
  return NewCpuDevice(std::move(share));
}

std::unique_ptr<Device> NewCpuDevice(DeviceShare share) {
  return std::make_unique<CpuDevice>(std::move(share));
}

}  // namespace cairn::device
