// SPDX-License-Identifier: Apache-2.0
// The block registry.
#include "runtime/memory.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "fake_device.h"

namespace cairn::runtime {
namespace {

TEST(Memory, KnowsInteriorAddressesAndBounds) {
  testing::FakeDevice device;
  Memory memory;
  const Result<void*> block = memory.AllocateOnDevice(device, 100);
  ASSERT_TRUE(block.ok());
  auto* bytes = static_cast<char*>(*block);
  EXPECT_EQ(memory.device_bytes(), 160u);  // 100 rounded up to 128, plus 32.
  EXPECT_TRUE(memory.CheckRange("dst", bytes + 60, 100).ok());
  const Status past = memory.CheckRange("dst", bytes + 60, 101);
  EXPECT_EQ(past.code(), Code::kInvalidArgument);
  EXPECT_NE(past.message().find("100 bytes are left there"), std::string::npos);
  EXPECT_EQ(memory.KindOf(bytes + 159), MemoryKind::kDevice);
  EXPECT_EQ(memory.KindOf(bytes + 160), std::nullopt);
  EXPECT_EQ(memory.Free(bytes + 64, MemoryKind::kDevice).code(), Code::kNotFound);
  EXPECT_EQ(memory.Free(bytes, MemoryKind::kHost).code(), Code::kNotFound);
  EXPECT_TRUE(memory.Free(bytes, MemoryKind::kDevice).ok());
  EXPECT_EQ(memory.device_bytes(), 0u);
  EXPECT_EQ(device.num_allocated, 0);
}

TEST(Memory, RefusesImpossibleSizes) {
  testing::FakeDevice device;
  Memory memory;
  EXPECT_EQ(memory.AllocateOnDevice(device, UINT64_MAX).status().code(), Code::kOutOfMemory);
  EXPECT_EQ(memory.AllocateOnHost(UINT64_MAX - 31).status().code(), Code::kOutOfMemory);
}

TEST(Memory, ThreadsAllocateAndFreeTogether) {
  Memory memory;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 1; i < 200; ++i) {
        const Result<void*> block = memory.AllocateOnHost(static_cast<uint64_t>(i));
        ASSERT_TRUE(block.ok());
        EXPECT_EQ(memory.KindOf(*block), MemoryKind::kHost);
        EXPECT_TRUE(memory.Free(*block, MemoryKind::kHost).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace cairn::runtime
