// SPDX-License-Identifier: Apache-2.0
// Rules that look at the tasks of models.
#include <algorithm>
#include <map>
#include <set>

#include "report/advice.h"
#include "report/csv_file.h"

namespace cairn::report {
namespace {

std::string Percent(double share) { return Fixed(100 * share, 1) + " %"; }

/// The first names of `tasks`, with their share.
std::string Names(const Profile& profile, const std::vector<const TaskStats*>& tasks) {
  constexpr size_t kMost = 5;
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(tasks.size(), kMost); ++i)
    names.push_back(
        StrCat(tasks[i]->task->name, " (", Percent(profile.share(tasks[i]->cost_us())), ")"));
  const std::string more =
      tasks.size() > kMost ? StrCat(" and ", tasks.size() - kMost, " more") : "";
  return StrJoin(names, ", ") + more;
}

double TotalUs(const std::vector<const TaskStats*>& tasks) {
  double us = 0;
  for (const TaskStats* task : tasks) us += task->cost_us();
  return us;
}

template <class Predicate>
std::vector<const TaskStats*> Select(const Profile& profile, Predicate predicate) {
  std::vector<const TaskStats*> tasks;
  for (const TaskStats& task : profile.tasks)
    if (predicate(task)) tasks.push_back(&task);
  return tasks;
}

/// Bytes of constants that a task reads, in f32.
double Fp32WeightBytes(const TaskStats& stats) {
  double bytes = 0;
  for (const uint32_t index : stats.task->inputs) {
    if (index >= stats.program->tensors.size()) continue;
    const ProgramTensor& tensor = stats.program->tensors[index];
    if (tensor.storage == Storage::kWeights && tensor.dtype == ElementType::kF32)
      bytes += static_cast<double>(tensor.bytes);
  }
  return bytes;
}

}  // namespace

void AdviseLayoutConversions(const Profile& profile, std::vector<Advice>& advice) {
  const auto conversions =
      Select(profile, [](const TaskStats& task) { return task.is_layout_work(); });
  const double share = profile.share(TotalUs(conversions));
  if (share <= 0.05) return;
  const auto own =
      Select(profile, [](const TaskStats& task) { return task.task->op_type == "Transpose"; });
  std::string reasons;
  for (const TaskStats* task : conversions) {
    const std::string reason = task->task->GetString("reason", "");
    if (!reason.empty() && reasons.find(reason) == std::string::npos && reasons.size() < 200)
      reasons += (reasons.empty() ? " Reasons: " : "; ") + reason;
  }
  std::string change;
  if (!own.empty())
    change = StrCat("The model itself transposes ", own.size(),
                    " times: export it channels first "
                    "(NCHW) from end to end, and turn kernels instead of images; ",
                    "examples/detector/fix_export.py rewrites such an export.");
  if (own.size() < conversions.size())
    change +=
        StrCat(change.empty() ? "" : " ",
               "TransData goes when no operator that needs the plain layout (Transpose, Reshape, "
               "Gather over channels) stands between convolutions: move them to the end.");
  advice.push_back(
      {"layout-conversions", StrCat(Percent(share), " of the time moves data between layouts"),
       StrCat(conversions.size(), " tasks: ", Names(profile, conversions), ".", reasons), change,
       100 * share});
}

void AdviseTinyTasks(const Profile& profile, std::vector<Advice>& advice) {
  const auto tiny =
      Select(profile, [](const TaskStats& task) { return task.typical_us < kTinyTaskUs; });
  const double share = profile.share(TotalUs(tiny));
  if (tiny.size() < 20 || share < 0.03) return;
  advice.push_back(
      {"tiny-tasks",
       StrCat(tiny.size(), " of ", profile.tasks.size(), " tasks take less than ",
              Fixed(kTinyTaskUs, 0), " us each"),
       StrCat("Together ", Percent(share), " of the time, mean ",
              Fixed(TotalUs(tiny) / static_cast<double>(tiny.size()) /
                        static_cast<double>(std::max<uint64_t>(tiny[0]->count, 1)),
                    2),
              " us: ", Names(profile, tiny), "."),
       "Cut the model into fewer operators: compute all heads or scales on one concatenated tensor "
       "and all boxes in one batch; examples/detector/fix_export.py does that for a detector.",
       100 * share * 0.7});
}

void AdviseFp32Weights(const Profile& profile, std::vector<Advice>& advice) {
  const auto bound = Select(profile, [&](const TaskStats& task) {
    const double weights = Fp32WeightBytes(task);
    const Roofline roof = RooflineOf(task, profile.machine);
    return weights > 1e6 && weights > 0.6 * task.task->traffic_bytes &&
           roof.bandwidth_percent > 50 && roof.compute_percent < 50;
  });
  const double share = profile.share(TotalUs(bound));
  if (share < 0.05) return;
  advice.push_back(
      {"fp32-weights", StrCat(Percent(share), " of the time reads 32-bit weights from memory"),
       StrCat("These tasks run at the memory's speed, not the processor's: ", Names(profile, bound),
              "."),
       "Use each weight more often: compile for a larger batch "
       "(atc --input_shape=\"x:8,...\" or --dynamic_batch_size=1,8), or export the "
       "model with quantized (QDQ, 8-bit) weights.",
       100 * share * 0.5});
}

void AdviseReferenceKernels(const Profile& profile, std::vector<Advice>& advice) {
  const auto slow = Select(profile, [](const TaskStats& task) { return task.on_reference(); });
  const double share = profile.share(TotalUs(slow));
  if (share < 0.01) return;
  std::set<std::string> types;
  for (const TaskStats* task : slow) types.insert(task->task->op_type);
  advice.push_back({"reference-kernel", StrCat("no fast kernel for ", StrJoin(types, ", ")),
                    StrCat(Percent(share), " of the time on the reference kernel (AI_CPU): ",
                           Names(profile, slow), "."),
                    StrCat("Export the model without ", StrJoin(types, ", "),
                           " or move it out of the model into the application; `atc --log=info` "
                           "names these nodes at compile time."),
                    100 * share * 0.9});
}

void AdviseDynamicShapes(const Profile& profile, std::vector<Advice>& advice) {
  std::map<std::pair<uint32_t, uint32_t>, std::set<const Program*>> programs;
  for (const RunEntry& run : profile.runs)
    programs[{run.event->process, run.event->record.task.model_id}].insert(run.program);
  for (const auto& [model, shapes] : programs) {
    if (shapes.size() < 4) continue;
    advice.push_back(
        {"dynamic-shapes",
         StrCat("model ", model.second, " ran with ", shapes.size(), " different shapes"),
         "Each new shape is planned at its first run, and only the last ones are kept.",
         "Pad the inputs to a few sizes and compile for exactly those: "
         "atc --dynamic_dims=\"...\", --dynamic_batch_size or --dynamic_image_size.",
         0});
  }
}

void AdvisePartition(const Profile& profile, std::vector<Advice>& advice) {
  double wait_us = 0;
  const auto unbalanced = Select(profile, [&](const TaskStats& task) {
    return task.cores > 1 && profile.share(task.cost_us()) > 0.02 &&
           task.barrier_wait_us > 0.2 * task.total_us * task.cores;
  });
  double lost_us = 0;
  for (const TaskStats* task : unbalanced) {
    wait_us += task->barrier_wait_us;
    lost_us += task->barrier_wait_us / task->cores;
  }
  const double share = profile.total_us > 0 ? lost_us / profile.total_us : 0;
  if (share < 0.03) return;
  advice.push_back(
      {"unbalanced-partition",
       StrCat("cores wait for one another during ", Percent(share), " of the time"),
       StrCat("At the ends of ", Names(profile, unbalanced), " cores waited ",
              Fixed(wait_us / 1e3, 2), " ms in sum."),
       "Other work on the same cores is the usual cause: give the process cores of its own "
       "(taskset), or fewer of them (CAIRN_NUM_CORES=N, atc --aicore_num=N).",
       100 * share});
}

}  // namespace cairn::report
