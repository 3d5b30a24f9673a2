// SPDX-License-Identifier: Apache-2.0
// Notifies, host functions on subscribed threads, registered memory, copies in batches.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"

namespace {

class ExtrasTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&a_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&b_), ACL_SUCCESS);
  }
  void TearDown() override {
    aclrtResetDeviceForce(0);
    aclFinalize();
    aclGetRecentErrMsg();
  }
  aclrtStream a_ = nullptr, b_ = nullptr;
};

TEST_F(ExtrasTest, NotifyLetsAStreamGoOnOncePerRecord) {
  aclrtNotify notify = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT), ACL_SUCCESS);
  static std::atomic<int> count;
  count = 0;
  const auto add = [](void*) { ++count; };
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(aclrtWaitAndResetNotify(notify, b_, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtLaunchHostFunc(b_, add, nullptr), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(b_, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(count, 0);
  ASSERT_EQ(aclrtRecordNotify(notify, a_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(b_, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(count, 1);
  ASSERT_EQ(aclrtRecordNotify(notify, a_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(b_), ACL_SUCCESS);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(aclrtDestroyNotify(notify), ACL_SUCCESS);
  EXPECT_EQ(aclrtRecordNotify(notify, a_), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ExtrasTest, AbortEndsTheWaitForANotify) {
  aclrtNotify notify = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT), ACL_SUCCESS);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify, a_, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamAbort(a_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(a_, 2000), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyNotify(notify), ACL_SUCCESS);
}

TEST_F(ExtrasTest, HostFunctionsRunOnTheSubscribedThread) {
  static pthread_t ran_on;
  std::atomic<bool> stop{false};
  std::thread thread([&] {
    while (!stop) aclrtProcessHostFunc(10);
  });
  const auto id = static_cast<uint64_t>(thread.native_handle());
  ASSERT_EQ(aclrtSubscribeHostFunc(id, a_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSubscribeHostFunc(id, a_), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  ASSERT_EQ(aclrtLaunchHostFunc(a_, [](void*) { ran_on = pthread_self(); }, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_TRUE(pthread_equal(ran_on, thread.native_handle()));
  EXPECT_EQ(aclrtUnSubscribeHostFunc(id, a_), ACL_SUCCESS);
  stop = true;
  thread.join();
}

TEST_F(ExtrasTest, RegisteredHostMemoryIsUsedInPlace) {
  std::vector<char> memory(100);
  void* device = nullptr;
  EXPECT_EQ(aclrtHostGetDevicePointer(memory.data(), &device, 0),
            ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
  ASSERT_EQ(aclrtHostRegisterV2(memory.data(), memory.size(), ACL_HOST_REG_MAPPED), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostRegisterV2(memory.data(), memory.size(), ACL_HOST_REG_MAPPED),
            ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  ASSERT_EQ(aclrtHostGetDevicePointer(memory.data() + 10, &device, 0), ACL_SUCCESS);
  EXPECT_EQ(device, memory.data() + 10);
  EXPECT_EQ(aclrtHostUnregister(memory.data()), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostUnregister(memory.data()), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_F(ExtrasTest, BatchOfCopiesIsCheckedAsAWhole) {
  std::string from[] = {"abc", "defg"}, to[] = {"---", "----"};
  void* dsts[] = {to[0].data(), to[1].data()};
  void* srcs[] = {from[0].data(), from[1].data()};
  size_t room[] = {3, 3}, sizes[] = {3, 4}, failed = 7;
  aclrtMemcpyBatchAttr attr = {};
  size_t index = 0;
  EXPECT_EQ(aclrtMemcpyBatch(dsts, room, srcs, sizes, 2, &attr, &index, 1, &failed),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(failed, 1u);
  EXPECT_EQ(to[0], "---");
  room[1] = 4;
  ASSERT_EQ(aclrtMemcpyBatch(dsts, room, srcs, sizes, 2, &attr, &index, 1, &failed), ACL_SUCCESS);
  EXPECT_EQ(failed, SIZE_MAX);
  EXPECT_EQ(to[0] + to[1], "abcdefg");
}

TEST_F(ExtrasTest, RowsAreCopiedInAStream) {
  const char from[] = "ab..cd..ef..";
  char to[] = "         ";
  ASSERT_EQ(aclrtMemcpy2dAsync(to, 3, from, 4, 2, 3, ACL_MEMCPY_HOST_TO_DEVICE, a_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_STREQ(to, "ab cd ef ");
}

TEST_F(ExtrasTest, StreamsThatComeAndGoAreReported) {
  static std::vector<aclrtStreamState> states;
  states.clear();
  ASSERT_EQ(aclrtRegStreamStateCallback(
                "test", [](aclrtStream, aclrtStreamState state, void*) { states.push_back(state); },
                nullptr),
            ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtRegStreamStateCallback("test", nullptr, nullptr), ACL_SUCCESS);
  EXPECT_EQ(states, (std::vector<aclrtStreamState>{ACL_RT_STREAM_STATE_CREATE_POST,
                                                    ACL_RT_STREAM_STATE_DESTROY_PRE}));
}

}  // namespace
