// SPDX-License-Identifier: Apache-2.0
// What each process uses of the device at the moment: a shared registry that needs no service and
// survives crashes, written by the runtime and read by npu-smi.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace cairn::profile {

/// One process's entry: a file of this size in the registry's folder, mapped by the process.
struct UsageEntry {
  uint64_t magic;
  uint32_t process;
  uint32_t device;
  uint64_t start_ticks;  ///< Of the process: another process with the same number differs here.
  std::atomic<int64_t> memory_bytes;
  std::atomic<int64_t> busy_ns;          ///< Of all ended runs.
  std::atomic<int64_t> active_runs;
  std::atomic<int64_t> active_begin_ns;  ///< Sum over active runs, steady clock.
  char name[64];                         ///< Of the program, zero-terminated.
};

/// The entry of this process; made at the first call. Without a registry (no shared memory) calls
/// have no effect.
class Usage {
 public:
  static Usage& Get();

  void AddMemory(int64_t bytes) { entry_->memory_bytes.fetch_add(bytes, std::memory_order_relaxed); }

  /// Marks a run of a model while it lives.
  class Run {
   public:
    Run();
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

   private:
    int64_t begin_ns_;
  };

 private:
  Usage();
  void Register();
  void Remove();

  UsageEntry unregistered_{};
  UsageEntry* entry_ = &unregistered_;
  std::string path_;
};

/// A process that uses a device.
struct ProcessUsage {
  uint32_t process = 0;
  uint32_t device = 0;
  int64_t memory_bytes = 0;
  int64_t busy_ns = 0;  ///< Up to now, running work included.
  std::string name;
};

/// The live processes, by number; entries of dead ones are removed.
std::vector<ProcessUsage> ReadUsages();

/// CAIRN_REGISTRY, or "/dev/shm/cairn_devices".
std::string RegistryFolder();

}  // namespace cairn::profile
