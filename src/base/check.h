// SPDX-License-Identifier: Apache-2.0
// Assertions for programmer mistakes; never reachable from user input.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace cairn::internal {
[[noreturn]] inline void CheckFailed(const char* condition, const char* message, const char* file,
                                     int line) {
  std::fprintf(stderr, "%s:%d: CHECK(%s) failed: %s\n", file, line, condition, message);
  std::abort();
}
}  // namespace cairn::internal

/// Aborts with `message` when `condition` is false, in every build type.
#define CAIRN_CHECK(condition, message)                                              \
  do {                                                                               \
    if (!(condition)) [[unlikely]]                                                   \
      ::cairn::internal::CheckFailed(#condition, message, __FILE__, __LINE__);       \
  } while (false)

/// As CAIRN_CHECK, in debug and sanitizer builds only.
#ifdef CAIRN_DCHECKS
#define CAIRN_DCHECK(condition, message) CAIRN_CHECK(condition, message)
#else
#define CAIRN_DCHECK(condition, message) \
  do {                                   \
  } while (false)
#endif
