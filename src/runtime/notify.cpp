// SPDX-License-Identifier: Apache-2.0
// Records and waits as work of streams.
#include "runtime/notify.h"

namespace cairn::runtime {

void Notify::RecordIn(std::shared_ptr<Notify> notify, Stream& stream) {
  stream.Enqueue([notify = std::move(notify)] {
    notify->Record();
    return OkStatus();
  });
}

void Notify::WaitIn(std::shared_ptr<Notify> notify, Stream& stream) {
  auto signal = std::make_shared<Signal>();
  stream.Enqueue([notify = std::move(notify), signal] {
    notify->Await(signal);
    return OkStatus();
  });
  stream.EnqueueWait(std::move(signal));
}

void Notify::Record() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) {
    set_ = true;
    return;
  }
  waiting_.front()->Set();
  waiting_.pop_front();
}

void Notify::Await(std::shared_ptr<Signal> signal) {
  const std::lock_guard lock(mutex_);
  if (!set_) {
    waiting_.push_back(std::move(signal));
    return;
  }
  set_ = false;
  signal->Set();
}

}  // namespace cairn::runtime
