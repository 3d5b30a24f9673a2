// SPDX-License-Identifier: Apache-2.0
// How many cores this process may use: CPU set, cgroup quota and the user's own limit.
#pragma once

#include <optional>
#include <string_view>

namespace cairn::threads {

/// Cores of the process's CPU set, lowered by the cgroup CPU quota (v2 `cpu.max`, v1 `cpu.cfs_*`,
/// rounded up to whole cores) and by the environment variable CAIRN_NUM_CORES (a positive integer;
/// anything else is ignored). At least 1. Read anew at every call.
int AvailableCores();

/// Cores granted by the text of a `cpu.max` file ("max 100000", "150000 100000" -> 2);
/// nothing when the text grants no limit or is malformed.
std::optional<int> CoresOfQuota(std::string_view cpu_max);

/// The value of CAIRN_NUM_CORES as a limit; nothing unless it is a positive integer.
std::optional<int> ParseCoreLimit(std::string_view text);

}  // namespace cairn::threads
