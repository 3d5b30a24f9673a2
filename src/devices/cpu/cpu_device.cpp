// SPDX-License-Identifier: Apache-2.0
// Memory, cores and program loading of the host CPU.
#include "devices/cpu/cpu_device.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>

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
  explicit CpuDevice(int num_cores)
      : num_cores_(num_cores > 0 ? num_cores : threads::AvailableCores()) {}

  std::string name() const override {
    if (const char* soc = std::getenv("CAIRN_SOC"); soc && *soc) return soc;
    const auto isa = kernels::BestIsa();
    return isa ? StrCat("Cairn-", kernels::IsaName(*isa)) : std::string("Cairn-unsupported-cpu");
  }
  int num_cores() const override { return num_cores_; }

  uint64_t total_memory() const override {
    const uint64_t physical = MemInfo("MemTotal");
    const auto limit = NumberInFile("/sys/fs/cgroup/memory.max");
    return limit ? std::min(*limit, physical) : physical;
  }
  uint64_t free_memory() const override {
    const uint64_t available = MemInfo("MemAvailable");
    const auto limit = NumberInFile("/sys/fs/cgroup/memory.max");
    const auto used = NumberInFile("/sys/fs/cgroup/memory.current");
    if (!limit || !used) return available;
    return std::min(available, *limit > *used ? *limit - *used : 0);
  }

  Result<void*> Allocate(uint64_t bytes) override {
    constexpr uint64_t kAlignment = 64;
    if (bytes > total_memory()) {
      return Status(Code::kOutOfMemory, StrCat("asked for ", bytes, " bytes, the device has ",
                                               total_memory(), " in all"));
    }
    const uint64_t rounded = (std::max<uint64_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
    void* memory = std::aligned_alloc(kAlignment, rounded);
    if (!memory) {
      return Status(Code::kOutOfMemory, StrCat("asked for ", bytes, " bytes, ", free_memory(),
                                               " of ", total_memory(), " are free"));
    }
    std::memset(memory, 0, rounded);
    return memory;
  }
  void Free(void* address) override { std::free(address); }

  Result<std::shared_ptr<LoadedProgram>> Load(const ProgramImage& image,
                                              std::shared_ptr<const void> owner) override {
    std::call_once(pool_once_, [this] {
      if (num_cores_ > 1) pool_ = std::make_unique<threads::ThreadPool>(num_cores_);
    });
    return CpuProgram::Load(image, std::move(owner), pool_.get());
  }

 private:
  const int num_cores_;
  std::once_flag pool_once_;
  std::unique_ptr<threads::ThreadPool> pool_;
};

}  // namespace

std::unique_ptr<Device> NewCpuDevice(int num_cores) {
  return std::make_unique<CpuDevice>(num_cores);
}

}  // namespace cairn::device
