// SPDX-License-Identifier: Apache-2.0
// Streams and events from many threads.
#include "runtime/stream.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "runtime/event.h"
#include "runtime/report_queue.h"

namespace cairn::runtime {
namespace {

TEST(Stream, FirstFailureIsReturnedOnceAndLaterWorkRuns) {
  Stream stream(7, 0, 0, 0);
  int ran = 0;
  stream.Enqueue([] { return Status(Code::kInternal, "first"); });
  stream.Enqueue([] { return Status(Code::kInternal, "second"); });
  stream.Enqueue([&] {
    ++ran;
    return OkStatus();
  });
  EXPECT_EQ(stream.Synchronize().message(), "first");
  EXPECT_TRUE(stream.Synchronize().ok());
  EXPECT_EQ(ran, 1);
  EXPECT_TRUE(stream.idle());
}

TEST(Stream, ExceptionsOfWorkAreItsFailure) {
  Stream stream(0, 0, 0, 0);
  stream.Enqueue([]() -> Status { throw std::bad_alloc(); });
  EXPECT_EQ(stream.Synchronize().code(), Code::kOutOfMemory);
}

TEST(Stream, ThreadsMayEnqueueAndSynchronizeTogether) {
  Stream stream(0, 0, 0, 0);
  std::atomic<int> count{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i)
        stream.Enqueue([&] {
          ++count;
          return OkStatus();
        });
      EXPECT_TRUE(stream.Synchronize().ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 800);
}

TEST(Stream, DestructionEndsAWaitAndDropsTheRest) {
  auto never = std::make_shared<Signal>();
  bool ran = false;
  {
    Stream stream(0, 0, 0, 0);
    stream.EnqueueWait(never);
    stream.Enqueue([&] {
      ran = true;
      return OkStatus();
    });
  }
  EXPECT_FALSE(ran);
}

TEST(Stream, AbortLeavesOtherWaitsForTheSameSignal) {
  auto signal = std::make_shared<Signal>();
  Stream aborted(0, 0, 0, 0), patient(1, 0, 0, 0);
  aborted.EnqueueWait(signal);
  patient.EnqueueWait(signal);
  aborted.Abort();
  EXPECT_EQ(patient.Synchronize(5).code(), Code::kTimeout);
  signal->Set();
  EXPECT_TRUE(patient.Synchronize().ok());
}

TEST(Event, PingPongBetweenTwoStreams) {
  Stream left(0, 0, 0, 0), right(1, 0, 0, 0);
  Event to_right(0, 0, true), to_left(1, 0, true);
  std::vector<int> order;
  for (int i = 0; i < 50; ++i) {
    left.Enqueue([&order, i] {
      order.push_back(2 * i);
      return OkStatus();
    });
    to_right.Record(left);
    to_right.WaitIn(right);
    right.Enqueue([&order, i] {
      order.push_back(2 * i + 1);
      return OkStatus();
    });
    to_left.Record(right);
    to_left.WaitIn(left);
  }
  ASSERT_TRUE(left.Synchronize().ok());
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

TEST(ReportQueues, CallbacksOfTwoStreamsReachTheirThread) {
  ReportQueues queues;
  Stream a(0, 0, 0, 0), b(1, 0, 0, 0);
  constexpr ThreadId kThread = 42;
  ASSERT_TRUE(queues.Subscribe(kThread, 1).ok());
  ASSERT_TRUE(queues.Subscribe(kThread, 2).ok());
  EXPECT_EQ(queues.Subscribe(43, 1).code(), Code::kAlreadyExists);
  std::atomic<int> count{0};
  const auto callback = [&] { ++count; };
  ASSERT_TRUE(queues.Launch(1, a, callback, true).ok());
  ASSERT_TRUE(queues.Launch(2, b, callback, false).ok());
  EXPECT_EQ(queues.Launch(3, b, callback, false).code(), Code::kNotFound);
  EXPECT_TRUE(queues.Process(kThread, 1000).ok());
  EXPECT_TRUE(queues.Process(kThread, 1000).ok());
  EXPECT_EQ(queues.Process(kThread, 1).code(), Code::kTimeout);
  EXPECT_EQ(count, 2);
  EXPECT_TRUE(queues.Unsubscribe(kThread, 1).ok());
  queues.Drop(2);
  EXPECT_EQ(queues.Process(kThread, 1).code(), Code::kNotFound);
}

}  // namespace
}  // namespace cairn::runtime
