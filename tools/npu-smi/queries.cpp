// SPDX-License-Identifier: Apache-2.0
// Key/value lines: a tab, the key in 30 columns, " : ", the value.
#include "npu-smi/queries.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace npu_smi {
namespace {

std::string Line(const std::string& key, const std::string& value) {
  std::string padded = key;
  padded.resize(std::max<size_t>(30, key.size()), ' ');
  return "\t" + padded + " : " + value + "\n";
}

std::string Line(const std::string& key, uint64_t value) {
  return Line(key, std::to_string(value));
}

std::string Columns(const std::vector<std::string>& cells) {
  std::string line = "\t";
  for (const std::string& cell : cells) {
    std::string padded = cell;
    padded.resize(std::max<size_t>(30, cell.size()), ' ');
    line += padded;
  }
  return line + "\n";
}

uint64_t UsageRate(const Chip& chip) {
  return chip.total_mb > 0 ? chip.used_mb * 100 / chip.total_mb : 0;
}

std::string Temperature(const Chip& chip) {
  return chip.temperature_c ? std::to_string(*chip.temperature_c) : "NA";
}

std::string CardHead(const Chip& chip) {
  return Line("NPU ID", chip.id) + Line("Chip Count", 1) + "\n";
}

std::string Usages(const Chip& chip) {
  return CardHead(chip) + Line("DDR Capacity(MB)", chip.total_mb) +
         Line("DDR Usage Rate(%)", UsageRate(chip)) +
         Line("DDR Hugepages Total(page)", chip.huge_pages_total) +
         Line("DDR Hugepages Usage Rate(%)",
              chip.huge_pages_total > 0 ? chip.huge_pages_used * 100 / chip.huge_pages_total : 0) +
         Line("Aicore Usage Rate(%)", chip.core_usage_percent) + Line("Aicpu Usage Rate(%)", 0) +
         Line("Ctrlcpu Usage Rate(%)", chip.cpu_usage_percent) + Line("Chip ID", 0) + "\n";
}

std::string Common(const Chip& chip) {
  return CardHead(chip) + Line("Chip ID", 0) + Line("Memory Usage Rate(%)", UsageRate(chip)) +
         Line("Aicore Usage Rate(%)", chip.core_usage_percent) +
         Line("Aicore Count", chip.num_cores) + Line("Temperature(C)", Temperature(chip)) + "\n";
}

std::string Board(const Chip& chip) {
  return Line("NPU ID", chip.id) + Line("Chip ID", 0) + Line("Chip Type", "Ascend") +
         Line("Chip Name", chip.name) + Line("Chip Version", "V1") +
         Line("PCIe Bus Info", chip.bus_id) + "\n";
}

std::string Health(const Chip& chip) {
  return CardHead(chip) + Line("Health", "OK") + Line("Error Code", "NA") +
         Line("Error Information", "NA") + "\n";
}

std::string Processes(const Chip& chip) {
  if (chip.processes.empty()) return "\tNo process in device.\n";
  std::string text;
  for (const Process& process : chip.processes)
    text += Line("Process id", process.id) + Line("Process name", process.name) +
            Line("Process memory(MB)", process.memory_mb) + "\n";
  return text;
}

struct Query {
  std::string_view type;
  std::string (*answer)(const Chip&);
};

constexpr std::array kQueries{
    Query{"usages", Usages},
    Query{"common", Common},
    Query{"board", Board},
    Query{"health", Health},
    Query{"memory",
          [](const Chip& chip) {
            return CardHead(chip) + Line("DDR Capacity(MB)", chip.total_mb) + Line("Chip ID", 0) +
                   "\n";
          }},
    Query{"temp",
          [](const Chip& chip) {
            return CardHead(chip) + Line("NPU Temperature (C)", Temperature(chip)) + "\n";
          }},
    Query{"proc-mem", Processes},
};

/// Types of the command that need hardware this device does not have.
constexpr std::array<std::string_view, 34> kUnsupported{"flash",        "sensors",
                                                        "power",        "volt",
                                                        "mac-addr",     "product",
                                                        "ecc",          "ip",
                                                        "sys-time",     "i2c_check",
                                                        "work-mode",    "ecc-enable",
                                                        "p2p-enable",   "ssh-enable",
                                                        "license",      "customized-info",
                                                        "device-share", "nve-level",
                                                        "aicpu-config", "pcie-err",
                                                        "mcu-monitor",  "err-count",
                                                        "boot-area",    "vnpu-mode",
                                                        "info-vnpu",    "vnpu-svm",
                                                        "cpu-num-cfg",  "first-power-on-date",
                                                        "phyid-remap",  "vnpu-cfg-recover",
                                                        "key-manage",   "topo",
                                                        "spod-info",    "hccs"};

const Query* Find(const std::string& type) {
  const auto found = std::find_if(kQueries.begin(), kQueries.end(),
                                  [&](const Query& query) { return query.type == type; });
  return found == kQueries.end() ? nullptr : &*found;
}

}  // namespace

std::string CardList(const std::vector<Chip>& chips) {
  std::string text = Line("Total Count", chips.size()) + "\n";
  for (const Chip& chip : chips) text += CardHead(chip);
  return text;
}

std::string ChipMap(const std::vector<Chip>& chips) {
  std::string text = Columns({"NPU ID", "Chip ID", "Chip Logic ID", "Chip Name"});
  for (const Chip& chip : chips) {
    const bool is_cpu = chip.name.rfind("Cairn", 0) == 0;
    text += Columns({std::to_string(chip.id), "0", std::to_string(chip.id),
                     is_cpu ? chip.name : "Ascend " + chip.name});
  }
  return text;
}

QueryKind KindOfQuery(const std::string& type) {
  if (Find(type) != nullptr) return QueryKind::kKnown;
  const bool known =
      std::find(kUnsupported.begin(), kUnsupported.end(), type) != kUnsupported.end();
  return known ? QueryKind::kUnsupported : QueryKind::kUnknown;
}

std::string Answer(const std::string& type, const Chip& chip) { return Find(type)->answer(chip); }

}  // namespace npu_smi
