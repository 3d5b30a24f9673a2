// SPDX-License-Identifier: Apache-2.0
// The callback of the process that learns of failed tasks.
#pragma once

#include <cstdint>

namespace cairn::runtime {

/// What failed.
struct TaskFailure {
  uint32_t task_id = 0;
  uint32_t stream_id = 0;
  uint32_t thread_id = 0;
  uint32_t device_id = 0;
  uint32_t error_code = 0;
};

using TaskFailureFn = void (*)(void* context, const TaskFailure& failure);

/// Replaces the callback; null clears it. Called on the thread that ran the task.
void SetTaskFailureCallback(TaskFailureFn fn, void* context);
void ReportTaskFailure(const TaskFailure& failure);

}  // namespace cairn::runtime
