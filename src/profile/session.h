// SPDX-License-Identifier: Apache-2.0
// The recording of this process: what is switched on, where it goes, each thread's rings.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "base/status.h"
#include "executable/program.h"
#include "profile/active.h"
#include "profile/ring.h"

namespace cairn::profile {

struct Settings {
  uint32_t categories = kTasks | kAttributes | kAclCalls;
  uint64_t storage_limit_bytes = 0;  ///< 0: none. Above it the oldest slices are dropped.
};

class Session {
 public:
  /// The one of this process; never destroyed.
  static Session& Get();

  /// Records into `folder`, which CreateProfileFolder made. kAlreadyExists while recording.
  Status Start(const std::string& folder, const Settings& settings);
  /// Ends recording; what was recorded is complete in the files. Does nothing when not recording.
  void Stop();
  /// The folder being recorded into; empty when not recording.
  std::string folder() const;

  /// Writes the description of a program beside the records and returns its number there, which
  /// holds until `recording()` changes.
  uint32_t AddProgram(uint32_t model_id, const Program& program);
  /// Changes with every start and stop.
  uint64_t recording() const { return generation_.load(std::memory_order_acquire); }

  /// Rings of the calling thread; valid until the thread ends. Only when Active.
  Ring& TaskRing();
  Ring& CallRing();

 private:
  struct Recording;
  struct ThreadRings;
  Session();
  ThreadRings& Rings();

  mutable std::mutex mutex_;
  std::shared_ptr<Recording> recording_;
  std::atomic<uint64_t> generation_{0};
};

/// Makes `<parent>/PROF_000001_<time>_<letters>` with its folders for host and device and returns
/// its absolute path.
Result<std::string> CreateProfileFolder(const std::string& parent);

/// Records that a run of `model_id` was handed to `stream`.
void RecordLaunch(uint32_t model_id, uint32_t device, uint32_t stream);
/// Records an allocation (positive) or release (negative) of device memory.
void RecordMemory(uint32_t device, const void* address, int64_t bytes, uint64_t total_bytes);
/// Records a range, or with begin_ns == end_ns an instant, that the application marked.
void RecordMark(uint64_t begin_ns, uint64_t end_ns, const std::string& text);

}  // namespace cairn::profile
