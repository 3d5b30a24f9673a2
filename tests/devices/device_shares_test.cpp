// SPDX-License-Identifier: Apache-2.0
// The text forms that divide the host among devices, and the limit of memory.
#include "devices/cpu/device_shares.h"

#include <gtest/gtest.h>

#include "devices/cpu/cpu_device.h"

namespace cairn::device {
namespace {

TEST(DeviceShares, OneByDefault) {
  const auto shares = ParseDeviceShares("", "", 8);
  ASSERT_TRUE(shares.ok());
  ASSERT_EQ(shares->size(), 1u);
  EXPECT_EQ((*shares)[0].num_cores, 0);
}

TEST(DeviceShares, ANumberSplitsTheCores) {
  const auto shares = ParseDeviceShares("3", "2M", 8);
  ASSERT_TRUE(shares.ok());
  ASSERT_EQ(shares->size(), 3u);
  EXPECT_EQ((*shares)[0].num_cores + (*shares)[1].num_cores + (*shares)[2].num_cores, 8);
  EXPECT_EQ((*shares)[2].memory_bytes, 2u << 20);
  const auto scarce = ParseDeviceShares("4", "", 2);
  for (const DeviceShare& share : *scarce) EXPECT_GE(share.num_cores, 1);
}

TEST(DeviceShares, ListsNameCores) {
  const auto shares = ParseDeviceShares("0-2,5;7", "", 8);
  ASSERT_TRUE(shares.ok());
  ASSERT_EQ(shares->size(), 2u);
  EXPECT_EQ((*shares)[0].cores, (std::vector<int>{0, 1, 2, 5}));
  EXPECT_EQ((*shares)[1].num_cores, 1);
}

TEST(DeviceShares, MistakesAreNamed) {
  EXPECT_EQ(ParseDeviceShares("0", "", 8).status().message(),
            "CAIRN_DEVICES is '0', expected 1 to 64 devices");
  EXPECT_EQ(ParseDeviceShares("2-1", "", 8).status().message(),
            "CAIRN_DEVICES is '2-1', expected a number or lists of cores such as 0-3;4-7");
  EXPECT_EQ(ParseDeviceShares("1", "many", 8).status().message(),
            "CAIRN_DEVICE_MEMORY is 'many', expected bytes such as 8G");
}

TEST(CpuDevice, GivesOutNoMoreThanItsMemory) {
  DeviceShare share;
  share.num_cores = 1;
  share.memory_bytes = 1 << 20;
  const auto device = NewCpuDevice(share);
  EXPECT_EQ(device->total_memory(), 1u << 20);
  const auto most = device->Allocate(1 << 20);
  ASSERT_TRUE(most.ok());
  EXPECT_EQ(device->free_memory(), 0u);
  const auto more = device->Allocate(64);
  EXPECT_EQ(more.status().code(), Code::kOutOfMemory);
  EXPECT_NE(more.status().message().find("1048576 in all, 1048576 are given out"),
            std::string::npos);
  device->Free(*most);
  const auto again = device->Allocate(64);
  ASSERT_TRUE(again.ok());
  device->Free(*again);
}

}  // namespace
}  // namespace cairn::device
