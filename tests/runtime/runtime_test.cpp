// SPDX-License-Identifier: Apache-2.0
// Devices and contexts of a process with two devices.
#include "runtime/runtime.h"

#include <gtest/gtest.h>

#include <thread>

#include "fake_device.h"
#include "support/copy_model.h"

namespace cairn::runtime {
namespace {

class TwoDevices : public ::testing::Test {
 protected:
  TwoDevices() : runtime_(Devices()) {}

  static std::vector<std::unique_ptr<device::Device>> Devices() {
    std::vector<std::unique_ptr<device::Device>> devices;
    devices.push_back(std::make_unique<testing::FakeDevice>("first"));
    devices.push_back(std::make_unique<testing::FakeDevice>("second"));
    return devices;
  }

  Runtime runtime_;
};

TEST_F(TwoDevices, CurrentDeviceFollowsTheContext) {
  ASSERT_TRUE(runtime_.SetDevice(1).ok());
  EXPECT_EQ(*runtime_.CurrentDevice(), 1);
  const Handle context = *runtime_.CreateContext(0);
  EXPECT_EQ(*runtime_.CurrentDevice(), 0);
  ASSERT_TRUE(runtime_.SetDevice(1).ok());
  EXPECT_EQ(*runtime_.CurrentDevice(), 1);
  ASSERT_TRUE(runtime_.SetCurrentContext(context).ok());
  EXPECT_EQ(*runtime_.CurrentDevice(), 0);
  EXPECT_EQ(runtime_.SetDevice(2).code(), Code::kNotFound);
  EXPECT_TRUE(*runtime_.IsActive(1));
  EXPECT_FALSE(*runtime_.IsActive(0));
}

TEST_F(TwoDevices, ThreadsShareTheDefaultContext) {
  ASSERT_TRUE(runtime_.SetDevice(0).ok());
  const Handle mine = *runtime_.CurrentContext();
  Handle other = 0;
  std::thread([&] {
    EXPECT_EQ(runtime_.CurrentContext().status().code(), Code::kFailedPrecondition);
    ASSERT_TRUE(runtime_.SetDevice(0).ok());
    other = *runtime_.CurrentContext();
    EXPECT_TRUE(runtime_.ResetDevice(0, false).ok());
  }).join();
  EXPECT_EQ(other, mine);
  EXPECT_EQ(*runtime_.CurrentContext(), mine);
  EXPECT_TRUE(runtime_.ResetDevice(0, false).ok());
  EXPECT_FALSE(runtime_.CurrentContext().ok());
}

TEST_F(TwoDevices, ResetWaitsForWorkOfTheDefaultStream) {
  ASSERT_TRUE(runtime_.SetDevice(0).ok());
  bool ran = false;
  (*runtime_.FindStream(0))->Enqueue([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ran = true;
    return OkStatus();
  });
  ASSERT_TRUE(runtime_.ResetDevice(0, false).ok());
  EXPECT_TRUE(ran);
}

TEST_F(TwoDevices, ModelsHaveIdsThatAreNotUsedAgain) {
  ASSERT_TRUE(runtime_.SetDevice(1).ok());
  const auto program = WriteProgram(testing::CopyProgram({{"x", "y", ElementType::kF32, {2}}}));
  ModelFile file;
  file.image.program = *program;
  const uint32_t first = *runtime_.LoadModel(file, {});
  EXPECT_EQ((*runtime_.FindModel(first))->device_id(), 1);
  EXPECT_TRUE(runtime_.UnloadModel(first).ok());
  EXPECT_EQ(runtime_.UnloadModel(first).code(), Code::kNotFound);
  const uint32_t second = *runtime_.LoadModel(file, {});
  EXPECT_NE(first, second);
  std::vector<std::byte> little(16);
  EXPECT_EQ(runtime_.LoadModel(file, little).status().code(), Code::kInvalidArgument);
  runtime_.ReleaseAll();
  EXPECT_FALSE(runtime_.FindModel(second).ok());
}

TEST_F(TwoDevices, ManyThreadsUseContextsAndStreams) {
  std::vector<std::thread> threads;
  std::atomic<int> count{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 10; ++round) {
        const Handle context = *runtime_.CreateContext(t % 2);
        const Handle stream = *runtime_.CreateStream(0, 0);
        for (int i = 0; i < 10; ++i)
          (*runtime_.FindStream(i % 2 == 0 ? stream : 0))->Enqueue([&] {
            ++count;
            return OkStatus();
          });
        EXPECT_TRUE(runtime_.DestroyStream(stream, false).ok());
        EXPECT_TRUE(runtime_.SynchronizeDevice(std::nullopt).ok());
        EXPECT_TRUE(runtime_.DestroyContext(context).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 400);
}

}  // namespace
}  // namespace cairn::runtime
