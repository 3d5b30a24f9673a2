// SPDX-License-Identifier: Apache-2.0
// Two layouts: one for chips with high-bandwidth memory, one for all others.
#include "npu-smi/summary.h"

#include <cstdarg>
#include <cstdio>

namespace npu_smi {
namespace {

std::string Format(const char* format, ...) __attribute__((format(printf, 1, 2)));
std::string Format(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  return text;
}

/// "+-----+---+": segments of `fill`, each as wide as given.
std::string Rule(const std::vector<int>& widths, char fill) {
  std::string line = "+";
  for (const int width : widths) line += std::string(static_cast<size_t>(width), fill) + "+";
  return line + "\n";
}

std::string TemperatureText(const Chip& chip) {
  return chip.temperature_c ? std::to_string(*chip.temperature_c) : "NA";
}

std::string PowerText(const Chip& chip) {
  return chip.power_w ? Format("%.1f", *chip.power_w) : "NA";
}

std::string Processes(const std::vector<Chip>& chips, int total_width, const std::string& header,
                      const std::string& dashes, const std::string& equals) {
  std::string text = dashes + header + equals;
  const bool is_wide = total_width > 100;
  for (const Chip& chip : chips) {
    const std::string line = "No running processes found in NPU " + Format("%-7d", chip.id);
    if (chip.processes.empty()) text += Format("| %-*s|\n", total_width - 3, line.c_str());
    for (const Process& process : chip.processes)
      text += Format("| %-7d %-*d| %-*u | %-24.24s | %-*llu |\n", chip.id, is_wide ? 22 : 18, 0,
                     is_wide ? 15 : 13, process.id, process.name.c_str(), is_wide ? 25 : 23,
                     static_cast<unsigned long long>(process.memory_mb));
    text += equals;
  }
  return text;
}

std::string HbmLayout(const std::vector<Chip>& chips, const std::string& version) {
  const std::vector<int> columns{27, 15, 52}, process_columns{27, 15, 52};
  const std::string dashes = Rule(columns, '-'), equals = Rule(columns, '=');
  std::string text = Rule({96}, '-');
  text += Format("| npu-smi %-24s Version: %-52s |\n", version.c_str(), version.c_str());
  text += dashes;
  text +=
      "| NPU   Name                | Health        | Power(W)    Temp(C)           "
      "Hugepages-Usage(page)|\n"
      "| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  "
      "HBM-Usage(MB)        |\n";
  text += equals;
  for (const Chip& chip : chips) {
    text += Format("| %-5d %-20s| %-13s | %-11s %-17s %-5llu/ %-13llu |\n", chip.id,
                   chip.name.c_str(), "OK", PowerText(chip).c_str(), TemperatureText(chip).c_str(),
                   static_cast<unsigned long long>(chip.huge_pages_used),
                   static_cast<unsigned long long>(chip.huge_pages_total));
    text += Format("| %-26d| %-13s | %-11d %-5d/ %-10d %-5llu/ %-13llu |\n", 0, chip.bus_id.c_str(),
                   chip.core_usage_percent, 0, 0, static_cast<unsigned long long>(chip.used_mb),
                   static_cast<unsigned long long>(chip.total_mb));
    text += equals;
  }
  return text + Processes(chips, 98,
                          "| NPU     Chip              | Process id    | Process name             "
                          "| Process memory(MB)      |\n",
                          dashes, equals);
}

std::string DdrLayout(const std::vector<Chip>& chips, const std::string& version) {
  const std::vector<int> columns{31, 17, 54};
  const std::string dashes = Rule(columns, '-'), equals = Rule(columns, '=');
  std::string text = Rule({104}, '-');
  text += Format("| npu-smi %-40s Version: %-44s |\n", version.c_str(), version.c_str());
  text += dashes;
  text +=
      "| NPU     Name                  | Health          | Power(W)     Temp(C)           "
      "Hugepages-Usage(page) |\n"
      "| Chip    Device                | Bus-Id          | AICore(%)    Memory-Usage(MB)   "
      "                     |\n";
  text += equals;
  for (const Chip& chip : chips) {
    text += Format("| %-7d %-22s| %-15s | %-12s %-17s %-6llu/ %-13llu |\n", chip.id,
                   chip.name.c_str(), "OK", PowerText(chip).c_str(), TemperatureText(chip).c_str(),
                   static_cast<unsigned long long>(chip.huge_pages_used),
                   static_cast<unsigned long long>(chip.huge_pages_total));
    text +=
        Format("| %-7d %-22d| %-15s | %-12d %-5llu/ %-32llu |\n", 0, chip.id, chip.bus_id.c_str(),
               chip.core_usage_percent, static_cast<unsigned long long>(chip.used_mb),
               static_cast<unsigned long long>(chip.total_mb));
    text += equals;
  }
  return text + Processes(chips, 106,
                          "| NPU     Chip                  | Process id      | Process name        "
                          "     | Process memory(MB)        |\n",
                          dashes, equals);
}

}  // namespace

std::string SummaryTable(const std::vector<Chip>& chips, const std::string& version) {
  return chips[0].has_hbm ? HbmLayout(chips, version) : DdrLayout(chips, version);
}

}  // namespace npu_smi
