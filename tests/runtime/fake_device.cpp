// SPDX-License-Identifier: Apache-2.0
// The fake device, and the list of devices of this test program.
#include "fake_device.h"

#include <cstdlib>
#include <cstring>

namespace cairn::testing {
namespace {

class FakeInstance : public device::Instance {
 public:
  FakeInstance(const Program& program, const RunFn& run) : program_(program), run_(run) {}

  Status Run(std::span<const void* const> inputs, std::span<void* const> outputs,
             device::RunProfile* profile) override {
    if (profile != nullptr)
      for (uint32_t i = 0; i < program_.tasks.size(); ++i)
        profile->tasks.push_back({i, 1000 * i, 1000 * i + 500 * (i + 1)});
    return run_(inputs, outputs);
  }
  uint64_t arena_bytes() const override { return program_.arena_bytes; }
  uint64_t scratch_bytes() const override { return 0; }

 private:
  const Program& program_;
  const RunFn& run_;
};

class FakeProgram : public device::LoadedProgram {
 public:
  FakeProgram(Program program, const RunFn& run) : program_(std::move(program)), run_(run) {}

  const Program& program() const override { return program_; }
  Result<std::unique_ptr<device::Instance>> NewInstance(std::span<std::byte>,
                                                        device::Instance*) override {
    return std::unique_ptr<device::Instance>(new FakeInstance(program_, run_));
  }

 private:
  const Program program_;
  const RunFn& run_;
};

}  // namespace

Result<void*> FakeDevice::Allocate(uint64_t bytes) {
  void* memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  std::memset(memory, 0, bytes);
  ++num_allocated;
  return memory;
}

void FakeDevice::Free(void* address) {
  --num_allocated;
  std::free(address);
}

Result<std::shared_ptr<device::LoadedProgram>> FakeDevice::Load(const ProgramImage& image,
                                                                std::shared_ptr<const void>) {
  ASSIGN_OR_RETURN(Program program, ReadProgram(image.program));
  return std::shared_ptr<device::LoadedProgram>(new FakeProgram(std::move(program), run));
}

}  // namespace cairn::testing

namespace cairn::device {

std::vector<std::unique_ptr<Device>> CreateDevices() {
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<testing::FakeDevice>());
  return devices;
}

}  // namespace cairn::device
