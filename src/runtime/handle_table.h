// SPDX-License-Identifier: Apache-2.0
// Handles that a C caller holds: checked on every use, never valid again after removal.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace cairn::runtime {

/// 0 is no handle. Layout: generation (32 bits), slot + 1 (28 bits), kind (4 bits).
using Handle = uint64_t;

/// Distinguishes tables, so that a handle of one kind is unknown to the others.
enum class HandleKind : uint8_t { kContext = 1, kStream = 2, kEvent = 3, kNotify = 4 };

/// Maps handles to shared objects. Thread safe.
template <class T>
class HandleTable {
 public:
  explicit HandleTable(HandleKind kind) : kind_(static_cast<uint64_t>(kind)) {}

  Handle Insert(std::shared_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    size_t slot = slots_.size();
    if (free_.empty()) {
      slots_.push_back({});
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    slots_[slot].object = std::move(object);
    return slots_[slot].generation << 32 | (slot + 1) << 4 | kind_;
  }

  /// Null for an unknown or removed handle.
  std::shared_ptr<T> Find(Handle handle) const {
    const std::lock_guard lock(mutex_);
    const size_t slot = SlotOf(handle);
    return slot < slots_.size() ? slots_[slot].object : nullptr;
  }

  /// The removed object; null for an unknown handle.
  std::shared_ptr<T> Remove(Handle handle) {
    const std::lock_guard lock(mutex_);
    const size_t slot = SlotOf(handle);
    if (slot >= slots_.size()) return nullptr;
    std::shared_ptr<T> object = std::move(slots_[slot].object);
    slots_[slot].object = nullptr;
    ++slots_[slot].generation;
    free_.push_back(slot);
    return object;
  }

  std::vector<Handle> Handles() const {
    const std::lock_guard lock(mutex_);
    std::vector<Handle> handles;
    for (size_t slot = 0; slot < slots_.size(); ++slot)
      if (slots_[slot].object != nullptr)
        handles.push_back(slots_[slot].generation << 32 | (slot + 1) << 4 | kind_);
    return handles;
  }

 private:
  struct Slot {
    std::shared_ptr<T> object;
    uint64_t generation = 1;
  };

  /// The occupied slot of `handle`, or slots_.size().
  size_t SlotOf(Handle handle) const {
    const uint64_t slot = ((handle >> 4) & 0xfffffff) - 1;
    const bool known = (handle & 0xf) == kind_ && slot < slots_.size() &&
                       slots_[slot].generation == handle >> 32 && slots_[slot].object != nullptr;
    return known ? slot : slots_.size();
  }

  const uint64_t kind_;
  mutable std::mutex mutex_;
  std::vector<Slot> slots_;
  std::vector<size_t> free_;
};

}  // namespace cairn::runtime
