// SPDX-License-Identifier: Apache-2.0
// Host callbacks: queued by streams, executed by the threads that subscribed to them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "runtime/handle_table.h"
#include "runtime/stream.h"

namespace cairn::runtime {

/// A thread of the user, as the value of pthread_self().
using ThreadId = uint64_t;

class ReportQueues {
 public:
  /// Binds `stream` to `thread`. kAlreadyExists when it is bound.
  Status Subscribe(ThreadId thread, Handle stream);
  /// kNotFound when `stream` is not bound to `thread`.
  Status Unsubscribe(ThreadId thread, Handle stream);
  /// Forgets a stream that is destroyed.
  void Drop(Handle stream);

  /// Queues `callback` in the order of `stream`; with `blocking` later work of the stream waits
  /// until it has been executed. kNotFound when no thread is subscribed.
  Status Launch(Handle handle, Stream& stream, std::function<void()> callback, bool blocking);

  /// Executes one callback on the calling thread. kNotFound when the thread is not subscribed to
  /// any stream, kTimeout when none arrived in time.
  Status Process(ThreadId thread, Timeout timeout);

 private:
  struct Call {
    std::function<void()> callback;
    std::shared_ptr<Signal> done;
  };
  struct Queue {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Call> calls;
    int num_streams = 0;
  };

  std::shared_ptr<Queue> QueueOf(ThreadId thread);

  std::mutex mutex_;
  std::map<ThreadId, std::shared_ptr<Queue>> queues_;
  std::map<Handle, ThreadId> threads_;
};

}  // namespace cairn::runtime
