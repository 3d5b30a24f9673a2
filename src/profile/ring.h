// SPDX-License-Identifier: Apache-2.0
// A thread's own sequence of records in mapped files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/record.h"

namespace cairn::profile {

/// Grants the bytes of slices and drops the oldest ones above a limit; shared by all threads, asked
/// once a slice.
class SliceStore {
 public:
  virtual ~SliceStore() = default;
  /// The name of a new file of `bytes` for the ring `stem`; empty: no more slices.
  virtual std::string NewSlice(const std::string& stem, uint64_t bytes) = 0;
};

/// Appends records. Written by one thread; what was appended is in the file even when the process
/// is killed. No lock, no allocation and no system call but at the change to a new slice.
class Ring {
 public:
  Ring() = default;
  ~Ring() { Close(); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  /// Slices are named by `store` after `stem`, e.g. "device_0/data/task.17.18".
  void Open(SliceStore* store, std::string stem);
  void Close();

  void Append(const Record& record) {
    if (used_ == capacity_ && !NextSlice()) return;
    records_[used_] = record;
    header_->count.store(++used_, std::memory_order_release);
  }

  /// As Append; the text of a kCall or kMark record is cut to the record.
  void Append(Record record, const char* text, size_t length);
  /// As Append; text that does not fit goes into kText records.
  void AppendLong(Record record, const char* text, size_t length);

 private:
  bool NextSlice();
  bool MapFile(const std::string& path, size_t bytes);

  SliceStore* store_ = nullptr;
  std::string stem_;
  SliceHeader* header_ = nullptr;
  Record* records_ = nullptr;
  size_t mapped_bytes_ = 0;
  uint64_t used_ = 0;
  uint64_t capacity_ = 0;
  uint64_t slice_bytes_ = 0;
};

/// Nanoseconds of the steady clock, which records use.
uint64_t NowNs();
/// This thread's number, asked from the system once.
uint32_t ThreadId();
/// After a fork.
void ForgetThreadId();

}  // namespace cairn::profile
