// SPDX-License-Identifier: Apache-2.0
// Records of runs, tasks and parts.
#include "runtime/run_recorder.h"

namespace cairn::runtime {
namespace {

/// Numbers the runs of the process.
std::atomic<uint32_t> num_runs{0};

}  // namespace

uint32_t RunRecorder::NumberOf(const Program& program) {
  profile::Session& session = profile::Session::Get();
  if (recording_ != session.recording()) {
    recording_ = session.recording();
    numbers_.clear();
  }
  uint32_t& number = numbers_[&program];
  if (number == 0) number = session.AddProgram(model_id_, program);
  return number;
}

void RunRecorder::Record(const Program& program, const device::RunProfile& run, uint64_t begin_ns,
                         uint32_t stream) {
  profile::Record record{};
  record.thread = profile::ThreadId();
  record.task = {.model_id = model_id_,
                 .program = NumberOf(program),
                 .run = ++num_runs,
                 .stream = stream,
                 .device = device_id_};
  profile::Ring& ring = profile::Session::Get().TaskRing();
  const auto append = [&](profile::RecordKind kind, int64_t begin, int64_t end) {
    record.kind = kind;
    record.begin_ns = begin_ns + static_cast<uint64_t>(begin);
    record.end_ns = begin_ns + static_cast<uint64_t>(end);
    ring.Append(record);
  };
  append(profile::RecordKind::kRun, 0, run.tasks.empty() ? 0 : run.tasks.back().end_ns);
  for (const device::TaskTime& task : run.tasks) {
    record.task.task = task.task;
    record.task.cores = task.num_parts;
    record.task.barrier_wait_ns = static_cast<uint32_t>(task.barrier_wait_ns);
    append(profile::RecordKind::kTask, task.begin_ns, task.end_ns);
  }
  if (!profile::Active(profile::kAttributes)) return;
  record.task.barrier_wait_ns = 0;
  for (const device::PartTime& part : run.parts) {
    record.task.task = part.task;
    record.task.cores = part.core;
    append(profile::RecordKind::kPart, part.begin_ns, part.end_ns);
  }
}

}  // namespace cairn::runtime
