// SPDX-License-Identifier: Apache-2.0
// The ways to load a model, shared by the plain and the configured functions.
#pragma once

#include "api/call.h"

namespace cairn::api {

/// Memory of the caller, kept alive until unload. Null: the runtime provides it. Weights are used
/// where the model's file lies, so their memory is checked and not written.
struct CallerMemory {
  void* work = nullptr;
  size_t work_bytes = 0;
  void* weights = nullptr;
  size_t weight_bytes = 0;
};

Answer LoadFile(const char* path, const CallerMemory& memory, uint32_t* model_id);
Answer LoadMemory(const void* model, size_t bytes, const CallerMemory& memory, uint32_t* model_id);

}  // namespace cairn::api
