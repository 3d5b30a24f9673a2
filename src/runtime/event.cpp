// SPDX-License-Identifier: Apache-2.0
// Events are a shared signal that every record replaces.
#include "runtime/event.h"

#include "profile/active.h"

namespace cairn::runtime {

Event::Event(uint32_t id, uint32_t flags, bool starts_complete)
    : id_(id),
      flags_(flags),
      starts_complete_(starts_complete),
      signal_(std::make_shared<Signal>()) {
  if (starts_complete_) signal_->Set();
}

std::shared_ptr<Signal> Event::signal() const {
  const std::lock_guard lock(mutex_);
  return signal_;
}

void Event::Record(Stream& stream) {
  std::shared_ptr<Signal> signal;
  {
    const std::lock_guard lock(mutex_);
    // Waits queued before the first record wait for this one.
    if (recorded_ || starts_complete_) signal_ = std::make_shared<Signal>();
    recorded_ = true;
    signal = signal_;
  }
  stream.Enqueue([signal] {
    signal->Set();
    return OkStatus();
  });
}

void Event::WaitIn(Stream& stream) { stream.EnqueueWait(signal()); }

void Event::ResetIn(std::shared_ptr<Event> event, Stream& stream) {
  stream.Enqueue([event = std::move(event)] {
    const std::lock_guard lock(event->mutex_);
    event->signal_ = std::make_shared<Signal>();
    event->recorded_ = false;
    return OkStatus();
  });
}

bool Event::recorded() const {
  const std::lock_guard lock(mutex_);
  return recorded_;
}

bool Event::complete() const { return signal()->is_set(); }

Status Event::Wait(Timeout timeout) {
  const profile::CallScope scope(profile::kRuntimeCalls, profile::CallLevel::kRuntime,
                                 "EventSynchronize");
  if (signal()->Wait(timeout)) return OkStatus();
  if (timeout)
    return Status(Code::kTimeout,
                  StrCat("event ", id_, " did not complete within ", *timeout, " ms"));
  return Status(Code::kFailedPrecondition, StrCat("event ", id_, ": its stream was destroyed"));
}

int64_t Event::time_ns() const { return signal()->time_ns(); }

}  // namespace cairn::runtime
