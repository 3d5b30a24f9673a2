// SPDX-License-Identifier: Apache-2.0
// Subscription and execution of host callbacks.
#include "runtime/report_queue.h"

#include <chrono>
#include <thread>

namespace cairn::runtime {

Status ReportQueues::Subscribe(ThreadId thread, Handle stream) {
  const std::lock_guard lock(mutex_);
  if (const auto bound = threads_.find(stream); bound != threads_.end())
    return Status(Code::kAlreadyExists,
                  StrCat("the stream is subscribed by thread ", bound->second));
  threads_[stream] = thread;
  auto& queue = queues_[thread];
  if (queue == nullptr) queue = std::make_shared<Queue>();
  ++queue->num_streams;
  return OkStatus();
}

Status ReportQueues::Unsubscribe(ThreadId thread, Handle stream) {
  const std::lock_guard lock(mutex_);
  const auto bound = threads_.find(stream);
  if (bound == threads_.end() || bound->second != thread)
    return Status(Code::kNotFound, StrCat("the stream is not subscribed by thread ", thread));
  threads_.erase(bound);
  const auto queue = queues_.find(thread);
  if (--queue->second->num_streams == 0) queues_.erase(queue);
  return OkStatus();
}

void ReportQueues::Drop(Handle stream) {
  ThreadId thread = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto bound = threads_.find(stream);
    if (bound == threads_.end()) return;
    thread = bound->second;
  }
  (void)Unsubscribe(thread, stream);
}

std::shared_ptr<ReportQueues::Queue> ReportQueues::QueueOf(ThreadId thread) {
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(thread);
  return found == queues_.end() ? nullptr : found->second;
}

Status ReportQueues::Launch(Handle handle, Stream& stream, std::function<void()> callback,
                            bool blocking) {
  std::shared_ptr<Queue> queue;
  {
    const std::lock_guard lock(mutex_);
    const auto bound = threads_.find(handle);
    if (bound == threads_.end())
      return Status(Code::kNotFound, StrCat("no thread is subscribed to stream ", stream.id()));
    queue = queues_[bound->second];
  }
  auto done = std::make_shared<Signal>();
  stream.Enqueue([queue, callback = std::move(callback), done] {
    {
      const std::lock_guard lock(queue->mutex);
      queue->calls.push_back({callback, done});
    }
    queue->changed.notify_one();
    return OkStatus();
  });
  if (blocking) stream.EnqueueWait(std::move(done));
  return OkStatus();
}

Status ReportQueues::Process(ThreadId thread, Timeout timeout) {
  const std::shared_ptr<Queue> queue = QueueOf(thread);
  if (queue == nullptr) {
    // Callers loop over this call before the subscription exists: give the processor away.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Status(Code::kNotFound, StrCat("thread ", thread, " is not subscribed to a stream"));
  }
  Call call;
  {
    std::unique_lock lock(queue->mutex);
    const auto ready = [&] { return !queue->calls.empty(); };
    if (!timeout)
      queue->changed.wait(lock, ready);
    else if (!queue->changed.wait_for(lock, std::chrono::milliseconds(*timeout), ready))
      return Status(Code::kTimeout, StrCat("no callback within ", *timeout, " ms"));
    call = std::move(queue->calls.front());
    queue->calls.pop_front();
  }
  call.callback();
  call.done->Set();
  return OkStatus();
}

}  // namespace cairn::runtime
