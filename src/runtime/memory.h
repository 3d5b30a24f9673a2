// SPDX-License-Identifier: Apache-2.0
// Memory handed to the user: who owns which block, and range checks for copies.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "base/status.h"
#include "device/device.h"

namespace cairn::runtime {

enum class MemoryKind : uint8_t { kDevice, kHost };

/// Every block given out and not yet released. Thread safe.
class Memory {
 public:
  /// Zero-filled, 64-byte aligned, at least `bytes` rounded up to 32 plus 32. `bytes` is positive.
  Result<void*> AllocateOnDevice(device::Device& device, uint64_t bytes);
  /// 64-byte aligned. `bytes` is positive.
  Result<void*> AllocateOnHost(uint64_t bytes);

  /// kNotFound when `address` is not the start of a block of this kind.
  Status Free(void* address, MemoryKind kind);

  /// kInvalidArgument when `address` lies in a block and `bytes` reach past its end. Memory that is
  /// not ours cannot be checked and passes.
  Status CheckRange(const char* what, const void* address, uint64_t bytes) const;

  /// The kind of the block that holds `address`; nothing for other memory.
  std::optional<MemoryKind> KindOf(const void* address) const;

  uint64_t device_bytes() const;  ///< Sum of the device blocks.

 private:
  struct Block {
    uint64_t bytes;
    MemoryKind kind;
    device::Device* device;
  };
  using Blocks = std::map<uintptr_t, Block>;

  Blocks::const_iterator Containing(const void* address) const;
  void* Register(void* address, Block block);

  mutable std::mutex mutex_;
  Blocks blocks_;
  uint64_t device_bytes_ = 0;
};

}  // namespace cairn::runtime
