// SPDX-License-Identifier: Apache-2.0
// Allocation, copies, fills and their limits.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>

#include "acl/acl.h"

namespace {

class AclMemory : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  }
  void TearDown() override {
    aclrtResetDevice(0);
    aclFinalize();
    aclGetRecentErrMsg();
  }
};

TEST_F(AclMemory, DeviceMemoryIsAlignedZeroAndHasAMargin) {
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 33, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
  const auto* bytes = static_cast<const unsigned char*>(memory);
  for (int i = 0; i < 96; ++i) ASSERT_EQ(bytes[i], 0) << i;
  std::memset(memory, 1, 96);  // 33 rounded up to 64, plus 32.
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(memory), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclMemory, BadSizesAndPointersAreRefused) {
  void* memory = nullptr;
  EXPECT_EQ(aclrtMalloc(&memory, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(nullptr, 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(&memory, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST),
            ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(aclrtMallocHost(&memory, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMallocHost(nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFreeHost(nullptr), ACL_ERROR_INVALID_PARAM);
  int foreign = 0;
  EXPECT_EQ(aclrtFree(&foreign), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(std::string(aclGetRecentErrMsg()), "");
}

TEST_F(AclMemory, HostAndDeviceMemoryAreReleasedByTheirOwnFunctions) {
  void* host = nullptr;
  ASSERT_EQ(aclrtMallocHost(&host, 100), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(host), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("is host memory, expected device memory"),
            std::string::npos);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
}

TEST_F(AclMemory, CopyChecksItsArguments) {
  std::array<char, 8> source{1, 2, 3, 4, 5, 6, 7, 8}, target{};
  EXPECT_EQ(aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(nullptr, 8, source.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy(target.data(), 7, source.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpy(target.data(), 8, source.data(), 8, static_cast<aclrtMemcpyKind>(6)),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(target, (std::array<char, 8>{}));
  EXPECT_EQ(aclrtMemcpy(target.data(), 8, source.data(), 8, ACL_MEMCPY_DEFAULT), ACL_SUCCESS);
  EXPECT_EQ(target, source);
}

TEST_F(AclMemory, CopyPastTheEndOfDeviceMemoryIsRefused) {
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  std::array<char, 256> host{};
  EXPECT_EQ(aclrtMemcpy(memory, 256, host.data(), 97, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("96 bytes are left there"), std::string::npos);
  EXPECT_EQ(
      aclrtMemcpy(host.data(), 256, static_cast<char*>(memory) + 64, 33, ACL_MEMCPY_DEVICE_TO_HOST),
      ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpy(memory, 96, host.data(), 96, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
}

TEST_F(AclMemory, FillSetsBytesAndChecksTheirCount) {
  std::array<unsigned char, 4> bytes{9, 9, 9, 9};
  EXPECT_EQ(aclrtMemset(nullptr, 0, 0, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemset(nullptr, 4, 0, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemset(bytes.data(), 2, 0, 3), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemset(bytes.data(), 4, 0x1ff, 3), ACL_SUCCESS);
  EXPECT_EQ(bytes, (std::array<unsigned char, 4>{0xff, 0xff, 0xff, 9}));
}

TEST_F(AclMemory, MemoryInfoIsGivenForEveryKind) {
  size_t free = 0, total = 0;
  for (const aclrtMemAttr attr : {ACL_DDR_MEM, ACL_HBM_MEM}) {
    ASSERT_EQ(aclrtGetMemInfo(attr, &free, &total), ACL_SUCCESS);
    EXPECT_GT(free, 0u);
    EXPECT_LE(free, total);
  }
  EXPECT_EQ(aclrtGetMemInfo(ACL_DDR_MEM, nullptr, &total), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclMemory, AsyncCopiesFollowTheirStream) {
  void* host = nullptr;
  void* device = nullptr;
  ASSERT_EQ(aclrtMallocHost(&host, 64), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  std::memset(host, 5, 64);
  EXPECT_EQ(aclrtMemcpyAsync(device, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
            ACL_SUCCESS);
  std::array<char, 64> pageable{};
  // Pageable memory: the copy has happened, behind the one before, when the call returns.
  EXPECT_EQ(aclrtMemcpyAsync(pageable.data(), 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(pageable[63], 5);
  EXPECT_EQ(aclrtMemsetAsync(device, 64, 7, 64, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(static_cast<char*>(device)[0], 7);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
}

}  // namespace
