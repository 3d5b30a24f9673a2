// SPDX-License-Identifier: Apache-2.0
// Data of the page's pictures: timeline, arena, graph.
#include <algorithm>
#include <cmath>
#include <map>

#include "report/report_data.h"

namespace cairn::report {
namespace {

/// The run whose time is nearest to the mean.
const RunEntry* TypicalRun(const Profile& profile) {
  const RunEntry* typical = nullptr;
  const double mean =
      profile.run_us / static_cast<double>(std::max<size_t>(profile.runs.size(), 1));
  for (const RunEntry& run : profile.runs)
    if (typical == nullptr || std::abs(run.us - mean) < std::abs(typical->us - mean))
      typical = &run;
  return typical;
}

/// Tasks that read each tensor root: writer and last reader by address range are one life.
struct Life {
  std::string name;
  uint64_t offset, bytes;
  size_t first, last;
};

std::vector<Life> Lives(const Program& program) {
  std::vector<Life> lives;
  std::map<uint32_t, size_t> of_tensor;
  for (size_t i = 0; i < program.tasks.size(); ++i) {
    const Task& task = program.tasks[i];
    for (const uint32_t tensor : task.inputs)
      if (const auto found = of_tensor.find(tensor); found != of_tensor.end())
        lives[found->second].last = i;
    for (const uint32_t tensor : task.outputs) {
      if (tensor >= program.tensors.size() || program.tensors[tensor].storage != Storage::kArena)
        continue;
      of_tensor[tensor] = lives.size();
      lives.push_back(
          {task.name, program.tensors[tensor].offset, program.tensors[tensor].bytes, i, i});
    }
  }
  return lives;
}

/// The step at which most bytes are alive, and how many.
std::pair<size_t, uint64_t> Peak(const std::vector<Life>& lives, size_t steps) {
  std::pair<size_t, uint64_t> peak{0, 0};
  for (size_t step = 0; step < steps; ++step) {
    uint64_t bytes = 0;
    for (const Life& life : lives)
      if (life.first <= step && step <= life.last) bytes += life.bytes;
    if (bytes > peak.second) peak = {step, bytes};
  }
  return peak;
}

}  // namespace

Json TimelineData(const Profile& profile) {
  Json rows = Json::array();
  const RunEntry* run = TypicalRun(profile);
  if (run == nullptr) return {{"us", 0}, {"rows", rows}};
  std::map<std::pair<const Program*, uint32_t>, size_t> position;  // In the sorted list of tasks.
  for (size_t i = 0; i < profile.tasks.size(); ++i)
    position[{profile.tasks[i].program, profile.tasks[i].index}] = i;
  std::map<std::string, Json> items;
  for (const profile::Event& event : profile.raw.tasks) {
    const profile::TaskPayload& payload = event.record.task;
    if (event.process != run->event->process || payload.run != run->event->record.task.run)
      continue;
    const auto found = position.find({run->program, payload.task});
    if (event.record.kind == profile::RecordKind::kRun || found == position.end()) continue;
    const std::string row = event.record.kind == profile::RecordKind::kTask
                                ? StrCat("Stream ", payload.stream)
                                : StrCat("Core ", payload.cores);
    Json& list = items.try_emplace(row, Json::array()).first->second;
    list.push_back({static_cast<double>(event.begin_ns - run->event->begin_ns) / 1e3,
                    event.duration_us(), found->second});
  }
  for (const char* kind : {"Stream", "Core"})
    for (auto& [name, list] : items)
      if (name.rfind(kind, 0) == 0) rows.push_back({{"name", name}, {"items", std::move(list)}});
  return {{"us", run->us}, {"rows", rows}};
}

Json ArenaData(const Program& program) {
  const std::vector<Life> lives = Lives(program);
  const auto [peak_step, peak_bytes] = Peak(lives, program.tasks.size());
  Json tensors = Json::array();
  for (const Life& life : lives)
    tensors.push_back({{"name", life.name},
                       {"offset", life.offset},
                       {"bytes", life.bytes},
                       {"first", life.first},
                       {"last", life.last},
                       {"at_peak", life.first <= peak_step && peak_step <= life.last}});
  return {{"bytes", program.arena_bytes},
          {"weights", program.weights_bytes},
          {"lower_bound", std::min(peak_bytes, program.arena_bytes)},
          {"steps", program.tasks.size()},
          {"peak_step", peak_step},
          {"tensors", tensors}};
}

Json EdgeData(const Program& program) {
  Json edges = Json::array();
  std::map<uint32_t, size_t> writer;
  for (size_t i = 0; i < program.tasks.size(); ++i) {
    for (const uint32_t tensor : program.tasks[i].inputs)
      if (const auto found = writer.find(tensor); found != writer.end())
        edges.push_back({found->second, i});
    for (const uint32_t tensor : program.tasks[i].outputs) writer[tensor] = i;
  }
  return edges;
}

Json UnfusedData(const Program& program) {
  std::map<uint32_t, size_t> writer;
  std::map<uint32_t, size_t> num_readers;
  for (const Task& task : program.tasks)
    for (const uint32_t tensor : task.inputs) ++num_readers[tensor];
  Json list = Json::array();
  for (size_t i = 0; i < program.tasks.size(); ++i) {
    const Task& task = program.tasks[i];
    if (task.kernel.rfind("elementwise", 0) == 0 || task.op_type == "ElementwiseGroup") {
      std::string reason = "it begins with an input of the model";
      for (const uint32_t tensor : task.inputs) {
        const auto found = writer.find(tensor);
        if (found == writer.end()) continue;
        const Task& producer = program.tasks[found->second];
        reason = num_readers[tensor] > 1
                     ? StrCat("the result of ", producer.name, " is read by ", num_readers[tensor],
                              " tasks")
                     : StrCat("the kernel ", producer.kernel, " of ", producer.name,
                              " takes no element-wise work behind it");
      }
      list.push_back({{"name", task.name}, {"reason", reason}});
    }
    for (const uint32_t tensor : task.outputs) writer[tensor] = i;
  }
  return list;
}

}  // namespace cairn::report
