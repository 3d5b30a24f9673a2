// SPDX-License-Identifier: Apache-2.0
// Between the runtime's handles and the C API's untyped pointers.
#pragma once

#include <cstdint>

#include "runtime/handle_table.h"
#include "runtime/stream.h"

namespace cairn::api {

inline void* ToPointer(runtime::Handle handle) { return reinterpret_cast<void*>(handle); }
inline runtime::Handle ToHandle(const void* pointer) {
  return reinterpret_cast<runtime::Handle>(pointer);
}

/// -1 = for ever.
inline runtime::Timeout ToTimeout(int32_t ms) {
  return ms < 0 ? runtime::Timeout() : runtime::Timeout(ms);
}

}  // namespace cairn::api
