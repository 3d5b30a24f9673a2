// SPDX-License-Identifier: Apache-2.0
// Streams, events, host callbacks.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"

namespace {

class AclStream : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&other_), ACL_SUCCESS);
  }
  void TearDown() override {
    aclrtResetDeviceForce(0);
    aclFinalize();
    aclGetRecentErrMsg();
  }

  aclrtStream stream_ = nullptr;
  aclrtStream other_ = nullptr;
};

/// A gate that host functions wait at, so that tests decide when a stream goes on.
struct Gate {
  std::atomic<bool> open{false};
  static void Pass(void* gate) {
    while (!static_cast<Gate*>(gate)->open) std::this_thread::yield();
  }
};

void Increment(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }

TEST_F(AclStream, WorkRunsInOrder) {
  static std::vector<int> order;
  order.clear();
  static int numbers[3] = {0, 1, 2};
  for (int& number : numbers)
    ASSERT_EQ(
        aclrtLaunchHostFunc(
            stream_, [](void* value) { order.push_back(*static_cast<int*>(value)); }, &number),
        ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST_F(AclStream, QueryAndTimeoutSeeQueuedWork) {
  Gate gate;
  ASSERT_EQ(aclrtLaunchHostFunc(stream_, Gate::Pass, &gate), ACL_SUCCESS);
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(stream_, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, -2), ACL_ERROR_RT_PARAM_INVALID);
  gate.open = true;
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamQuery(stream_, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
}

TEST_F(AclStream, DestroyWaitsForWork) {
  std::atomic<int> counter{0};
  for (int i = 0; i < 10; ++i)
    ASSERT_EQ(aclrtLaunchHostFunc(stream_, Increment, &counter), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(counter, 10);
  EXPECT_EQ(aclrtDestroyStream(stream_), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDestroyStream(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclStream, ForcedDestroyDropsWaitingWork) {
  aclrtEvent never = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&never, ACL_EVENT_SYNC), ACL_SUCCESS);
  std::atomic<int> counter{0};
  ASSERT_EQ(aclrtStreamWaitEvent(stream_, never), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(stream_, Increment, &counter), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStreamForce(stream_), ACL_SUCCESS);
  EXPECT_EQ(counter, 0);
}

TEST_F(AclStream, StreamOfAnotherContextCannotBeDestroyed) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream_), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
}

TEST_F(AclStream, DefaultStreamCannotBeDestroyed) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), ACL_SUCCESS);
  EXPECT_NE(aclrtDestroyStream(stream), ACL_SUCCESS);
}

TEST_F(AclStream, EventOrdersTwoStreams) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  Gate gate;
  std::atomic<int> counter{0};
  ASSERT_EQ(aclrtLaunchHostFunc(stream_, Gate::Pass, &gate), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(other_, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(other_, Increment, &counter), ACL_SUCCESS);
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 5), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  EXPECT_EQ(counter, 0);
  gate.open = true;
  EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_SUCCESS);
  EXPECT_EQ(counter, 1);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclStream, WaitBeforeTheFirstRecordWaitsForIt) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  std::atomic<int> counter{0};
  ASSERT_EQ(aclrtStreamWaitEvent(other_, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(other_, Increment, &counter), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(other_, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(counter, 0);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(other_), ACL_SUCCESS);
  EXPECT_EQ(counter, 1);
}

TEST_F(AclStream, ReRecordableEventIsCompleteBeforeItsFirstRecord) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_NE(aclrtResetEvent(event, stream_), ACL_SUCCESS);
}

TEST_F(AclStream, ElapsedTimeOfTwoEvents) {
  aclrtEvent start = nullptr, end = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&start), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEvent(&end), ACL_SUCCESS);
  float ms = -1;
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  ASSERT_EQ(aclrtRecordEvent(start, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(
                stream_, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(3)); },
                nullptr),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(end, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_SUCCESS);
  EXPECT_GE(ms, 3.0f);
}

TEST_F(AclStream, ResetMakesAnEventUnrecordedInStreamOrder) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetEvent(event, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
}

TEST_F(AclStream, CallbackNeedsASubscribedThread) {
  EXPECT_EQ(aclrtLaunchCallback(Increment, nullptr, ACL_CALLBACK_BLOCK, stream_),
            ACL_ERROR_RT_STREAM_NO_CB_REG);
  EXPECT_EQ(aclrtProcessReport(1), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  EXPECT_EQ(aclrtProcessReport(0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, stream_),
            ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclStream, BlockingCallbackRunsOnTheSubscribedThreadBeforeLaterWork) {
  static std::atomic<uint64_t> callback_thread{0};
  callback_thread = 0;
  std::atomic<bool> stop{false};
  std::thread worker([&] {
    while (!stop) aclrtProcessReport(20);
  });
  const auto id = static_cast<uint64_t>(worker.native_handle());
  ASSERT_EQ(aclrtSubscribeReport(id, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSubscribeReport(id, stream_), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  ASSERT_EQ(
      aclrtLaunchCallback([](void*) { callback_thread = static_cast<uint64_t>(pthread_self()); },
                          nullptr, ACL_CALLBACK_BLOCK, stream_),
      ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(callback_thread, id);
  EXPECT_EQ(aclrtUnSubscribeReport(id, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnSubscribeReport(id, stream_), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  stop = true;
  worker.join();
}

TEST_F(AclStream, ProcessReportTimesOut) {
  const auto id = static_cast<uint64_t>(pthread_self());
  ASSERT_EQ(aclrtSubscribeReport(id, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtProcessReport(2), ACL_ERROR_RT_REPORT_TIMEOUT);
}

}  // namespace
