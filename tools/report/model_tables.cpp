// SPDX-License-Identifier: Apache-2.0
// Tables of the models themselves: fused operators and memory of the plan.
#include <algorithm>

#include "base/strings.h"
#include "report/csv_file.h"
#include "report/tables.h"

namespace cairn::report {
namespace {

std::string Kb(double bytes) { return Fixed(bytes / 1024, 3); }

double BytesOf(const Program& program, const std::vector<uint32_t>& list, bool constants) {
  double bytes = 0;
  for (const uint32_t index : list) {
    if (index >= program.tensors.size()) continue;
    const bool is_constant = program.tensors[index].storage == Storage::kWeights;
    if (is_constant == constants) bytes += static_cast<double>(program.tensors[index].bytes);
  }
  return bytes;
}

/// Models that ran: (model id, program), each once.
std::vector<std::pair<uint32_t, const Program*>> ModelsOf(const Profile& profile) {
  std::vector<std::pair<uint32_t, const Program*>> models;
  for (const RunEntry& run : profile.runs) {
    const std::pair model{run.event->record.task.model_id, run.program};
    if (run.program != nullptr && std::find(models.begin(), models.end(), model) == models.end())
      models.push_back(model);
  }
  return models;
}

/// Index of the last task that reads the tensor's bytes, or its own when nobody does.
size_t LastReader(const Program& program, uint32_t tensor, size_t writer) {
  size_t last = writer;
  for (size_t i = writer; i < program.tasks.size(); ++i)
    if (std::find(program.tasks[i].inputs.begin(), program.tasks[i].inputs.end(), tensor) !=
        program.tasks[i].inputs.end())
      last = i;
  return last;
}

}  // namespace

Status WriteFusionOps(const Profile& profile, const std::string& folder, const std::string& stamp) {
  CsvFile csv(
      folder, "fusion_op", stamp,
      {"Device_id", "Model Name", "Model ID", "Fusion Op", "Original Ops", "Memory Input(KB)",
       "Memory Output(KB)", "Memory Weight(KB)", "Memory Workspace(KB)", "Memory Total(KB)"});
  for (const auto& [model_id, program] : ModelsOf(profile)) {
    for (const Task& task : program->tasks) {
      if (task.origins.size() < 2 || task.op_type == "TransData") continue;
      const double in = BytesOf(*program, task.inputs, false);
      const double weights = BytesOf(*program, task.inputs, true);
      const double out = BytesOf(*program, task.outputs, false);
      csv.Add({"host", program->model_name, StrCat(model_id), task.name, StrJoin(task.origins, ";"),
               Kb(in), Kb(out), Kb(weights), "N/A", Kb(in + out + weights)});
    }
  }
  return csv.Write();
}

Status WriteStaticMemory(const Profile& profile, const std::string& folder,
                         const std::string& stamp) {
  const bool wanted = std::any_of(
      profile.raw.events.begin(), profile.raw.events.end(),
      [](const auto& event) { return event.record.kind == profile::RecordKind::kMemory; });
  if (!wanted) return OkStatus();
  CsvFile csv(folder, "static_op_mem", stamp,
              {"Device_id", "Op Name", "Model Name", "Graph ID", "Node Index Start",
               "Node Index End", "Size(KB)"});
  for (const auto& [model_id, program] : ModelsOf(profile)) {
    for (size_t i = 0; i < program->tasks.size(); ++i) {
      for (const uint32_t tensor : program->tasks[i].outputs) {
        if (tensor >= program->tensors.size() ||
            program->tensors[tensor].storage != Storage::kArena)
          continue;
        csv.Add({"0", program->tasks[i].name, program->model_name, StrCat(model_id), StrCat(i),
                 StrCat(LastReader(*program, tensor, i)),
                 Kb(static_cast<double>(program->tensors[tensor].bytes))});
      }
    }
    csv.Add({"0", "TOTAL", program->model_name, StrCat(model_id), "0", "4294967295",
             Kb(static_cast<double>(program->arena_bytes))});
  }
  return csv.Write();
}

Status WriteTables(const Profile& profile, const std::string& folder, const std::string& stamp) {
  using Write = Status (*)(const Profile&, const std::string&, const std::string&);
  for (const Write write :
       {WriteOpSummary, WriteOpStatistic, WriteTaskTime, WriteApiStatistic, WriteStepTrace,
        WriteFusionOps, WriteMemory, WriteStaticMemory, WriteMarks})
    RETURN_IF_ERROR(write(profile, folder, stamp));
  return OkStatus();
}

}  // namespace cairn::report
