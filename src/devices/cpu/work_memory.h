// SPDX-License-Identifier: Apache-2.0
// The memory that instances work in: arena and scratch, shared by instances that take turns.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/status.h"

namespace cairn::device {

class WorkMemory {
 public:
  /// `arena`: memory of the caller to use, or empty.
  explicit WorkMemory(std::span<std::byte> arena) : arena_(arena), is_fixed_(!arena.empty()) {}

  /// Makes room for both; contents are lost when they move. kInvalidArgument when the caller's
  /// arena is too small, kOutOfMemory.
  Status Reserve(size_t arena_bytes, size_t scratch_bytes);

  std::byte* arena() const { return arena_.data(); }
  std::byte* scratch() const { return scratch_.data(); }

 private:
  std::span<std::byte> arena_, scratch_;
  const bool is_fixed_;
  std::shared_ptr<std::byte> own_arena_, own_scratch_;
};

}  // namespace cairn::device
