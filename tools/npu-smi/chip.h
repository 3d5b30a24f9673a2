// SPDX-License-Identifier: Apache-2.0
// What the tables show about a device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace npu_smi {

struct Chip {
  int id = 0;
  std::string name;      ///< Without the prefix "Ascend".
  bool has_hbm = false;  ///< Chips with high-bandwidth memory have a layout of their own.
  std::optional<int> temperature_c;
  std::optional<double> power_w;
  int core_usage_percent = 0;  ///< Of the processor cores, over a short moment.
  int num_cores = 0;
  uint64_t used_mb = 0;
  uint64_t total_mb = 0;
  uint64_t huge_pages_used = 0;
  uint64_t huge_pages_total = 0;
  std::string bus_id = "NA";
};

/// All devices of this machine; empty when the library finds none.
std::vector<Chip> ReadChips();

}  // namespace npu_smi
