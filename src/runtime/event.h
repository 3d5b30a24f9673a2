// SPDX-License-Identifier: Apache-2.0
// An event: a position in a stream that others can wait for.
#pragma once

#include <memory>
#include <mutex>

#include "runtime/stream.h"

namespace cairn::runtime {

class Event {
 public:
  /// `starts_complete`: waits and queries before the first record find the event complete.
  Event(uint32_t id, uint32_t flags, bool starts_complete);

  uint32_t id() const { return id_; }
  uint32_t flags() const { return flags_; }
  bool starts_complete() const { return starts_complete_; }

  /// Marks the work queued so far on `stream`. A second record replaces the first.
  void Record(Stream& stream);
  /// Lets `stream` wait for the latest record, or for the first one to come.
  void WaitIn(Stream& stream);
  /// Makes the event unrecorded again, in the order of `stream`.
  static void ResetIn(std::shared_ptr<Event> event, Stream& stream);

  bool recorded() const;  ///< Record was called since creation or reset.
  bool complete() const;  ///< The recorded work has ended.
  /// Waits for the latest record; kTimeout after the limit.
  Status Wait(Timeout timeout);
  /// Steady-clock nanoseconds when the recorded work ended; 0 while it has not.
  int64_t time_ns() const;

 private:
  std::shared_ptr<Signal> signal() const;

  const uint32_t id_;
  const uint32_t flags_;
  const bool starts_complete_;
  mutable std::mutex mutex_;
  std::shared_ptr<Signal> signal_;
  bool recorded_ = false;
};

}  // namespace cairn::runtime
