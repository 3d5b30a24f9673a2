// SPDX-License-Identifier: Apache-2.0
// A stream: work that is executed in order by one thread of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/status.h"

namespace cairn::runtime {

/// Milliseconds to wait; nothing = for ever.
using Timeout = std::optional<int64_t>;

/// One-shot signal: set once, by the work that records an event or ends a callback.
class Signal {
 public:
  void Set();
  bool is_set() const;
  /// Steady-clock nanoseconds of Set; 0 before.
  int64_t time_ns() const;
  /// True when set within `timeout`; false after it, or when `*cancel` is true.
  bool Wait(Timeout timeout, const std::atomic<bool>* cancel = nullptr);
  /// Makes all waits look at their `cancel` again.
  void Wake();

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool set_ = false;
  int64_t time_ns_ = 0;
};

class Stream {
 public:
  using Work = std::function<Status()>;

  Stream(uint32_t id, int device, uint32_t flags, uint32_t priority)
      : id_(id), device_(device), flags_(flags), priority_(priority) {}
  /// Drops queued work and joins the thread.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  uint32_t id() const { return id_; }
  int device() const { return device_; }
  uint32_t flags() const { return flags_; }
  uint32_t priority() const { return priority_; }

  /// Appends work; starts the thread at the first call. A failure of the work is kept for
  /// Synchronize.
  void Enqueue(Work work);

  /// Appends a wait for `signal`; the stream goes on when it is set or on Abort.
  void EnqueueWait(std::shared_ptr<Signal> signal);

  /// Waits until the work queued so far has ended and returns the first failure since the last
  /// call. kTimeout when it takes longer.
  Status Synchronize(Timeout timeout = std::nullopt);

  /// True when nothing is queued or running.
  bool idle() const;

  /// Drops what is queued and ends waits; running work is completed.
  void Abort();

 private:
  void Loop();

  const uint32_t id_;
  const int device_;
  const uint32_t flags_;
  const uint32_t priority_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> queue_;
  uint64_t num_enqueued_ = 0;
  uint64_t num_ended_ = 0;
  bool stop_ = false;
  std::shared_ptr<Signal> awaited_;  // What the thread waits for at the moment.
  std::atomic<bool> cancel_wait_{false};
  Status first_failure_;
  std::thread thread_;
};

}  // namespace cairn::runtime
