// SPDX-License-Identifier: Apache-2.0
// Init, devices, contexts, error texts.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "acl/acl.h"
#include "acl/acl_tdt.h"

namespace {

/// The stored text, empty when there is none.
std::string ErrorText() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

/// A configuration file that is removed at the end.
class ConfigFile {
 public:
  explicit ConfigFile(const std::string& content)
      : path_(std::filesystem::temp_directory_path() / "cairn_acl_config_test.json") {
    std::ofstream(path_) << content;
  }
  ~ConfigFile() { std::filesystem::remove(path_); }
  const char* path() const { return path_.c_str(); }

 private:
  std::filesystem::path path_;
};

class AclLifecycle : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS); }
  void TearDown() override {
    aclFinalize();
    aclGetRecentErrMsg();
    aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  }
};

TEST_F(AclLifecycle, SecondInitIsRefusedWithTextAndCode) {
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_NE(ErrorText().find("aclInit failed, error code 100002"), std::string::npos);
  EXPECT_EQ(ErrorText(), "");
}

TEST_F(AclLifecycle, FinalizeTwiceIsRefusedAndInitWorksAgain) {
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  EXPECT_EQ(aclInit(""), ACL_SUCCESS);
}

TEST_F(AclLifecycle, FinalizeReferenceCountsDown) {
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  uint64_t left = 99;
  EXPECT_EQ(aclFinalizeReference(&left), ACL_SUCCESS);
  EXPECT_EQ(left, 1u);
  EXPECT_EQ(aclFinalizeReference(&left), ACL_SUCCESS);
  EXPECT_EQ(left, 0u);
  EXPECT_EQ(aclFinalizeReference(&left), ACL_ERROR_REPEAT_FINALIZE);
}

TEST_F(AclLifecycle, ConfigurationFilesAreChecked) {
  ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclInit("/nonexistent/acl.json"), ACL_ERROR_INVALID_FILE);
  EXPECT_NE(ErrorText().find("/nonexistent/acl.json"), std::string::npos);
  EXPECT_EQ(aclInit("/"), ACL_ERROR_INVALID_FILE);
  EXPECT_NE(ErrorText().find("it is a folder"), std::string::npos);
  EXPECT_EQ(aclInit(ConfigFile("{\"dump\": ").path()), ACL_ERROR_PARSE_FILE);
  EXPECT_EQ(aclInit(ConfigFile("[[[[[[[[[[[]]]]]]]]]]]").path()), ACL_ERROR_PARSE_FILE);
  EXPECT_EQ(aclInit(ConfigFile("").path()), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclInit(ConfigFile("{\"unknown\": {}}").path()), ACL_SUCCESS);
}

TEST_F(AclLifecycle, SharedErrorTextIsReadByAnotherThread) {
  ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
  ASSERT_EQ(aclInit(ConfigFile("{\"err_msg_mode\": \"1\"}").path()), ACL_SUCCESS);
  std::thread([] { aclrtSetDevice(99); }).join();
  EXPECT_NE(ErrorText().find("device 99"), std::string::npos);
}

TEST_F(AclLifecycle, ErrorTextBelongsToTheThread) {
  std::thread([] { aclrtSetDevice(99); }).join();
  EXPECT_EQ(ErrorText(), "");
}

TEST_F(AclLifecycle, LastErrorIsPeekedThenTaken) {
  EXPECT_EQ(aclrtGetRunMode(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(ErrorText().find("Argument runMode must not be null."), std::string::npos);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(ErrorText(), "");
}

TEST_F(AclLifecycle, CallsThatNeedAContextSayHowToGetOne) {
  std::thread([] {
    int32_t device = 0;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
    void* memory = nullptr;
    EXPECT_EQ(aclrtMalloc(&memory, 16, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_NE(ErrorText().find("call aclrtSetDevice"), std::string::npos);
  }).join();
}

TEST_F(AclLifecycle, DevicesAreCountedAndChecked) {
  uint32_t count = 0;
  ASSERT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  ASSERT_GE(count, 1u);
  EXPECT_EQ(aclrtSetDevice(static_cast<int32_t>(count)), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtSetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(device, 0);
  EXPECT_NE(std::string(aclrtGetSocName()), "");
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_NE(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(AclLifecycle, DeviceUsesAreCounted) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);
  EXPECT_NE(aclrtResetDeviceForce(0), ACL_SUCCESS);
}

TEST_F(AclLifecycle, ContextsAreCurrentPerThread) {
  aclrtContext first = nullptr, second = nullptr, current = nullptr;
  ASSERT_EQ(aclrtCreateContext(&first, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateContext(&second, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_SUCCESS);
  EXPECT_EQ(current, second);
  EXPECT_EQ(aclrtSetCurrentContext(first), ACL_SUCCESS);
  std::thread([&] {
    aclrtContext other = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&other), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtSetCurrentContext(second), ACL_SUCCESS);
  }).join();
  EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_SUCCESS);
  EXPECT_EQ(current, first);
  EXPECT_EQ(aclrtDestroyContext(first), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(first), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetCurrentContext(first), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtDestroyContext(second), ACL_SUCCESS);
}

TEST_F(AclLifecycle, DefaultContextCannotBeDestroyed) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST_F(AclLifecycle, HandlesOfOneKindAreUnknownToOthers) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(context), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeEvent(context), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
}

TEST_F(AclLifecycle, FinalizeReleasesWhatIsLeft) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  aclrtEvent never_recorded = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&never_recorded, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(stream, never_recorded), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(never_recorded, 1), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetCurrentContext(context), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclLifecycle, DeviceNumbersAreTheSameInEveryCounting) {
  int32_t number = -1;
  EXPECT_EQ(aclrtGetPhyDevIdByLogicDevId(0, &number), ACL_SUCCESS);
  EXPECT_EQ(number, 0);
  EXPECT_EQ(aclrtGetPhyDevIdByLogicDevId(99, &number), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetUserDevIdByPhyDevId(0, nullptr), ACL_ERROR_INVALID_PARAM);
  int32_t access = -1;
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&access, 0, 0), ACL_SUCCESS);
  EXPECT_EQ(access, 0);
}

TEST_F(AclLifecycle, SystemParametersAreKept) {
  int64_t value = -1;
  EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_ENABLE_DEBUG_KERNEL, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_ENABLE_DEBUG_KERNEL, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_ENABLE_DEBUG_KERNEL, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetSysParamOpt(static_cast<aclSysParamOpt>(4), 1), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclLifecycle, UnsupportedFunctionsSayWhy) {
  aclrtLabel label = nullptr;
  EXPECT_EQ(aclrtCreateLabel(&label), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_NE(ErrorText().find("aclrtCreateLabel is not supported. Reason: "), std::string::npos);
  EXPECT_EQ(acltdtCreateDataset(), nullptr);
}

}  // namespace
