// SPDX-License-Identifier: Apache-2.0
// What the runtime asks of a device: memory, loading of programs, execution, counters.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "executable/program.h"

namespace cairn::device {

/// Time of one task in one run, steady-clock nanoseconds since the run's start.
struct TaskTime {
  uint32_t task = 0;
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  uint32_t num_parts = 1;      ///< Most parts of one of its regions.
  int64_t barrier_wait_ns = 0;  ///< Time of its parts between their own end and the region's, added.
};

/// Time of one part of a task on a core.
struct PartTime {
  uint32_t task = 0;
  uint32_t core = 0;
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
};

/// Filled by a run when asked for; capacity is reserved by the caller.
struct RunProfile {
  std::vector<TaskTime> tasks;
  std::vector<PartTime> parts;  ///< Of tasks that were cut into several.
};

/// One execution context of a loaded program: its arena and scratch. Not for concurrent use.
class Instance {
 public:
  virtual ~Instance() = default;
  /// Runs the program. `inputs` and `outputs`: one address per model input and output, each with at
  /// least the program's bytes, 64-byte alignment preferred but not required. Allocates nothing.
  virtual Status Run(std::span<const void* const> inputs, std::span<void* const> outputs,
                     RunProfile* profile) = 0;
  virtual uint64_t arena_bytes() const = 0;
  virtual uint64_t scratch_bytes() const = 0;
};

/// A program bound to a device; immutable, shared by instances and threads.
class LoadedProgram {
 public:
  virtual ~LoadedProgram() = default;
  virtual const Program& program() const = 0;
  /// `arena`: memory of at least program().arena_bytes to use, or empty: the instance allocates.
  /// `lender`: an instance of this device that never runs at the same time, or null: the new one
  /// works in the lender's memory, which grows as needed.
  virtual Result<std::unique_ptr<Instance>> NewInstance(std::span<std::byte> arena,
                                                        Instance* lender = nullptr) = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;          ///< SoC name, e.g. "Cairn-x86-64-v3".
  virtual int num_cores() const = 0;             ///< Cores this process may use.
  virtual uint64_t total_memory() const = 0;     ///< Bytes, with cgroup limits.
  virtual uint64_t free_memory() const = 0;

  /// Zero-filled, at least 64-byte aligned.
  virtual Result<void*> Allocate(uint64_t bytes) = 0;
  virtual void Free(void* address) = 0;

  /// Verifies and binds `image`. `owner` keeps the image's bytes alive (mapped file, user memory).
  virtual Result<std::shared_ptr<LoadedProgram>> Load(const ProgramImage& image,
                                                      std::shared_ptr<const void> owner) = 0;
};

/// Creates every device of this process, in id order. One line per kind of device (device list).
std::vector<std::unique_ptr<Device>> CreateDevices();

}  // namespace cairn::device
