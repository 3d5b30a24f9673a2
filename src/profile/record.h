// SPDX-License-Identifier: Apache-2.0
// The raw form of a profile: records of one fixed size in slices of files that outlive a killed
// process.
#pragma once

#include <atomic>
#include <cstdint>

namespace cairn::profile {

/// What a record tells. Values are part of the file format; append only.
enum class RecordKind : uint8_t {
  kNone = 0,
  kTask = 1,    ///< One task of one run of a model.
  kPart = 2,    ///< The share of one core in a task.
  kRun = 3,     ///< One run of a model, all tasks.
  kCall = 4,    ///< A call of a function; `level` says of which layer.
  kLaunch = 5,  ///< A run was handed to a stream.
  kMemory = 6,  ///< Device memory was allocated (bytes > 0) or released (bytes < 0).
  kMark = 7,    ///< A range or an instant marked by the application.
  kText = 8,    ///< Continues the text of the record before it.
};

/// Layer of a call. Values are part of the file format; append only.
enum class CallLevel : uint8_t { kAcl = 0, kModel = 1, kNode = 2, kRuntime = 3 };

/// Of kRun, kTask, kPart, kLaunch.
struct TaskPayload {
  uint32_t model_id;
  uint32_t program;  ///< Number of the program's description in this process.
  uint32_t run;      ///< Counts the runs of the process.
  uint32_t task;     ///< Index in the program.
  uint32_t stream;
  uint32_t device;
  uint32_t cores;            ///< kTask: parts it was cut into. kPart: number of the core.
  uint32_t barrier_wait_ns;  ///< kTask: time of its cores between their end and the task's, added.
};

struct MemoryPayload {
  uint64_t address;
  int64_t bytes;
  uint64_t total_bytes;  ///< In use after the event.
  uint32_t device;
};

inline constexpr size_t kRecordText = 40;

/// Times are steady-clock nanoseconds; SliceHeader relates them to the time of day.
struct Record {
  RecordKind kind;
  CallLevel level;
  uint16_t text_bytes;  ///< Of kCall, kMark, kText: valid bytes of `text`.
  uint32_t thread;
  uint64_t begin_ns;
  uint64_t end_ns;
  union {
    TaskPayload task;
    MemoryPayload memory;
    char text[kRecordText];
  };
};
static_assert(sizeof(Record) == 64);

inline constexpr uint64_t kSliceMagic = 0x4543494c534e5243;  // "CRNSLICE"
inline constexpr uint32_t kSliceVersion = 1;

/// Begins every slice; `count` records follow.
struct SliceHeader {
  uint64_t magic;
  uint32_t version;
  uint32_t record_bytes;
  uint32_t process;
  uint32_t thread;
  int64_t realtime_offset_ns;  ///< Time of day minus steady clock.
  std::atomic<uint64_t> count;
  std::atomic<uint64_t> lost;  ///< Records that had no room.
  char thread_name[16];
};
static_assert(sizeof(SliceHeader) == 64);

}  // namespace cairn::profile
