// SPDX-License-Identifier: Apache-2.0
// Allocation, release and range checks.
#include "runtime/memory.h"

#include <cstdlib>

#include "profile/session.h"
#include "profile/usage.h"

namespace cairn::runtime {
namespace {

constexpr uint64_t kUnit = 32;
constexpr uint64_t kAlignment = 64;
constexpr uint64_t kMaxBytes = uint64_t{1} << 46;

/// Users may write up to the rounded size.
uint64_t WithMargin(uint64_t bytes) { return (bytes + kUnit - 1) / kUnit * kUnit + kUnit; }

Status TooLarge(uint64_t bytes) {
  return Status(Code::kOutOfMemory, StrCat(bytes, " bytes cannot be allocated"));
}

const char* KindName(MemoryKind kind) { return kind == MemoryKind::kDevice ? "device" : "host"; }

}  // namespace

void* Memory::Register(void* address, Block block) {
  const std::lock_guard lock(mutex_);
  if (block.kind == MemoryKind::kDevice) {
    device_bytes_ += block.bytes;
    profile::Usage::Get().AddMemory(static_cast<int64_t>(block.bytes));
  }
  blocks_[reinterpret_cast<uintptr_t>(address)] = block;
  return address;
}

Result<void*> Memory::AllocateOnDevice(device::Device& device, uint64_t bytes) {
  const profile::CallScope scope(profile::kRuntimeCalls, profile::CallLevel::kRuntime, "MemAlloc");
  if (bytes > kMaxBytes) return TooLarge(bytes);
  const uint64_t size = WithMargin(bytes);
  ASSIGN_OR_RETURN(void* address, device.Allocate(size));
  Register(address, {size, MemoryKind::kDevice, &device});
  profile::RecordMemory(0, address, static_cast<int64_t>(size), device_bytes());
  return address;
}

Result<void*> Memory::AllocateOnHost(uint64_t bytes) {
  if (bytes > kMaxBytes) return TooLarge(bytes);
  const uint64_t size = (WithMargin(bytes) + kAlignment - 1) / kAlignment * kAlignment;
  void* address = std::aligned_alloc(kAlignment, size);
  if (address == nullptr) return TooLarge(bytes);
  return Register(address, {size, MemoryKind::kHost, nullptr});
}

Status Memory::Free(void* address, MemoryKind kind) {
  Block block;
  {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(reinterpret_cast<uintptr_t>(address));
    if (found == blocks_.end())
      return Status(Code::kNotFound, StrCat("address ", address,
                                            " is not the start of memory allocated here, or it "
                                            "has been released already"));
    if (found->second.kind != kind)
      return Status(Code::kNotFound,
                    StrCat("address ", address, " is ", KindName(found->second.kind),
                           " memory, expected ", KindName(kind), " memory"));
    block = found->second;
    if (kind == MemoryKind::kDevice) {
      device_bytes_ -= block.bytes;
      profile::Usage::Get().AddMemory(-static_cast<int64_t>(block.bytes));
    }
    blocks_.erase(found);
  }
  if (kind == MemoryKind::kDevice) {
    block.device->Free(address);
    profile::RecordMemory(0, address, -static_cast<int64_t>(block.bytes), device_bytes());
  } else {
    std::free(address);
  }
  return OkStatus();
}

Memory::Blocks::const_iterator Memory::Containing(const void* address) const {
  const auto value = reinterpret_cast<uintptr_t>(address);
  auto next = blocks_.upper_bound(value);
  if (next == blocks_.begin()) return blocks_.end();
  --next;
  return value < next->first + next->second.bytes ? next : blocks_.end();
}

Status Memory::CheckRange(const char* what, const void* address, uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  const auto block = Containing(address);
  if (block == blocks_.end()) return OkStatus();
  const uint64_t left = block->first + block->second.bytes - reinterpret_cast<uintptr_t>(address);
  if (bytes <= left) return OkStatus();
  return Status(Code::kInvalidArgument,
                StrCat(what, " ", address, ": ", bytes, " bytes reach past the end of its ",
                       KindName(block->second.kind), " memory, ", left, " bytes are left there"));
}

std::optional<MemoryKind> Memory::KindOf(const void* address) const {
  const std::lock_guard lock(mutex_);
  const auto block = Containing(address);
  if (block == blocks_.end()) return std::nullopt;
  return block->second.kind;
}

uint64_t Memory::device_bytes() const {
  const std::lock_guard lock(mutex_);
  return device_bytes_;
}

}  // namespace cairn::runtime
