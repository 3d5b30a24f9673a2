// SPDX-License-Identifier: Apache-2.0
// Advice: what was measured, what to change, and what it would gain.
#pragma once

#include <string>
#include <vector>

#include "report/profile.h"

namespace cairn::report {

struct Advice {
  std::string rule;         ///< Stable name, e.g. "layout-conversions".
  std::string title;        ///< One line.
  std::string measured;     ///< What the profile shows, with numbers and names.
  std::string change;       ///< The literal option, call or change of the export.
  double gain_percent = 0;  ///< Of the time of the runs, at most; 0 when it is not run time.
};

/// One rule; nothing when it does not apply.
using AdviceRule = void (*)(const Profile& profile, std::vector<Advice>& advice);

/// All rules, largest gain first.
std::vector<Advice> FindAdvice(const Profile& profile);

/// One sentence on where the time goes.
std::string Diagnosis(const Profile& profile);

/// Longest duration of a task that counts as tiny: handing it out costs as much as its work.
inline constexpr double kTinyTaskUs = 5.0;

// The rules, one function each.
void AdviseLayoutConversions(const Profile& profile, std::vector<Advice>& advice);
void AdviseTinyTasks(const Profile& profile, std::vector<Advice>& advice);
void AdviseFp32Weights(const Profile& profile, std::vector<Advice>& advice);
void AdviseReferenceKernels(const Profile& profile, std::vector<Advice>& advice);
void AdviseDynamicShapes(const Profile& profile, std::vector<Advice>& advice);
void AdvisePartition(const Profile& profile, std::vector<Advice>& advice);
void AdviseHostCopies(const Profile& profile, std::vector<Advice>& advice);
void AdviseHostWork(const Profile& profile, std::vector<Advice>& advice);
void AdviseWaits(const Profile& profile, std::vector<Advice>& advice);
void AdviseThreads(const Profile& profile, std::vector<Advice>& advice);
void AdviseDebugLog(const Profile& profile, std::vector<Advice>& advice);
void AdviseTuning(const Profile& profile, std::vector<Advice>& advice);

}  // namespace cairn::report
