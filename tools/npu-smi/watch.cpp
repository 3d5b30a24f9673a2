// SPDX-License-Identifier: Apache-2.0
// Columns of 12 characters.
#include "npu-smi/watch.h"

#include <cstdio>
#include <string_view>

namespace npu_smi {
namespace {

std::string Cell(const std::string& text) {
  std::string cell = text;
  cell.resize(std::max<size_t>(cell.size(), 12), ' ');
  return cell;
}

const char* TitleOf(char letter) {
  switch (letter) {
    case 'p':
      return "Pwr(W)";
    case 't':
      return "Temp(C)";
    case 'a':
      return "AI Core(%)";
    case 'i':
      return "AI Cpu(%)";
    case 'c':
      return "Ctrl Cpu(%)";
    case 'm':
      return "Memory(%)";
    default:
      return "Memory BW(%)";
  }
}

std::string ValueOf(const Chip& chip, char letter) {
  char text[32];
  switch (letter) {
    case 'p':
      if (!chip.power_w) return "NA";
      std::snprintf(text, sizeof(text), "%.1f", *chip.power_w);
      return text;
    case 't':
      return chip.temperature_c ? std::to_string(*chip.temperature_c) : "NA";
    case 'a':
      return std::to_string(chip.core_usage_percent);
    case 'i':
      return "0";
    case 'c':
      return std::to_string(chip.cpu_usage_percent);
    case 'm':
      return std::to_string(chip.total_mb > 0 ? chip.used_mb * 100 / chip.total_mb : 0);
    default:
      return "NA";
  }
}

}  // namespace

std::string WatchHeader(const std::string& letters) {
  if (letters.empty() || letters.find_first_not_of(kWatchLetters) != std::string::npos) return "";
  std::string line = Cell("NpuID(Idx)") + Cell("ChipId(Idx)");
  for (const char letter : std::string_view(kWatchLetters))
    if (letters.find(letter) != std::string::npos) line += Cell(TitleOf(letter));
  return line + "\n";
}

std::string WatchLine(const Chip& chip, const std::string& letters) {
  std::string line = Cell(std::to_string(chip.id)) + Cell("0");
  for (const char letter : std::string_view(kWatchLetters))
    if (letters.find(letter) != std::string::npos) line += Cell(ValueOf(chip, letter));
  return line + "\n";
}

}  // namespace npu_smi
