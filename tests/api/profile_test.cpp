// SPDX-License-Identifier: Apache-2.0
// Times of operators delivered to a subscriber, sessions that record, and marks.
#include <unistd.h>

#include <fstream>
#include <map>

#include "acl/acl_prof.h"
#include "model_fixture.h"
#include "profile/reader.h"

namespace cairn::testing {
namespace {

using AclProfile = CopyModelTest;

TEST_F(AclProfile, SubscriberReadsOneRecordPerTask) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  aclprofSubscribeConfig* config = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &pipe_ends[1]);
  ASSERT_NE(config, nullptr);
  ASSERT_EQ(aclprofModelSubscribe(model_, config), ACL_SUCCESS);
  EXPECT_EQ(aclprofModelSubscribe(model_, config), ACL_ERROR_PROF_REPEAT_SUBSCRIBE);
  Buffers inputs, outputs;
  inputs.Add(x_.data(), kBytes);
  outputs.Add(y_.data(), kBytes);
  ASSERT_EQ(aclmdlExecute(model_, inputs.get(), outputs.get()), ACL_SUCCESS);
  EXPECT_EQ(aclprofModelUnSubscribe(model_), ACL_SUCCESS);
  EXPECT_NE(aclprofModelUnSubscribe(model_), ACL_SUCCESS);

  size_t record_bytes = 0;
  ASSERT_EQ(aclprofGetOpDescSize(&record_bytes), ACL_SUCCESS);
  std::vector<char> buffer(record_bytes * 3);
  const auto bytes = static_cast<size_t>(read(pipe_ends[0], buffer.data(), buffer.size()));
  uint32_t count = 0;
  ASSERT_EQ(aclprofGetOpNum(buffer.data(), bytes, &count), ACL_SUCCESS);
  ASSERT_EQ(count, 2u);
  EXPECT_EQ(aclprofGetModelId(buffer.data(), bytes, 0), model_);
  char name[64], type[64];
  size_t length = 0;
  EXPECT_EQ(aclprofGetOpNameLen(buffer.data(), bytes, 1, &length), ACL_SUCCESS);
  EXPECT_EQ(length, sizeof("y_out"));
  ASSERT_EQ(aclprofGetOpName(buffer.data(), bytes, 1, name, sizeof(name)), ACL_SUCCESS);
  EXPECT_STREQ(name, "y_out");
  ASSERT_EQ(aclprofGetOpType(buffer.data(), bytes, 0, type, sizeof(type)), ACL_SUCCESS);
  EXPECT_STREQ(type, "Identity");
  EXPECT_NE(aclprofGetOpType(buffer.data(), bytes, 0, type, 3), ACL_SUCCESS);
  EXPECT_NE(aclprofGetOpType(buffer.data(), bytes, 2, type, sizeof(type)), ACL_SUCCESS);
  EXPECT_LE(aclprofGetOpStart(buffer.data(), bytes, 0), aclprofGetOpEnd(buffer.data(), bytes, 0));
  EXPECT_EQ(aclprofGetOpDuration(buffer.data(), bytes, 0),
            aclprofGetOpEnd(buffer.data(), bytes, 0) - aclprofGetOpStart(buffer.data(), bytes, 0));
  EXPECT_EQ(aclprofDestroySubscribeConfig(config), ACL_SUCCESS);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST_F(AclProfile, SessionsFollowTheirOrder) {
  uint32_t device = 0;
  aclprofConfig* config =
      aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_ACL_API);
  EXPECT_EQ(aclprofStart(config), ACL_ERROR_PROF_NOT_RUN);
  EXPECT_EQ(aclprofFinalize(), ACL_ERROR_PROF_NOT_RUN);
  const std::string folder = path_.parent_path() / StrCat("cairn_prof_", getpid());
  EXPECT_NE(aclprofInit(folder.c_str(), 1), ACL_SUCCESS);
  EXPECT_EQ(aclprofInit(folder.c_str(), folder.size()), ACL_SUCCESS);
  EXPECT_EQ(aclprofInit(folder.c_str(), folder.size()), ACL_ERROR_PROF_ALREADY_RUN);
  EXPECT_EQ(aclprofStart(config), ACL_SUCCESS);
  EXPECT_EQ(aclprofStart(config), ACL_ERROR_PROF_NOT_RUN);
  EXPECT_EQ(aclprofStop(config), ACL_SUCCESS);
  EXPECT_EQ(aclprofStop(config), ACL_ERROR_PROF_NOT_RUN);
  EXPECT_EQ(aclprofFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclprofDestroyConfig(config), ACL_SUCCESS);
  std::filesystem::remove_all(folder);
}

TEST_F(AclProfile, ASessionRecordsTasksCallsAndMarks) {
  uint32_t device = 0;
  aclprofConfig* config = aclprofCreateConfig(
      &device, 1, ACL_AICORE_NONE, nullptr,
      ACL_PROF_ACL_API | ACL_PROF_TASK_TIME | ACL_PROF_RUNTIME_API | ACL_PROF_MSPROFTX);
  const std::string folder = path_.parent_path() / StrCat("cairn_prof_", getpid());
  ASSERT_EQ(aclprofInit(folder.c_str(), folder.size()), ACL_SUCCESS);
  EXPECT_EQ(aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, "300MB", 5), ACL_SUCCESS);
  EXPECT_NE(aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, "3", 1), ACL_SUCCESS);
  ASSERT_EQ(aclprofStart(config), ACL_SUCCESS) << ErrorText();

  void* stamp = aclprofCreateStamp();
  EXPECT_EQ(aclprofSetStampTraceMessage(stamp, "frame", 5), ACL_SUCCESS);
  EXPECT_EQ(aclprofPush(stamp), ACL_SUCCESS);
  Buffers inputs, outputs;
  inputs.Add(x_.data(), kBytes);
  outputs.Add(y_.data(), kBytes);
  ASSERT_EQ(aclmdlExecute(model_, inputs.get(), outputs.get()), ACL_SUCCESS);
  ASSERT_EQ(aclmdlExecuteAsync(model_, inputs.get(), outputs.get(), nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclprofPop(), ACL_SUCCESS);
  EXPECT_NE(aclprofPop(), ACL_SUCCESS);
  uint32_t range = 0;
  EXPECT_EQ(aclprofRangeStart(stamp, &range), ACL_SUCCESS);
  EXPECT_EQ(aclprofRangeStop(range), ACL_SUCCESS);
  EXPECT_NE(aclprofRangeStop(range), ACL_SUCCESS);
  EXPECT_EQ(aclprofMark(stamp), ACL_SUCCESS);
  aclprofDestroyStamp(stamp);
  EXPECT_EQ(aclprofStop(config), ACL_SUCCESS);
  EXPECT_EQ(aclprofFinalize(), ACL_SUCCESS);
  aclprofDestroyConfig(config);

  const auto folders = profile::FindProfileFolders(folder);
  ASSERT_EQ(folders.size(), 1u);
  const auto recorded = profile::ReadProfile(folders[0]);
  ASSERT_TRUE(recorded.ok()) << recorded.status().message();
  std::map<profile::RecordKind, int> kinds;
  for (const profile::Event& event : recorded->tasks) {
    ++kinds[event.record.kind];
    EXPECT_NE(recorded->FindProgram(event), nullptr);
    EXPECT_EQ(event.record.task.model_id, model_);
    EXPECT_LE(event.begin_ns, event.end_ns);
  }
  EXPECT_EQ(kinds[profile::RecordKind::kRun], 2);
  EXPECT_EQ(kinds[profile::RecordKind::kTask], 4);
  std::map<std::string, int> texts;
  for (const profile::Event& event : recorded->events) ++texts[event.text];
  EXPECT_EQ(texts["aclmdlExecute"], 1);
  EXPECT_EQ(texts["ModelExecute"], 2);
  EXPECT_EQ(texts["StreamSynchronize"], 1);
  EXPECT_EQ(texts["frame"], 3);
  std::filesystem::remove_all(folder);
}

TEST(AclProfileConfig, TheProfilerSectionRecordsOrSaysWhatIsWrong) {
  const auto folder =
      std::filesystem::temp_directory_path() / StrCat("cairn_prof_json_", getpid());
  std::filesystem::create_directories(folder);
  const std::string config = folder / "acl.json";
  std::ofstream(config) << R"({"profiler": {"switch": "on", "task_time": "l7"}})";
  EXPECT_NE(aclInit(config.c_str()), ACL_SUCCESS);
  EXPECT_NE(ErrorText().find("'task_time' is 'l7'"), std::string::npos);
  std::ofstream(config) << R"({"profiler": {"switch": "on", "output": ")" << folder.string()
                        << R"("}})";
  ASSERT_EQ(aclInit(config.c_str()), ACL_SUCCESS) << ErrorText();
  EXPECT_EQ(aclprofInit("x", 1), ACL_ERROR_PROF_ALREADY_RUN);
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  ErrorText();
  const auto folders = profile::FindProfileFolders(folder);
  ASSERT_EQ(folders.size(), 1u);
  const auto recorded = profile::ReadProfile(folders[0]);
  ASSERT_TRUE(recorded.ok());
  ASSERT_FALSE(recorded->events.empty());
  EXPECT_EQ(recorded->events.back().text, "aclrtSetDevice");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cairn::testing
