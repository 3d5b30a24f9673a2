// SPDX-License-Identifier: Apache-2.0
// The tables of npu-smi, which scripts read by column.
#include <gtest/gtest.h>

#include <sstream>

#include "npu-smi/queries.h"
#include "npu-smi/summary.h"
#include "npu-smi/watch.h"

namespace npu_smi {
namespace {

Chip SomeChip(const std::string& name, bool has_hbm) {
  Chip chip;
  chip.name = name;
  chip.has_hbm = has_hbm;
  chip.temperature_c = 42;
  chip.core_usage_percent = 7;
  chip.used_mb = 1074;
  chip.total_mb = 21534;
  return chip;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(NpuSmi, TableOfChipsWithoutHbmHas106Columns) {
  const auto lines = Lines(SummaryTable({SomeChip("310P3", false)}, "23.0.0"));
  for (const std::string& line : lines) EXPECT_EQ(line.size(), 106u) << line;
  EXPECT_EQ(lines[1].substr(0, 66),
            "| npu-smi 23.0.0                                   Version: 23.0.0");
  EXPECT_EQ(lines[6],
            "| 0       310P3                 | OK              | NA           42                "
            "0     / 0             |");
  EXPECT_EQ(lines[7],
            "| 0       0                     | NA              | 7            1074 / 21534       "
            "                     |");
  EXPECT_EQ(lines[12].substr(0, 37), "| No running processes found in NPU 0");
}

TEST(NpuSmi, TableOfChipsWithHbmHas98Columns) {
  const auto lines = Lines(SummaryTable({SomeChip("910B4", true)}, "25.0.rc1.1"));
  for (const std::string& line : lines) EXPECT_EQ(line.size(), 98u) << line;
  EXPECT_EQ(lines[6],
            "| 0     910B4               | OK            | NA          42                0    / 0  "
            "           |");
  EXPECT_EQ(lines[7],
            "| 0                         | NA            | 7           0    / 0          1074 / "
            "21534         |");
}

TEST(NpuSmi, ProcessesHaveTheirColumns) {
  Chip chip = SomeChip("310P3", false);
  chip.processes.push_back({4711, "detector", 123});
  auto lines = Lines(SummaryTable({chip}, "23.0.0"));
  EXPECT_EQ(lines[12],
            "| 0       0                     | 4711            | detector                 | 123      "
            "                 |");
  EXPECT_EQ(lines[12].size(), 106u);
  chip.has_hbm = true;
  lines = Lines(SummaryTable({chip}, "23.0.0"));
  EXPECT_EQ(lines[12].size(), 98u) << lines[12];
  EXPECT_EQ(Answer("proc-mem", chip),
            "\tProcess id                     : 4711\n"
            "\tProcess name                   : detector\n"
            "\tProcess memory(MB)             : 123\n\n");
}

TEST(NpuSmi, WatchHasColumnsOfTwelve) {
  const Chip chip = SomeChip("310P3", false);
  EXPECT_EQ(WatchHeader("at"), "NpuID(Idx)  ChipId(Idx) Temp(C)     AI Core(%)  \n");
  EXPECT_EQ(WatchLine(chip, "at"), "0           0           42          7           \n");
  EXPECT_EQ(WatchLine(chip, "pb"), "0           0           NA          NA          \n");
  EXPECT_EQ(WatchHeader("x"), "");
  EXPECT_EQ(WatchHeader(""), "");
}

TEST(NpuSmi, QueriesAreKnownUnsupportedOrUnknown) {
  EXPECT_EQ(KindOfQuery("usages"), QueryKind::kKnown);
  EXPECT_EQ(KindOfQuery("ecc"), QueryKind::kUnsupported);
  EXPECT_EQ(KindOfQuery("weather"), QueryKind::kUnknown);
  const std::string answer = Answer("usages", SomeChip("310P3", false));
  EXPECT_NE(answer.find("\tDDR Capacity(MB)               : 21534\n"), std::string::npos);
  EXPECT_NE(answer.find("\tAicore Usage Rate(%)           : 7\n"), std::string::npos);
  EXPECT_EQ(Lines(CardList({SomeChip("310P3", false)}))[0], "\tTotal Count                    : 1");
}

}  // namespace
}  // namespace npu_smi
