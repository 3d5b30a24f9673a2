// SPDX-License-Identifier: Apache-2.0
// Allocation of arena and scratch.
#include "devices/cpu/work_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace cairn::device {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

/// Zeroed memory, huge pages where they pay: first touch then costs a fifth.
Result<std::shared_ptr<std::byte>> AllocateBuffer(size_t bytes, const char* what) {
  const size_t alignment = bytes >= kHugePage ? kHugePage : 4096;
  const size_t rounded = (std::max<size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (!memory) {
    return Status(Code::kOutOfMemory, StrCat("no memory for the ", what, " of ", bytes, " bytes"));
  }
  if (bytes >= kHugePage) madvise(memory, rounded, MADV_HUGEPAGE);
  std::memset(memory, 0, rounded);
  return std::shared_ptr<std::byte>(static_cast<std::byte*>(memory),
                                    [](std::byte* p) { std::free(p); });
}

}  // namespace

Status WorkMemory::Reserve(size_t arena_bytes, size_t scratch_bytes) {
  if (arena_.data() == nullptr || arena_.size() < arena_bytes) {
    if (is_fixed_) {
      return Status(Code::kInvalidArgument, StrCat("the work memory has ", arena_.size(),
                                                   " bytes, the model needs ", arena_bytes));
    }
    own_arena_ = nullptr;
    arena_ = {};
    ASSIGN_OR_RETURN(own_arena_, AllocateBuffer(arena_bytes, "arena"));
    arena_ = {own_arena_.get(), arena_bytes};
  }
  if (scratch_.data() == nullptr || scratch_.size() < scratch_bytes) {
    own_scratch_ = nullptr;
    scratch_ = {};
    ASSIGN_OR_RETURN(own_scratch_, AllocateBuffer(scratch_bytes, "scratch"));
    scratch_ = {own_scratch_.get(), scratch_bytes};
  }
  return OkStatus();
}

}  // namespace cairn::device
