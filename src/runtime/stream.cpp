// SPDX-License-Identifier: Apache-2.0
// The queue, its thread, and one-shot signals.
#include "runtime/stream.h"

#include <chrono>
#include <exception>
#include <new>

#include "profile/active.h"

namespace cairn::runtime {
namespace {

/// cv.wait with an optional limit; false after the limit.
template <class Predicate>
bool WaitFor(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, Timeout timeout,
             Predicate predicate) {
  if (timeout) return changed.wait_for(lock, std::chrono::milliseconds(*timeout), predicate);
  changed.wait(lock, predicate);
  return true;
}

/// What the standard library throws in `work` (out of memory) becomes its failure.
Status RunContained(const Stream::Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Status(Code::kOutOfMemory, "out of memory in queued work");
  } catch (const std::exception& error) {
    return Status(Code::kInternal, StrCat("queued work threw: ", error.what()));
  }
}

}  // namespace

void Signal::Set() {
  {
    const std::lock_guard lock(mutex_);
    set_ = true;
    time_ns_ = std::chrono::steady_clock::now().time_since_epoch().count();
  }
  changed_.notify_all();
}

bool Signal::is_set() const {
  const std::lock_guard lock(mutex_);
  return set_;
}

int64_t Signal::time_ns() const {
  const std::lock_guard lock(mutex_);
  return time_ns_;
}

bool Signal::Wait(Timeout timeout, const std::atomic<bool>* cancel) {
  std::unique_lock lock(mutex_);
  WaitFor(changed_, lock, timeout, [&] { return set_ || (cancel != nullptr && cancel->load()); });
  return set_;
}

void Signal::Wake() {
  { const std::lock_guard lock(mutex_); }  // A wait is either before its check or asleep.
  changed_.notify_all();
}

Stream::~Stream() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  Abort();
  if (!thread_.joinable()) return;
  // The last owner may be the stream's own work (a callback that destroys it).
  if (thread_.get_id() == std::this_thread::get_id())
    thread_.detach();
  else
    thread_.join();
}

void Stream::Enqueue(Work work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
    ++num_enqueued_;
    if (!thread_.joinable()) thread_ = std::thread([this] { Loop(); });
  }
  changed_.notify_all();
}

void Stream::EnqueueWait(std::shared_ptr<Signal> signal) {
  Enqueue([this, signal = std::move(signal)] {
    {
      const std::lock_guard lock(mutex_);
      if (stop_) return OkStatus();
      cancel_wait_ = false;
      awaited_ = signal;
    }
    {
      const profile::CallScope scope(profile::kRuntimeCalls, profile::CallLevel::kRuntime,
                                     "StreamWaitEvent");
      signal->Wait(std::nullopt, &cancel_wait_);
    }
    const std::lock_guard lock(mutex_);
    awaited_ = nullptr;
    return OkStatus();
  });
}

Status Stream::Synchronize(Timeout timeout) {
  const profile::CallScope scope(profile::kRuntimeCalls, profile::CallLevel::kRuntime,
                                 "StreamSynchronize");
  std::unique_lock lock(mutex_);
  const uint64_t goal = num_enqueued_;
  if (!WaitFor(changed_, lock, timeout, [&] { return num_ended_ >= goal; }))
    return Status(Code::kTimeout, StrCat("stream ", id_, ": ", goal - num_ended_,
                                         " tasks did not end within ", *timeout, " ms"));
  return std::exchange(first_failure_, OkStatus());
}

bool Stream::idle() const {
  const std::lock_guard lock(mutex_);
  return num_ended_ == num_enqueued_;
}

void Stream::Abort() {
  std::shared_ptr<Signal> awaited;
  {
    const std::lock_guard lock(mutex_);
    num_ended_ += queue_.size();
    queue_.clear();
    awaited = awaited_;
    cancel_wait_ = true;
  }
  if (awaited != nullptr) awaited->Wake();
  changed_.notify_all();
}

void Stream::Loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stop_ || !queue_.empty(); });
    if (stop_) return;
    Work work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    Status status = RunContained(work);
    work = nullptr;
    lock.lock();
    ++num_ended_;
    if (!status.ok() && first_failure_.ok()) first_failure_ = std::move(status);
    changed_.notify_all();
  }
}

}  // namespace cairn::runtime
