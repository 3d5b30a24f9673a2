// SPDX-License-Identifier: Apache-2.0
// One slot for the process.
#include "runtime/task_failure.h"

#include <mutex>

namespace cairn::runtime {
namespace {

std::mutex mutex;
TaskFailureFn callback = nullptr;
void* callback_context = nullptr;

}  // namespace

void SetTaskFailureCallback(TaskFailureFn fn, void* context) {
  const std::lock_guard lock(mutex);
  callback = fn;
  callback_context = context;
}

void ReportTaskFailure(const TaskFailure& failure) {
  TaskFailureFn fn;
  void* context;
  {
    const std::lock_guard lock(mutex);
    fn = callback;
    context = callback_context;
  }
  if (fn != nullptr) fn(context, failure);
}

}  // namespace cairn::runtime
