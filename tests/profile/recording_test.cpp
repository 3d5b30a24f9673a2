// SPDX-License-Identifier: Apache-2.0
// Records survive what happens to the process: threads, a kill, a fork, a limit, damage.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "profile/reader.h"
#include "profile/session.h"
#include "support/copy_model.h"

namespace cairn::profile {
namespace {

namespace fs = std::filesystem;

class Recording : public ::testing::Test {
 protected:
  void SetUp() override {
    parent_ = fs::temp_directory_path() / StrCat("cairn_recording_", getpid());
    auto folder = CreateProfileFolder(parent_);
    ASSERT_TRUE(folder.ok()) << folder.status().message();
    folder_ = *folder;
  }
  void TearDown() override {
    Session::Get().Stop();
    fs::remove_all(parent_);
  }

  void Start(uint32_t categories, uint64_t limit = 0) {
    const Status started = Session::Get().Start(folder_, {categories, limit});
    ASSERT_TRUE(started.ok()) << started.message();
  }
  RawProfile Read() {
    auto profile = ReadProfile(folder_);
    EXPECT_TRUE(profile.ok()) << profile.status().message();
    return profile.ok() ? *std::move(profile) : RawProfile();
  }
  /// Appends `count` tasks whose index counts up.
  static void AppendTasks(uint32_t count) {
    Record record{};
    record.kind = RecordKind::kTask;
    for (uint32_t i = 0; i < count; ++i) {
      record.task.task = i;
      record.begin_ns = NowNs();
      record.end_ns = record.begin_ns + 10;
      Session::Get().TaskRing().Append(record);
    }
  }

  fs::path parent_;
  std::string folder_;
};

TEST_F(Recording, EveryThreadsRecordsComeBackOverManySlices) {
  Start(kTasks);
  constexpr uint32_t kCount = 100'000;
  std::thread other([] { AppendTasks(kCount); });
  AppendTasks(10);
  other.join();
  Session::Get().Stop();
  const RawProfile profile = Read();
  EXPECT_EQ(profile.tasks.size(), kCount + 10);
  EXPECT_TRUE(profile.warnings.empty());
  EXPECT_EQ(profile.lost_slices, 0u);
  ASSERT_EQ(profile.processes.size(), 1u);
  EXPECT_TRUE(profile.processes[0].ended);
  EXPECT_LE(profile.tasks.front().begin_ns, profile.tasks.back().begin_ns);
}

TEST_F(Recording, AKilledProcessLeavesItsRecords) {
  const pid_t child = fork();
  if (child == 0) {
    if (!Session::Get().Start(folder_, {kTasks | kAclCalls, 0}).ok()) _exit(1);
    AppendTasks(20'000);
    { const CallScope scope(kAclCalls, CallLevel::kAcl, "aclmdlExecute"); }
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const RawProfile profile = Read();
  EXPECT_EQ(profile.tasks.size(), 20'000u);
  ASSERT_EQ(profile.events.size(), 1u);
  EXPECT_EQ(profile.events[0].text, "aclmdlExecute");
  ASSERT_EQ(profile.processes.size(), 1u);
  EXPECT_FALSE(profile.processes[0].ended);
}

TEST_F(Recording, AForkedChildWritesSlicesOfItsOwn) {
  Start(kTasks);
  AppendTasks(5);
  const pid_t child = fork();
  if (child == 0) {
    AppendTasks(7);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  AppendTasks(5);
  const RawProfile profile = Read();
  size_t of_child = 0;
  for (const Event& event : profile.tasks)
    of_child += event.process == static_cast<uint32_t>(child);
  EXPECT_EQ(of_child, 7u);
  EXPECT_EQ(profile.tasks.size(), 17u);
}

TEST_F(Recording, TheLimitDropsTheOldestSlices) {
  constexpr uint64_t kLimit = 10 << 20;
  Start(kTasks, kLimit);
  constexpr uint32_t kCount = 500'000;  // 32 MB.
  AppendTasks(kCount);
  uint64_t bytes = 0;
  for (const auto& file : fs::recursive_directory_iterator(folder_))
    if (file.path().extension() == ".slice") bytes += file.file_size();
  EXPECT_LE(bytes, kLimit);
  const RawProfile profile = Read();
  EXPECT_GT(profile.lost_slices, 0u);
  ASSERT_FALSE(profile.tasks.empty());
  EXPECT_EQ(profile.tasks.back().record.task.task, kCount - 1);
}

TEST_F(Recording, LongTextsAndProgramsComeBack) {
  Start(kMarks);
  const std::string text(200, 'x');
  RecordMark(5, 9, text);
  const Program program = testing::CopyProgram({{"x", "y", ElementType::kF32, {2, 3}}});
  EXPECT_EQ(Session::Get().AddProgram(7, program), 1u);
  const RawProfile profile = Read();
  ASSERT_EQ(profile.events.size(), 1u);
  EXPECT_EQ(profile.events[0].text, text);
  ASSERT_EQ(profile.programs.size(), 1u);
  EXPECT_EQ(profile.programs.begin()->second.tasks.size(), program.tasks.size());
}

TEST_F(Recording, DamagedPartsBecomeWarnings) {
  Start(kTasks);
  AppendTasks(3);
  std::ofstream(folder_ + "/device_0/data/task.1.1.0.slice") << "no slice";
  std::ofstream(folder_ + "/host/data/program.1.1.1.bin") << "no program";
  std::ofstream(folder_ + "/host/data/process.1.json") << "{";
  const RawProfile profile = Read();
  EXPECT_EQ(profile.tasks.size(), 3u);
  EXPECT_EQ(profile.warnings.size(), 3u);
}

TEST_F(Recording, NothingIsActiveWithoutARecording) {
  EXPECT_FALSE(Active(~0u));
  { const CallScope scope(kAclCalls, CallLevel::kAcl, "aclInit"); }
  EXPECT_TRUE(Read().events.empty());
  EXPECT_EQ(ReadProfile("/nowhere/at/all").status().code(), Code::kNotFound);
  EXPECT_EQ(ReadProfile(parent_).status().code(), Code::kNotFound);
  EXPECT_EQ(FindProfileFolders(parent_), std::vector<std::string>{folder_});
}

TEST(ProfileFolder, AnUnwritableParentIsAnError) {
  const auto folder = CreateProfileFolder("/proc/nothing");
  ASSERT_FALSE(folder.ok());
  EXPECT_NE(folder.status().message().find("/proc/nothing"), std::string::npos);
}

}  // namespace
}  // namespace cairn::profile
