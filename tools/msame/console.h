// SPDX-License-Identifier: Apache-2.0
// The console lines of msame: everything goes to stdout with a level in brackets.
#pragma once

#include <cstdio>

#include "acl/acl.h"

#define MSAME_LINE(level, ...) \
  do {                         \
    std::printf(level);        \
    std::printf(__VA_ARGS__);  \
    std::putchar('\n');        \
  } while (false)
#define INFO_LOG(...) MSAME_LINE("[INFO] ", __VA_ARGS__)
#define DEBUG_LOG(...) MSAME_LINE("[DEBUG] ", __VA_ARGS__)
#define WARN_LOG(...) MSAME_LINE("[WARN] ", __VA_ARGS__)
#define ERROR_LOG(...) MSAME_LINE("[ERROR] ", __VA_ARGS__)

namespace msame {

/// Prints the library's text of the last failures, when there is one.
inline void PrintAclMessage() {
  if (const char* text = aclGetRecentErrMsg()) std::printf("%s\n", text);
}

}  // namespace msame
