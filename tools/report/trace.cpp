// SPDX-License-Identifier: Apache-2.0
// Rows and events of the timeline.
#include "report/trace.h"

#include <cstdio>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/strings.h"
#include "report/csv_file.h"
#include "report/tensor_text.h"

namespace cairn::report {
namespace {

/// Rows of processes in the order of the vendor's viewer.
struct Layer {
  const char* name;
  const char* label;
  uint32_t sort_index;
};
constexpr Layer kMarks{"MSPROFTX", "CPU", 6};
constexpr Layer kCann{"CANN", "CPU", 7};
constexpr Layer kHardware{"Ascend Hardware", "NPU 0", 14};
constexpr Layer kCores{"Block Detail", "NPU 0", 30};  // 5 bits of the process number hold it.
constexpr uint32_t kHostDevice = 31;
constexpr uint32_t kStepRows = 1'000'000;  // Thread numbers of step rows, above all streams.

std::string Quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string TraceTime(int64_t ns) {
  char text[64];
  std::snprintf(text, sizeof(text), "%lld.%03lld", static_cast<long long>(ns / 1000),
                static_cast<long long>(ns % 1000));
  return text;
}

const char* LevelText(profile::CallLevel level) {
  switch (level) {
    case profile::CallLevel::kAcl:
      return "AscendCL";
    case profile::CallLevel::kModel:
      return "Model";
    case profile::CallLevel::kNode:
      return "Node";
    case profile::CallLevel::kRuntime:
      return "Runtime";
  }
  return "Runtime";
}

const char* ModeText(profile::CallLevel level) {
  switch (level) {
    case profile::CallLevel::kAcl:
      return "ACL_OP";
    case profile::CallLevel::kModel:
      return "ACL_MODEL";
    default:
      return "ACL_RTS";
  }
}

class Trace {
 public:
  explicit Trace(const Profile& profile) : profile_(profile) {}

  std::string Json() {
    MatchLaunches();
    for (const profile::Event& event : profile_.raw.events) AddHostEvent(event);
    for (const profile::Event& event : profile_.raw.tasks) AddDeviceEvent(event);
    return "[" + StrJoin(events_, ",\n") + "]\n";
  }

 private:
  /// The n-th launch of a model on a stream is its n-th run there.
  void MatchLaunches() {
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>;  // Process, model, stream.
    std::map<Key, std::deque<const profile::Event*>> launches;
    for (const profile::Event& event : profile_.raw.events)
      if (event.record.kind == profile::RecordKind::kLaunch)
        launches[{event.process, event.record.task.model_id, event.record.task.stream}].push_back(
            &event);
    for (const RunEntry& run : profile_.runs) {
      auto& queue = launches[{run.event->process, run.event->record.task.model_id,
                              run.event->record.task.stream}];
      if (queue.empty()) continue;
      connection_of_launch_[queue.front()] = run.event->record.task.run;
      queue.pop_front();
    }
  }

  uint64_t Pid(uint32_t process, const Layer& layer, uint32_t device) {
    const uint64_t pid = (uint64_t{process} << 10) | (layer.sort_index << 5) | (device & 31);
    if (processes_.insert(pid).second) {
      AddMeta("process_name", pid, 0, StrCat("\"name\":\"", layer.name, '"'));
      AddMeta("process_labels", pid, 0, StrCat("\"labels\":\"", layer.label, '"'));
      AddMeta("process_sort_index", pid, 0, StrCat("\"sort_index\":", layer.sort_index));
    }
    return pid;
  }

  void NameRow(uint64_t pid, uint32_t tid, const std::string& name) {
    if (!rows_.insert({pid, tid}).second) return;
    AddMeta("thread_name", pid, tid, "\"name\":" + Quoted(name));
    AddMeta("thread_sort_index", pid, tid, StrCat("\"sort_index\":", tid));
  }

  void AddMeta(const char* name, uint64_t pid, uint32_t tid, const std::string& args) {
    events_.push_back(StrCat("{\"name\":\"", name, "\",\"pid\":", pid, ",\"tid\":", tid,
                             ",\"args\":{", args, "},\"ph\":\"M\"}"));
  }

  void AddSlice(const std::string& name, uint64_t pid, uint32_t tid, const profile::Event& event,
                const std::string& args) {
    events_.push_back(StrCat("{\"name\":", Quoted(name), ",\"pid\":", pid, ",\"tid\":", tid,
                             ",\"ts\":\"", TraceTime(event.begin_ns), "\",\"dur\":",
                             Us(event.duration_us()), ",\"args\":{", args, "},\"ph\":\"X\"}"));
  }

  void AddFlow(char phase, uint32_t connection, uint64_t pid, uint32_t tid, int64_t ns) {
    events_.push_back(StrCat("{\"name\":\"HostToDevice", connection, "\",\"ph\":\"", phase,
                             "\",\"cat\":\"HostToDevice\",\"id\":\"", connection,
                             "\",\"pid\":", pid, ",\"tid\":", tid, ",\"ts\":\"", TraceTime(ns),
                             phase == 'f' ? "\",\"bp\":\"e\"}" : "\"}"));
  }

  void AddHostEvent(const profile::Event& event) {
    const uint32_t tid = event.record.thread;
    if (event.record.kind == profile::RecordKind::kMark) {
      const uint64_t pid = Pid(event.process, kMarks, kHostDevice);
      NameRow(pid, tid, StrCat("Thread ", tid));
      AddSlice(event.text, pid, tid, event, "\"event_type\":\"push/pop\"");
      return;
    }
    const uint64_t pid = Pid(event.process, kCann, kHostDevice);
    if (event.record.kind == profile::RecordKind::kCall) {
      NameRow(pid, tid, StrCat("Thread ", tid));
      const char* level = LevelText(event.record.level);
      AddSlice(StrCat(level, "@", event.text), pid, tid, event,
               StrCat("\"Thread Id\":", tid, ",\"Mode\":\"", ModeText(event.record.level),
                      "\",\"level\":\"", level, "\",\"id\":", Quoted(event.text),
                      ",\"item_id\":\"0\",\"connection_id\":\"0\""));
    } else if (event.record.kind == profile::RecordKind::kLaunch) {
      const auto connection = connection_of_launch_.find(&event);
      if (connection == connection_of_launch_.end()) return;
      NameRow(pid, tid, StrCat("Thread ", tid));
      AddSlice("Node@launch", pid, tid, event,
               StrCat("\"Thread Id\":", tid,
                      ",\"Mode\":\"launch\",\"level\":\"Node\",\"id\":\"launch\",\"item_id\":",
                      "\"0\",\"connection_id\":\"", connection->second, '"'));
      AddFlow('s', connection->second, pid, tid, event.begin_ns);
      launched_.insert(connection->second);
    }
  }

  void AddDeviceEvent(const profile::Event& event) {
    const profile::TaskPayload& payload = event.record.task;
    const Program* program = profile_.raw.FindProgram(event);
    if (program == nullptr) return;
    const uint64_t pid = Pid(event.process, kHardware, payload.device);
    if (event.record.kind == profile::RecordKind::kRun) {
      const uint32_t tid = kStepRows + payload.model_id;
      NameRow(pid, tid, StrCat("Step Trace(Model ID:", payload.model_id, ")"));
      AddSlice(StrCat("Iteration ", payload.run), pid, tid, event,
               StrCat("\"Iteration ID\":", payload.run));
      return;
    }
    if (payload.task >= program->tasks.size()) return;
    const Task& task = program->tasks[payload.task];
    if (event.record.kind == profile::RecordKind::kPart) {
      const uint64_t cores = Pid(event.process, kCores, payload.device);
      NameRow(cores, payload.cores, StrCat("Core ", payload.cores));
      AddSlice(task.name, cores, payload.cores, event, StrCat("\"Task Id\":", payload.task));
      return;
    }
    NameRow(pid, payload.stream, StrCat("Stream ", payload.stream));
    AddSlice(task.name, pid, payload.stream, event,
             StrCat("\"Model Id\":", payload.model_id, ",\"Task Type\":\"", TaskTypeText(task),
                    "\",\"Physic Stream Id\":", payload.stream, ",\"Task Id\":", payload.task,
                    ",\"Batch Id\":0,\"Subtask Id\":4294967295,\"connection_id\":\"", payload.run,
                    "\",\"Op Type\":", Quoted(task.op_type), ",\"Kernel\":", Quoted(task.kernel),
                    ",\"Cores\":", payload.cores));
    if (payload.task == 0 && launched_.count(payload.run) > 0)
      AddFlow('f', payload.run, pid, payload.stream, event.begin_ns);
  }

  const Profile& profile_;
  std::map<const profile::Event*, uint32_t> connection_of_launch_;
  std::set<uint32_t> launched_;
  std::set<uint64_t> processes_;
  std::set<std::pair<uint64_t, uint32_t>> rows_;
  std::vector<std::string> events_;
};

}  // namespace

std::string TraceJson(const Profile& profile) { return Trace(profile).Json(); }

}  // namespace cairn::report
