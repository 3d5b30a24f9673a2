// SPDX-License-Identifier: Apache-2.0
// What users of this interface ran into elsewhere: the right value or an answer that helps.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "model_fixture.h"

namespace cairn::testing {
namespace {

using UserCases = CopyModelTest;

TEST_F(UserCases, AChildThreadWithoutContextIsTold) {
  aclError code = ACL_SUCCESS;
  std::string text;
  std::thread([&] {
    Buffers in, out;
    in.Add(x_.data(), kBytes);
    out.Add(y_.data(), kBytes);
    code = aclmdlExecute(model_, in.get(), out.get());
    text = ErrorText();
  }).join();
  EXPECT_EQ(code, ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_NE(text.find("aclrtSetDevice"), std::string::npos) << text;
}

TEST_F(UserCases, AChildThreadRunsInTheContextOfItsParent) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  aclError code = ACL_ERROR_FAILURE;
  std::thread([&] {
    ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
    Buffers in, out;
    in.Add(x_.data(), kBytes);
    out.Add(y_.data(), kBytes);
    code = aclmdlExecute(model_, in.get(), out.get());
  }).join();
  EXPECT_EQ(code, ACL_SUCCESS);
  EXPECT_EQ(y_[79], x_[79]);
}

TEST_F(UserCases, ASecondModelThatIsMissingLeavesTheFirstUsable) {
  uint32_t second = 77;
  EXPECT_EQ(aclmdlLoadFromFile("/no/such/model.om", &second), ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID);
  EXPECT_EQ(second, 77u);
  EXPECT_NE(ErrorText().find("/no/such/model.om"), std::string::npos);
  Buffers in, out;
  in.Add(x_.data(), kBytes);
  out.Add(y_.data(), kBytes);
  EXPECT_EQ(aclmdlExecute(model_, in.get(), out.get()), ACL_SUCCESS);
}

TEST_F(UserCases, AsynchronousCopiesTakePageableMemory) {
  void* device = nullptr;
  ASSERT_EQ(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  std::vector<float> ordinary(x_.begin(), x_.begin() + kCount), back(kCount);
  ASSERT_EQ(aclrtMemcpyAsync(device, kBytes, ordinary.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE,
                             stream),
            ACL_SUCCESS);
  ordinary.assign(kCount, 0);  // Pageable memory is free again when the call returns.
  ASSERT_EQ(aclrtMemcpyAsync(back.data(), kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(std::memcmp(back.data(), x_.data(), kBytes), 0);
  aclrtDestroyStream(stream);
  aclrtFree(device);
}

TEST_F(UserCases, EveryPolicyAllocatesAndTooMuchIsRefused) {
  for (const aclrtMemMallocPolicy policy :
       {ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEM_MALLOC_HUGE_ONLY, ACL_MEM_MALLOC_NORMAL_ONLY,
        ACL_MEM_MALLOC_HUGE_FIRST_P2P, ACL_MEM_MALLOC_HUGE_ONLY_P2P,
        ACL_MEM_MALLOC_NORMAL_ONLY_P2P}) {
    void* memory = nullptr;
    EXPECT_EQ(aclrtMalloc(&memory, 1 << 21, policy), ACL_SUCCESS);
    EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
    EXPECT_NE(aclrtFree(memory), ACL_SUCCESS);
  }
  size_t free_bytes = 0, total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total), ACL_SUCCESS);
  void* memory = nullptr;
  EXPECT_EQ(aclrtMalloc(&memory, total + 1, ACL_MEM_MALLOC_HUGE_FIRST),
            ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_NE(ErrorText().find("the device has"), std::string::npos);
}

TEST_F(UserCases, TheContextOfAResetDeviceCannotBeSet) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_NE(aclrtSetCurrentContext(context), ACL_SUCCESS);
  EXPECT_NE(ErrorText().find("destroyed already"), std::string::npos);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
}

TEST_F(UserCases, RowsAreCopiedBetweenPitches) {
  const char from[] = "ab..cd..";
  char to[] = "      ";
  ASSERT_EQ(aclrtMemcpy2d(to, 3, from, 4, 2, 2, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  EXPECT_STREQ(to, "ab cd ");
  EXPECT_EQ(aclrtMemcpy2d(to, 1, from, 4, 2, 2, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(UserCases, ProcessesLoadOneFileAtOnce) {
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      // A process of its own: this test program again, running the one case below.
      setenv("CAIRN_TEST_MODEL", path_.c_str(), 1);
      execl("/proc/self/exe", "user_cases", "--gtest_filter=ChildProcess.*", "--gtest_brief=1",
            nullptr);
      _exit(127);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
}

TEST(ChildProcess, LoadsAndRuns) {
  const char* path = getenv("CAIRN_TEST_MODEL");
  if (path == nullptr) GTEST_SKIP() << "started by ProcessesLoadOneFileAtOnce";
  uint32_t model = 0;
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  std::vector<float> x(80, 1.5f), y(80);
  Buffers in, out;
  in.Add(x.data(), 320);
  out.Add(y.data(), 320);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(aclmdlLoadFromFile(path, &model), ACL_SUCCESS) << ErrorText();
    ASSERT_EQ(aclmdlExecute(model, in.get(), out.get()), ACL_SUCCESS) << ErrorText();
    ASSERT_EQ(y, x);
    ASSERT_EQ(aclmdlUnload(model), ACL_SUCCESS);
  }
}

}  // namespace
}  // namespace cairn::testing
