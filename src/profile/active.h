// SPDX-License-Identifier: Apache-2.0
// Which records are wanted at the moment, and the timing of calls.
#pragma once

#include <atomic>
#include <cstdint>

#include "profile/record.h"

namespace cairn::profile {

/// What is recorded; bits of a mask.
enum Category : uint32_t {
  kTasks = 1,       ///< Runs and tasks.
  kAttributes = 2,  ///< With shapes, types and the share of each core.
  kAclCalls = 4,    ///< Functions of the C API, loading and running of models.
  kRuntimeCalls = 8,
  kMemory = 16,
  kMarks = 32,
};

/// Bits of what is recorded at the moment; 0 = nothing. Read before every record.
extern std::atomic<uint32_t> active_categories;
inline bool Active(uint32_t categories) {
  return (active_categories.load(std::memory_order_relaxed) & categories) != 0;
}

/// Records the time of a scope as a call of `name`, a literal, when its category is active.
class CallScope {
 public:
  CallScope(Category category, CallLevel level, const char* name)
      : name_(Active(category) ? name : nullptr), level_(level) {
    if (name_ != nullptr) Begin();
  }
  ~CallScope() {
    if (name_ != nullptr) End();
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  void Begin();
  void End() const;

  const char* name_;
  CallLevel level_;
  uint64_t begin_ns_ = 0;
};

}  // namespace cairn::profile
