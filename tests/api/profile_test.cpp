// SPDX-License-Identifier: Apache-2.0
// Times of operators delivered to a subscriber.
#include <unistd.h>

#include "acl/acl_prof.h"
#include "model_fixture.h"

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
  EXPECT_EQ(aclprofInit("/tmp", 4), ACL_SUCCESS);
  EXPECT_EQ(aclprofInit("/tmp", 4), ACL_ERROR_PROF_ALREADY_RUN);
  EXPECT_EQ(aclprofStart(config), ACL_SUCCESS);
  EXPECT_EQ(aclprofStop(config), ACL_SUCCESS);
  EXPECT_EQ(aclprofStop(config), ACL_ERROR_PROF_NOT_RUN);
  EXPECT_EQ(aclprofFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclprofDestroyConfig(config), ACL_SUCCESS);
}

}  // namespace
}  // namespace cairn::testing
