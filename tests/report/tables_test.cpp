// SPDX-License-Identifier: Apache-2.0
// Tables and timeline of a recorded run: names, columns, sums.
#include "report/tables.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "profile/session.h"
#include "report/csv_file.h"
#include "report/tensor_text.h"
#include "report/trace.h"
#include "support/copy_model.h"

namespace cairn::report {
namespace {

namespace fs = std::filesystem;
using Cells = std::vector<std::string>;

/// Splits a line of a table; quotes are removed.
Cells Split(const std::string& line) {
  Cells cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

/// A folder with two runs of the copying model, calls, a mark and memory events.
class Tables : public ::testing::Test {
 protected:
  void SetUp() override {
    using namespace profile;  // NOLINT
    parent_ = fs::temp_directory_path() / StrCat("cairn_tables_", getpid());
    folder_ = *CreateProfileFolder(parent_);
    ASSERT_TRUE(WriteMachine(folder_, {"host", "cpu", 2, 100, 20}).ok());
    ASSERT_TRUE(Session::Get().Start(folder_, {~0u, 0}).ok());
    const Program program =
        cairn::testing::CopyProgram({{"x", "y", ElementType::kF32, {1, 3, 4, 4}}});
    const uint32_t number = Session::Get().AddProgram(5, program);
    const uint64_t begin = NowNs();
    for (uint32_t run = 0; run < 2; ++run) {
      RecordLaunch(5, 0, 3);
      Record record{};
      record.task = {.model_id = 5, .program = number, .run = run + 1, .stream = 3, .cores = 2};
      const auto append = [&](RecordKind kind, uint32_t task, uint64_t from, uint64_t to) {
        record.kind = kind;
        record.task.task = task;
        record.begin_ns = begin + run * 100'000 + from;
        record.end_ns = begin + run * 100'000 + to;
        Session::Get().TaskRing().Append(record);
      };
      append(RecordKind::kRun, 0, 0, 31'000);
      append(RecordKind::kTask, 0, 0, 10'000);
      append(RecordKind::kTask, 1, 11'000, 31'000);
      append(RecordKind::kPart, 1, 11'000, 30'000);
    }
    { const CallScope scope(kAclCalls, CallLevel::kAcl, "aclmdlExecute"); }
    RecordMark(begin, begin + 500, "frame, \"one\"");
    RecordMemory(0, this, 2048, 2048);
    Session::Get().Stop();
    auto loaded = LoadProfile(folder_);
    ASSERT_TRUE(loaded.ok()) << loaded.status().message();
    profile_ = *std::move(loaded);
    ASSERT_TRUE(WriteTables(profile_, parent_ / "out", "20260102030405").ok());
  }
  void TearDown() override { fs::remove_all(parent_); }

  std::vector<Cells> Read(const std::string& name) {
    std::ifstream file(parent_ / "out" / (name + "_20260102030405.csv"));
    EXPECT_TRUE(file.is_open()) << name;
    std::vector<Cells> rows;
    for (std::string line; std::getline(file, line);) rows.push_back(Split(line));
    return rows;
  }

  fs::path parent_;
  std::string folder_;
  Profile profile_;
};

TEST_F(Tables, OpSummaryHasThePublicColumnsAndUnits) {
  const auto rows = Read("op_summary");
  ASSERT_EQ(rows.size(), 5u);
  const Cells expected{"Device_id",
                       "Model ID",
                       "Task ID",
                       "Stream ID",
                       "Op Name",
                       "OP Type",
                       "OP State",
                       "Task Type",
                       "Task Start Time(us)",
                       "Task Duration(us)",
                       "Task Wait Time(us)",
                       "Block Num",
                       "Mix Block Num",
                       "HF32 Eligible",
                       "Input Shapes",
                       "Input Data Types",
                       "Input Formats",
                       "Output Shapes",
                       "Output Data Types",
                       "Output Formats",
                       "Context ID",
                       "aicore_time(us)",
                       "total_cycles",
                       "vec_time(us)"};
  EXPECT_EQ(Cells(rows[0].begin(), rows[0].begin() + 24), expected);
  for (const Cells& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  const Cells& second = rows[2];
  EXPECT_EQ(second[1], "5");
  EXPECT_EQ(second[3], "3");
  EXPECT_EQ(second[7], "AI_CORE");
  EXPECT_EQ(second[8].back(), '\t');
  EXPECT_EQ(second[9], "20.000");
  EXPECT_EQ(second[10], "1.000");
  EXPECT_EQ(second[11], "2");
  EXPECT_EQ(second[14], "1,3,4,4");
  EXPECT_EQ(second[15], "FLOAT");
  EXPECT_EQ(second[16], "NCHW");
  EXPECT_EQ(second[22], "N/A");
}

TEST_F(Tables, SumsAgreeBetweenTheTables) {
  const auto statistic = Read("op_statistic");
  EXPECT_EQ(statistic[0], (Cells{"Device_id", "OP Type", "Core Type", "Count", "Total Time(us)",
                                 "Min Time(us)", "Avg Time(us)", "Max Time(us)", "Ratio(%)"}));
  EXPECT_EQ(statistic[1][3], "4");
  EXPECT_EQ(statistic[1][4], "60.000");
  EXPECT_EQ(statistic[1][8], "100.000");
  const auto tasks = Read("task_time");
  EXPECT_EQ(tasks[0], (Cells{"Device_id", "kernel_name", "kernel_type", "stream_id", "task_id",
                             "task_time(us)", "task_start(us)", "task_stop(us)"}));
  EXPECT_EQ(tasks.size(), 5u);
  EXPECT_EQ(tasks[1][2], "KERNEL_AICORE");
  const auto steps = Read("step_trace");
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[2][1], "2");
  EXPECT_EQ(steps[2][5], "31.000");
  EXPECT_EQ(steps[2][2], "N/A");
}

TEST_F(Tables, HostTablesHaveTheirRows) {
  const auto calls = Read("api_statistic");
  EXPECT_EQ(calls[1][1], "acl");
  EXPECT_EQ(calls[1][2], "aclmdlExecute");
  EXPECT_EQ(calls[1][4], "1");
  EXPECT_EQ(Read("npu_mem")[1][2], "2.000");
  EXPECT_EQ(Read("memory_record")[1][5], "NPU:0");
  const auto memory = Read("static_op_mem");
  EXPECT_EQ(memory.back()[1], "TOTAL");
  EXPECT_EQ(memory.back()[5], "4294967295");
}

TEST_F(Tables, TheTraceIsValidAndKeepsItsForm) {
  const auto json = nlohmann::json::parse(TraceJson(profile_));
  ASSERT_TRUE(json.is_array());
  std::map<std::string, int> phases, rows;
  std::set<std::string> starts, ends;
  for (const auto& event : json) {
    const std::string phase = event["ph"];
    ++phases[phase];
    const uint64_t pid = event["pid"];
    EXPECT_EQ(pid >> 10, static_cast<uint64_t>(getpid()));
    if (phase == "X") {
      EXPECT_TRUE(event["ts"].is_string());
      EXPECT_TRUE(event["dur"].is_number());
    }
    if (event["name"] == "thread_name") ++rows[event["args"]["name"]];
    if (phase == "s") starts.insert(event["id"]);
    if (phase == "f") {
      ends.insert(event["id"]);
      EXPECT_EQ(event["bp"], "e");
    }
  }
  EXPECT_EQ(rows["Stream 3"], 1);
  EXPECT_EQ(rows["Step Trace(Model ID:5)"], 1);
  EXPECT_EQ(rows["Core 2"], 1);
  EXPECT_EQ(phases["X"], 2 * 4 + 1 + 1 + 2);
  EXPECT_EQ(starts, ends);
  EXPECT_EQ(starts.size(), 2u);
}

TEST(TensorText, BlockedTensorsShowTheirStorage) {
  ProgramTensor tensor;
  tensor.dtype = ElementType::kF32;
  tensor.layout = Layout::kBlocked;
  tensor.dims = {1, 20, 7, 5};
  EXPECT_EQ(FormatText(tensor), "NC1HWC0");
  EXPECT_EQ(StorageDims(tensor, 8), (std::vector<int64_t>{1, 3, 7, 5, 8}));
  tensor.dims = {1, 20, 7};
  EXPECT_EQ(StorageDims(tensor, 8), (std::vector<int64_t>{1, 3, 1, 7, 8}));
}

TEST(CsvFile, MoreThanAMillionRowsAreSliced) {
  const fs::path folder = fs::temp_directory_path() / StrCat("cairn_csv_", getpid());
  CsvFile csv(folder, "t", "1", {"a"});
  for (int i = 0; i < 1'000'001; ++i) csv.Add({"1"});
  ASSERT_TRUE(csv.Write().ok());
  EXPECT_EQ(fs::file_size(folder / "t_slice_0_1.csv"), 2'000'002u);
  EXPECT_EQ(fs::file_size(folder / "t_slice_1_1.csv"), 4u);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace cairn::report
