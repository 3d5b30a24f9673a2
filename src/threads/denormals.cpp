// SPDX-License-Identifier: Apache-2.0
// Floating-point control registers of x86 (MXCSR) and Arm (FPCR).
#include "threads/denormals.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cairn::threads {

#if defined(__x86_64__)
// MXCSR bit 15 flushes denormal results, bit 6 reads denormal operands as zero.
constexpr unsigned kFlushBits = (1u << 15) | (1u << 6);

uint64_t FlushDenormals() {
  const unsigned old = _mm_getcsr();
  _mm_setcsr(old | kFlushBits);
  return old;
}
void RestoreFloatMode(uint64_t control_word) { _mm_setcsr(static_cast<unsigned>(control_word)); }

#elif defined(__aarch64__)
// FPCR bit 24 (FZ) flushes both operands and results.
uint64_t FlushDenormals() {
  uint64_t old;
  asm volatile("mrs %0, fpcr" : "=r"(old));
  asm volatile("msr fpcr, %0" : : "r"(old | (uint64_t{1} << 24)));
  return old;
}
void RestoreFloatMode(uint64_t control_word) { asm volatile("msr fpcr, %0" : : "r"(control_word)); }

#else
uint64_t FlushDenormals() { return 0; }
void RestoreFloatMode(uint64_t) {}
#endif

}  // namespace cairn::threads
