// SPDX-License-Identifier: Apache-2.0
// Tests that load the copying model and run it on vectors.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "support/copy_model.h"

namespace cairn::testing {

/// The stored text, empty when there is none.
inline std::string ErrorText() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

/// A dataset over memory of the test.
class Buffers {
 public:
  Buffers() : dataset_(aclmdlCreateDataset()) {}
  ~Buffers() {
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(dataset_); ++i)
      aclDestroyDataBuffer(aclmdlGetDatasetBuffer(dataset_, i));
    aclmdlDestroyDataset(dataset_);
  }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  Buffers& Add(void* data, size_t bytes) {
    aclmdlAddDatasetBuffer(dataset_, aclCreateDataBuffer(data, bytes));
    return *this;
  }
  aclmdlDataset* get() const { return dataset_; }

 private:
  aclmdlDataset* dataset_;
};

/// Loads a model with input "x" and output "y", f32 [2,40] (320 bytes).
class CopyModelTest : public ::testing::Test {
 protected:
  static constexpr size_t kCount = 80;
  static constexpr size_t kBytes = kCount * sizeof(float);

  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() / StrCat("cairn_copy_", getpid(), ".om");
    WriteCopyModel(path_, {{"x", "y", ElementType::kF32, {2, 40}}});
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclmdlLoadFromFile(path_.c_str(), &model_), ACL_SUCCESS) << ErrorText();
    for (size_t i = 0; i < kCount; ++i) x_[i] = static_cast<float>(i) + 0.5f;
  }
  void TearDown() override {
    aclrtResetDeviceForce(0);
    aclFinalize();
    aclGetRecentErrMsg();
    std::filesystem::remove(path_);
  }

  std::filesystem::path path_;
  uint32_t model_ = 0;
  std::vector<float> x_ = std::vector<float>(2 * kCount);
  std::vector<float> y_ = std::vector<float>(kCount);
};

}  // namespace cairn::testing
