// SPDX-License-Identifier: Apache-2.0
// TargetSpec: what a device is, as data: names, instruction set, sizes and rates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace cairn::target {

struct TargetSpec {
  std::string name;               ///< Canonical name, e.g. "Ascend310P3", "Cairn-x86-64-v3".
  std::string given_name;         ///< As the user wrote it.
  bool is_virtual = false;        ///< A named NPU: computes on the host's plan, with one warning.
  std::string isa = "x86-64-v3";  ///< kernels::IsaName of the plan's kernels.
  int vector_floats = 8;          ///< Channel block of the plan's blocked layout.
  int c0 = 16;                    ///< Channel block of user-visible NC1HWC0 formats.
  int num_cores = 1;             ///< Cores a plan is made for unless `--aicore_num` says otherwise.
  uint64_t l1_bytes = 32 << 10;  ///< Per core.
  uint64_t l2_bytes = 512 << 10;      ///< Per core.
  uint64_t l3_bytes = 16 << 20;       ///< Shared.
  double flops_per_cycle = 32;        ///< fp32, per core.
  double memory_bytes_per_cycle = 4;  ///< Sustained from DRAM, all cores.
};

/// The target called `name` (with or without an "Ascend" prefix, aliases such as "Ascend310P", or
/// "native"); an unknown one is an error that lists the valid names.
Result<TargetSpec> FindTarget(const std::string& name);

/// Canonical names of all targets, sorted.
std::vector<std::string> TargetNames();

}  // namespace cairn::target
