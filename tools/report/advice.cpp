// SPDX-License-Identifier: Apache-2.0
// The list of rules, and the diagnosis.
#include "report/advice.h"

#include <algorithm>
#include <map>

#include "report/csv_file.h"

namespace cairn::report {

std::vector<Advice> FindAdvice(const Profile& profile) {
  std::vector<Advice> advice;
  for (const AdviceRule rule :
       {AdviseLayoutConversions, AdviseTinyTasks, AdviseFp32Weights, AdviseReferenceKernels,
        AdviseDynamicShapes, AdvisePartition, AdviseHostCopies, AdviseHostWork, AdviseWaits,
        AdviseThreads, AdviseDebugLog, AdviseTuning})
    rule(profile, advice);
  std::stable_sort(advice.begin(), advice.end(), [](const Advice& a, const Advice& b) {
    return a.gain_percent > b.gain_percent;
  });
  return advice;
}

std::string Diagnosis(const Profile& profile) {
  if (profile.tasks.empty()) return "No model ran while the profile was recorded.";
  std::map<std::string, double> types;
  double layout_us = 0;
  for (const TaskStats& task : profile.tasks) {
    types[task.task->op_type] += task.cost_us();
    if (task.is_layout_work()) layout_us += task.cost_us();
  }
  const auto largest = std::max_element(
      types.begin(), types.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::vector<Advice> advice = FindAdvice(profile);
  const auto percent = [&](double us) { return Fixed(100 * profile.share(us), 0) + " %"; };
  std::string text = StrCat(largest->first, " takes ", percent(largest->second), " of ",
                            Fixed(profile.typical_run_us() / 1e3, 3), " ms a run");
  if (layout_us > 0.05 * profile.cost_us) text += StrCat(", layout work ", percent(layout_us));
  text += ".";
  if (!advice.empty()) text += StrCat(" First to change: ", advice.front().title, ".");
  return text;
}

}  // namespace cairn::report
