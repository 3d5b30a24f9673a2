// SPDX-License-Identifier: Apache-2.0
// A notify: one stream lets another go on, once per record.
#pragma once

#include <deque>
#include <memory>
#include <mutex>

#include "runtime/stream.h"

namespace cairn::runtime {

class Notify {
 public:
  explicit Notify(uint32_t id) : id_(id) {}
  uint32_t id() const { return id_; }

  /// Sets the notify in the order of `stream`, or lets the first waiting stream go on.
  static void RecordIn(std::shared_ptr<Notify> notify, Stream& stream);
  /// Lets `stream` wait until the notify is set, and clears it.
  static void WaitIn(std::shared_ptr<Notify> notify, Stream& stream);

 private:
  void Record();
  void Await(std::shared_ptr<Signal> signal);

  const uint32_t id_;
  std::mutex mutex_;
  bool set_ = false;
  std::deque<std::shared_ptr<Signal>> waiting_;
};

}  // namespace cairn::runtime
