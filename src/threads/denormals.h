// SPDX-License-Identifier: Apache-2.0
// Switches the calling thread's floating-point unit to flush denormal numbers to zero.
#pragma once

#include <cstdint>

namespace cairn::threads {

/// Makes results and operands that are denormal read as zero on the calling thread.
/// Returns the former control word for `RestoreFloatMode`.
uint64_t FlushDenormals();
void RestoreFloatMode(uint64_t control_word);

/// Flushes denormals on the calling thread while it lives.
class ScopedFlushDenormals {
 public:
  ScopedFlushDenormals() : saved_(FlushDenormals()) {}
  ~ScopedFlushDenormals() { RestoreFloatMode(saved_); }
  ScopedFlushDenormals(const ScopedFlushDenormals&) = delete;
  ScopedFlushDenormals& operator=(const ScopedFlushDenormals&) = delete;

 private:
  uint64_t saved_;
};

}  // namespace cairn::threads
