// SPDX-License-Identifier: Apache-2.0
// Buffer: memory of the caller.
#pragma once

#include <cstdint>

namespace cairn::runtime {

struct Buffer {
  void* data = nullptr;
  uint64_t bytes = 0;
};

}  // namespace cairn::runtime
