// SPDX-License-Identifier: Apache-2.0
// A device whose programs do what the test says.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/device.h"

namespace cairn::testing {

/// What a run does with its buffers.
using RunFn = std::function<Status(std::span<const void* const>, std::span<void* const>)>;

class FakeDevice : public device::Device {
 public:
  explicit FakeDevice(std::string name = "fake") : name_(std::move(name)) {}

  std::string name() const override { return name_; }
  int num_cores() const override { return 1; }
  uint64_t total_memory() const override { return 1 << 30; }
  uint64_t free_memory() const override { return 1 << 29; }
  Result<void*> Allocate(uint64_t bytes) override;
  void Free(void* address) override;
  /// The image's program is read; its tasks are replaced by `run`.
  Result<std::shared_ptr<device::LoadedProgram>> Load(const ProgramImage& image,
                                                      std::shared_ptr<const void> owner) override;

  RunFn run = [](auto, auto) { return OkStatus(); };
  int num_allocated = 0;

 private:
  const std::string name_;
};

}  // namespace cairn::testing
