// SPDX-License-Identifier: Apache-2.0
// What the tables show about a device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace npu_smi {

/// A process that uses a chip.
struct Process {
  uint32_t id = 0;
  std::string name;
  uint64_t memory_mb = 0;
};

struct Chip {
  int id = 0;
  std::string name;      ///< Without the prefix "Ascend".
  bool has_hbm = false;  ///< Chips with high-bandwidth memory have a layout of their own.
  std::optional<int> temperature_c;
  std::optional<double> power_w;
  int core_usage_percent = 0;  ///< Part of a short moment in which a model ran.
  int cpu_usage_percent = 0;   ///< Of all processor cores, by all processes.
  int num_cores = 0;
  uint64_t used_mb = 0;
  uint64_t total_mb = 0;
  uint64_t huge_pages_used = 0;
  uint64_t huge_pages_total = 0;
  std::string bus_id = "NA";
  std::vector<Process> processes;
};

/// All devices of this machine, watched for `interval_ms`; empty when the library finds none.
std::vector<Chip> ReadChips(int interval_ms = 100);

}  // namespace npu_smi
